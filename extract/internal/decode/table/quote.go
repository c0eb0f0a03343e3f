package table

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// Whether a quoted cell is still open at a line break in it. A mark that nobody closed
// would make one cell of all that follows. So what follows the break is read up to the next
// mark that stands alone, 4 KiB at most:
//
//   - a mark that a delimiter or the end of a line follows closes the cell: it is open here;
//   - a mark that opens a cell (a delimiter or a line break stands directly in front of it,
//     and neither follows) shows that the cell before was not closed;
//   - rows of as many cells as the table has show the same, if they are read as rows;
//   - so does the end of the input.
//
// What was read is remembered, so that a cell of many lines is read twice, and not once
// for each line.

// lineInCell is called at a line feed in a quoted cell, src[0], n bytes after d.pos. It
// returns how many bytes it has turned, 0 to be called again with more source.
func (d *Decoder) lineInCell(dst, src []byte, n int, atEOF bool) int {
	dst[0] = '\n'
	at := d.pos + int64(n)
	if at >= d.open {
		switch d.isOpen(src, at, atEOF) {
		case needMore:
			return 0
		case isClosed:
			d.report(0, "a quotation mark that is not closed")
			dst[0] = d.endRow(false)
		}
	}
	return 1
}

type answer uint8

const (
	isOpen answer = iota
	isClosed
	needMore
)

// isOpen says whether the cell goes on after the line feed src[0], whose offset is at. It sets d.open to where
// that is to be asked again. Its loop is over quotation marks within decode.MaxAhead.
func (d *Decoder) isOpen(src []byte, at int64, atEOF bool) answer {
	whole := atEOF && len(src) <= decode.MaxAhead
	b := src[:min(len(src), decode.MaxAhead)]
	full := len(b) == decode.MaxAhead
	i := max(1, int(d.seen-at))
	for i < len(b) {
		k := bytes.IndexByte(b[i:], '"')
		if k < 0 {
			i = len(b)
			break
		}
		if i += k; i+1 == len(b) && !whole { // what follows is not known
			break
		}
		switch next := after(b, i); {
		case next == '"':
			i += 2
		case next == d.delim || next == '\n':
			d.open = at + int64(i)
			return isOpen
		case b[i-1] == d.delim || b[i-1] == '\n':
			return isClosed
		default:
			i++
		}
	}
	d.seen = at + int64(i)
	if !full && !whole {
		return needMore
	}
	if whole || d.areRows(b[1:]) {
		return isClosed
	}
	return isOpen // the next line break is asked about again: rows may follow it
}

// after returns what follows b[i]: '\n' for each kind of line end and for the end.
func after(b []byte, i int) byte {
	switch {
	case i+1 == len(b):
		return '\n'
	case b[i+1] == '\r' && (i+2 == len(b) || b[i+2] == '\n'):
		return '\n'
	}
	return b[i+1]
}

// areRows reports whether the complete lines at the beginning of b, which has no quotation
// mark that stands alone, are rows of the table: more of them are asked for where rows have
// few cells, since lines of prose may have as many.
func (d *Decoder) areRows(b []byte) bool {
	need := 1
	if d.shape.want < 5 {
		need = 2 + max(0, 3-d.shape.want)
	}
	for range need {
		n := bytes.IndexByte(b, '\n')
		if n < 0 || d.shape.want == 0 || bytes.Count(b[:n], []byte{d.delim}) != d.shape.want {
			return false
		}
		b = b[n+1:]
	}
	return true
}
