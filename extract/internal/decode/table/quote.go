package table

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// This file decides whether a quoted cell is still open at a line break. A mark that is
// never closed would make one cell of everything that follows. So the text after the line
// break is examined up to the next mark that is not one of a pair, at most 4 KiB:
//
//   - A mark followed by a delimiter or a line end closes the cell: the cell is open here.
//   - A mark that opens a cell (a delimiter or line break is directly in front of it, and
//     neither follows it) shows that the earlier cell was never closed.
//   - Lines that, read as rows, have as many cells as the table show this too.
//   - The end of the input shows this too.
//
// The offset of what was examined is stored, so that a cell of many lines is examined
// only twice.

// A quoted is how far the quoted cell was examined.
type quoted struct {
	open int64 // up to this offset the cell is known to be open
	seen int64 // up to this offset the marks in it were examined
}

// A cellState is whether a quoted cell is open.
type cellState uint8

const (
	isOpen cellState = iota
	isClosed
	needMore
)

// isOpen decides whether the cell continues after the line feed src[0], whose offset is at. The
// cells of the table are separated by delim, and want is the number of delimiters in a row. It sets
// q.open to the offset where this has to be decided again. It iterates over quotation marks within
// decode.MaxAhead bytes.
func (q *quoted) isOpen(src []byte, at int64, delim byte, want int, atEOF bool) cellState {
	whole := atEOF && len(src) <= decode.MaxAhead
	b := src[:min(len(src), decode.MaxAhead)]
	full := len(b) == decode.MaxAhead
	i := max(1, int(q.seen-at))
	for i < len(b) {
		k := bytes.IndexByte(b[i:], '"')
		if k < 0 {
			i = len(b)
			break
		}
		if i += k; i+1 == len(b) && !whole { // what follows is not known yet
			break
		}
		switch next := after(b, i); {
		case next == '"':
			i += 2
		case next == delim || next == '\n':
			q.open = at + int64(i)
			return isOpen
		case b[i-1] == delim || b[i-1] == '\n':
			return isClosed
		default:
			i++
		}
	}
	q.seen = at + int64(i)
	if !full && !whole {
		return needMore
	}
	if whole || areRows(b[1:], delim, want) {
		return isClosed
	}
	return isOpen // decide again at the next line break: rows may follow it
}

// after returns the byte after b[i]. It returns '\n' for every kind of line end and at
// the end.
func after(b []byte, i int) byte {
	switch {
	case i+1 == len(b):
		return '\n'
	case b[i+1] == '\r' && (i+2 == len(b) || b[i+2] == '\n'):
		return '\n'
	}
	return b[i+1]
}

// areRows reports whether the complete lines at the beginning of b are rows of the table.
// b has no mark that is not one of a pair. If rows have few cells, more rows are
// required, since lines of prose may have as many commas.
func areRows(b []byte, delim byte, want int) bool {
	need := 1
	if want < 5 {
		need = 2 + max(0, 3-want)
	}
	for range need {
		n := bytes.IndexByte(b, '\n')
		if n < 0 || want == 0 || bytes.Count(b[:n], []byte{delim}) != want {
			return false
		}
		b = b[n+1:]
	}
	return true
}
