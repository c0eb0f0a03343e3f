//go:build !amd64

package uri

// There is no kernel for this processor.
var hasAVX2 = false

func headAVX2(string) (odd, slash uint64) { return 0, 0 }
