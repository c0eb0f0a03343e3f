//go:build !amd64

package uri

// Elsewhere there is no kernel, and all is done in Go.
var hasAVX2 = false

func headAVX2(string) (odd, slash uint64) { return 0, 0 }
