//go:build !amd64

package delimit

// Elsewhere there are no kernels, and all is done in Go.
var hasAVX2 = false

func colonBlocksAVX2([]byte, []block) (n, newlines int)                     { return 0, 0 }
func narrowBlocksAVX2(_ []byte, _ int, blocks []block, _ *endingTables) int { return len(blocks) }
func classPrefixAVX2([]byte, *[2][16]byte) int                              { return 0 }
