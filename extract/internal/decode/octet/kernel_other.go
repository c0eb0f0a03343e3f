//go:build !amd64

package octet

// hasAVX2 is false: other processors have no kernels.
var hasAVX2 = false

func copyToAVX2(dst, src []byte, stop [2]byte) int { return 0 }

func plainAVX2(src []byte, stop [3]byte) int { return 0 }

func pairAVX2(src []byte, stop [4]byte) int { return 0 }
