//go:build !amd64

package delimit

// hasAVX2 is false: there are no kernels for this processor, and Go code does everything.
var hasAVX2 = false

func colonBlocksAVX2([]byte, []uint32) (n, newlines int)                          { return 0, 0 }
func blockMasksAVX2(*[blockLen]byte) (colons, newlines uint64)                    { return 0, 0 }
func narrowBlocksAVX2([]byte, int, []uint32, []uint64, *endingTables) int         { return 0 }
func scanUntilAVX2(_ []byte, i int, _ *stopTable) (end int, checks check)         { return i, 0 }
func lineBlocksAVX2([]byte, *[pieceBlocks + 1]lineBlock) (newlines, start uint32) { return 0, 0 }
