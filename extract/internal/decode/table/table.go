package table

import (
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A Decoder is a [decode.Decoder] from a table to text, as the package comment describes.
type Decoder struct {
	// Delimiter separates the cells of a row. If it is 0, the first rows decide it.
	// Guessed says that the table was recognised only by its first rows, so that it may
	// end. Change both only before the first Decode.
	Delimiter byte
	Guessed   bool

	delim  byte // the delimiter in use; 0 until it is known
	state  state
	closed bool  // the cell had quotation marks around it
	pos    int64 // offset of src[0] in the input

	quoted quoted // the cell in quotation marks
	rows   rowCounts
	warned [2]bool // warnings that were given: about a quotation mark, about the end of the table
	warn   *damage.Damage
}

// A state is what the next byte belongs to.
type state uint8

const (
	atCell   state = iota // the first byte of a cell
	inCell                // a cell without quotation marks, or the rest after the closing one
	inQuoted              // a cell in quotation marks
	inProse               // text after the table
)

// Reset implements [decode.Decoder].
func (d *Decoder) Reset() {
	*d = Decoder{Delimiter: d.Delimiter, Guessed: d.Guessed, delim: d.Delimiter, rows: rowCounts{blank: true}}
}

// What replaces the ends of cells in the text: the information separators of ASCII. A
// control character ends every reference and every wrapper.
const (
	endOfCell = 0x1F
	endOfRow  = 0x1E
)

// Decode implements [decode.Decoder]. Text and table have equal lengths except for pairs
// of marks, so most Conversions are long, and the Map needs few mappings. Each iteration converts a
// byte or is the last.
func (d *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if d.delim == 0 {
		if d.delim = guess(src[:min(len(src), decode.MaxAhead)], atEOF || len(src) >= decode.MaxAhead); d.delim == 0 {
			return decode.Conversion{}, nil
		}
	}
	n, most := 0, min(len(dst), len(src))
	for n < most && d.warn == nil {
		stop := [2]byte{d.delim, '\n'}
		switch d.state {
		case atCell:
			d.state = inCell
			if src[n] == '"' {
				dst[n] = '\n' // no other cell is on the same line in front of a quoted cell
				d.state, d.rows.blank = inQuoted, false
				n++
				continue
			}
		case inQuoted:
			stop[0] = '"'
		}
		k := octet.CopyToEither(dst[n:most], src[n:most], stop)
		d.rows.blank = d.rows.blank && (k == 0 || k == 1 && src[n] == '\r')
		if n += k; n == most {
			break
		}
		taken := 1
		switch {
		case d.state == inQuoted && src[n] == '"':
			if taken = d.mark(dst[n:most], src[n:], n == 0, atEOF); taken < 0 {
				d.pos += 2
				return decode.Conversion{In: 2, Out: 1, InUnit: 2, OutUnit: 1}, nil
			}
		case d.state == inQuoted:
			taken = d.lineInCell(dst[n:], src[n:], n, atEOF)
		case src[n] == '\n':
			dst[n] = d.endRow(d.closed)
			d.closed = false
		default:
			dst[n] = d.endCell()
		}
		if n += taken; taken == 0 {
			break
		}
	}
	d.pos += int64(n)
	conv := decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
	if err := d.warn; err != nil {
		d.warn = nil
		err.Offset = int64(n)
		return conv, err
	}
	return conv, nil
}

// endCell is called at a delimiter that ends a cell. It returns the replacement.
func (d *Decoder) endCell() byte {
	d.closed = false
	d.rows.cells++
	d.rows.blank = false
	if d.state == inProse {
		return d.delim
	}
	d.state = atCell
	return endOfCell
}

// endRow is endCell for a line feed. quoted says that the last cell was quoted.
func (d *Decoder) endRow(quoted bool) byte {
	prose, lone := d.state == inProse, d.rows.cells == 0
	switch d.rows.endRow(d.Guessed, prose) {
	case leaves:
		d.state = inProse
		d.report(1, "the table ends, and is read as running text from here on")
		return endOfRow
	case returns:
		d.state = atCell
		return endOfRow
	}
	if prose {
		return '\n'
	}
	d.state = atCell
	if lone && !quoted && d.Guessed {
		return '\n' // a line without a delimiter may be a sentence that continues on the next line
	}
	return endOfRow
}

// mark is called at a quotation mark in a quoted cell. The mark closes the cell, or is text, or
// is the first mark of a pair. mark returns the number of bytes converted, or -1 for the first
// mark of a pair. It returns 0 to be called again: with more source, or, if first is false,
// with the mark at the beginning of src.
func (d *Decoder) mark(dst, src []byte, first, atEOF bool) int {
	dst[0] = endOfCell
	if len(src) == 1 {
		if atEOF {
			return 1
		}
		return 0
	}
	switch c := src[1]; {
	case c == '"' && !first:
		return 0
	case c == '"':
		dst[0] = '"'
		return -1
	case c == d.delim, c == '\n':
		d.state = inCell
		d.closed = true
		return 1
	case c == '\r' && (len(src) > 2 && src[2] == '\n' || len(src) == 2 && atEOF):
		d.state = inCell
		d.closed = true
		return 1
	case c == '\r' && len(src) == 2:
		return 0
	}
	dst[0] = '"'
	return 1
}

// lineInCell is called at the line feed src[0] in a quoted cell, n bytes after d.pos. It
// returns how many bytes it has converted, or 0 if it needs more source.
func (d *Decoder) lineInCell(dst, src []byte, n int, atEOF bool) int {
	dst[0] = '\n'
	at := d.pos + int64(n)
	if at >= d.quoted.open {
		switch d.quoted.isOpen(src, at, d.delim, d.rows.want, atEOF) {
		case needMore:
			return 0
		case isClosed:
			d.report(0, "a quotation mark that is not closed")
			dst[0] = d.endRow(false)
		}
	}
	return 1
}

// report makes Decode return a warning, once for each kind.
func (d *Decoder) report(kind int, what string) {
	if d.warned[kind] {
		return
	}
	d.warned[kind] = true
	d.warn = damage.Skipped(damage.StageTable, 0, what)
}
