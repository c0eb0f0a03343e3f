//go:build !amd64

package plain

// HasAVX2 is false: there is no kernel for this processor.
var HasAVX2 = false

// HeadAVX2 is not called while HasAVX2 is false.
func HeadAVX2(string) (odd, slash uint64) { return 0, 0 }
