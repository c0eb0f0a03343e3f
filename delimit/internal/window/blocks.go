package window

import "github.com/urlsift/urlsift/delimit/internal/lex"

const (
	// BlockLen is the number of bytes in a block. Each byte has a bit in a uint64.
	BlockLen = 64

	// PieceLen is the size of a piece. A piece stays in the nearest cache between the
	// passes, and until its colons are examined.
	PieceLen    = pieceBlocks * BlockLen
	pieceBlocks = 192

	// How far NarrowBlocks examines text, counted from the beginning of a block: back by
	// the length of the longest scheme, and ahead to lex.MaxLead bytes after the byte that
	// follows the block.
	blockBefore = lex.MaxScheme
	blockAfter  = BlockLen + 2 + lex.MaxLead
)

// colons are the colons of a piece that were not examined yet: those of the blocks from Next up
// to, but not including, N. A mask has one bit for each of the 64 bytes of a block, the lowest
// for the first byte.
type colons struct {
	Next, N int
	At      [pieceBlocks + 1]uint32 // offset of each block in the piece
	Masks   [pieceBlocks + 1]uint64
}

// A LineBlock describes a block of a piece: a bit for each newline in it, the number of
// newlines in the piece in front of it, and the offset in the piece of the line in
// which the block begins. The offset is 0 if that line begins in front of the piece.
type LineBlock struct {
	Mask          uint64
	Before, Start uint32
}
