//go:build !amd64

package decode

// Other processors have no kernel.
var hasAVX2 = false

func newlinesAVX2([]byte, int64, []int64) int { return 0 }
