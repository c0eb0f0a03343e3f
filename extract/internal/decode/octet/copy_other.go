//go:build !amd64

package octet

// Other processors have no kernel.
var hasAVX2 = false

func copyToAVX2(dst, src []byte, stop [2]byte) int { return 0 }
