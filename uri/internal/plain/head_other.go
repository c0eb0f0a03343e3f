//go:build !amd64

package plain

// There is no kernel for this processor.
var HasAVX2 = false

func HeadAVX2(string) (odd, slash uint64) { return 0, 0 }
