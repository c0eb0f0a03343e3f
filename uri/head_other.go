//go:build !amd64

package uri

// hasAVX2 is false: there is no kernel for this processor.
var hasAVX2 = false

// headAVX2 is not called while hasAVX2 is false.
func headAVX2(string) (odd, slash uint64) { return 0, 0 }
