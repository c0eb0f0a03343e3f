package table

import (
	"bytes"
	"unicode"
	"unicode/utf8"

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

// Decode implements [decode.Decoder]. Text and table have equal lengths except for pairs of marks,
// so most Conversions are long, and the Map needs few mappings.
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

// A quoted cell may still be open at a line break. A mark that is never closed would make
// one cell of everything that follows. So the text after the line break is examined up to
// the next mark that is not one of a pair, at most 4 KiB:
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

// Rows may cease to fit the table. A file may begin with a table and continue with prose,
// in which a comma may be part of a reference.

// rowCounts count rows and their cells.
type rowCounts struct {
	cells   int  // delimiters in the current row
	blank   bool // the current row is empty
	want    int  // delimiters that rows should have; 0 before the first row
	last    int  // delimiters in the previous row
	equal   int  // how many consecutive rows had that many
	misfits int  // rows that do not fit, minus those that do, at least 0
	fits    int  // consecutive rows that fit
}

// Bounds of rowCounts.
const (
	endTable  = 5 // a table ends when misfits reaches this number
	newTable  = 4 // it begins again after this many consecutive rows that fit
	newNumber = 3 // this many consecutive rows with equally many cells set the number of cells of the table
)

// A turn says how the rows after the end of a row are read.
type turn uint8

const (
	stays   turn = iota
	leaves       // text follows
	returns      // the table continues
)

// endRow is called at the end of each row, and in prose at the end of each line. It says
// how to read what follows. guessed says that the table may end.
func (s *rowCounts) endRow(guessed, prose bool) turn {
	n, blank := s.cells, s.blank
	s.cells, s.blank = 0, true
	if blank {
		return stays
	}
	if n == s.last {
		s.equal++
	} else {
		s.last, s.equal = n, 1
	}
	if s.want == 0 || n > 0 && s.equal >= newNumber && !prose {
		s.want = n
	}
	if n == s.want && n > 0 {
		s.fits++
		s.misfits = max(0, s.misfits-1)
	} else {
		s.fits = 0
		s.misfits++
	}
	switch {
	case !prose && guessed && s.misfits >= endTable:
		return leaves
	case prose && s.fits >= newTable:
		s.misfits = 0
		return returns
	}
	return stays
}

// A table is recognised by the first bytes of a text. The rule is strict, because a table that is
// read as text loses less than a text that is read as a table. The rule was tested with tables and
// many other kinds of text. Access logs, for example, have as many commas in each line, but a
// blank follows each of them.

// delimiters are the bytes that may separate cells.
const delimiters = ",;\t|"

// Bounds of the rule.
const (
	minRows    = 4
	minColumns = 4  // columns of a table without a header
	maxName    = 40 // characters in a cell of the header
	maxBlank   = 3  // of ten commas or semicolons, how many may be followed by a blank
)

// A sample is what was counted in the first rows for one delimiter.
type sample struct {
	delim    byte
	rows     int  // complete rows
	cells    int  // cells in each row
	header   bool // the first row may be a header
	unnamed  bool // the first row's first cell is empty and has no quotation marks
	all      int  // number of delimiters
	blank    int  // delimiters that are followed by a blank
	rejected bool // rows differ, or a quotation mark is in the wrong place
	trailing bool // empty lines: no row may follow
}

// Sniff returns the delimiter of the table that begins with head, or 0 if head is not the
// beginning of a table. whole says that head is all there is. wait reports that more
// bytes may change the answer.
func Sniff(head []byte, whole bool) (delimiter byte, wait bool) {
	columns := 0
	for i := range len(delimiters) {
		s := sample{delim: delimiters[i]}
		s.read(head)
		if s.rejected {
			continue
		}
		if !whole {
			wait = true
			continue
		}
		if s.isTable() && s.cells > columns {
			delimiter, columns = s.delim, s.cells
		}
	}
	return delimiter, wait
}

// isTable reports whether the rows of s, which all have the same number of cells, are a
// table.
func (s *sample) isTable() bool {
	if s.rows < minRows || s.cells < 2 || !s.header && s.cells < minColumns {
		return false
	}
	return s.delim == '\t' || s.delim == '|' || 10*s.blank <= maxBlank*s.all
}

// read reads rows of head, up to the first that cannot be a row with this delimiter.
func (s *sample) read(head []byte) {
	s.header = true
	row := 0 // cells in the current row
	for at := 0; at < len(head) && !s.rejected; {
		if row == 0 && s.emptyLine(head[at:]) {
			s.trailing = true
			at += 1 + bytes.IndexByte(head[at:], '\n')
			continue
		}
		cell, n, end, ok := cellOf(head[at:], s.delim)
		s.rejected = !ok || s.trailing || s.rows == 0 && bytes.IndexByte(cell, 0) >= 0
		if s.rejected {
			return
		}
		row++
		if at += n; end == 0 || end == s.delim && at == len(head) {
			if end != 0 {
				row++
			}
			s.partial(row)
			return
		}
		if s.rows == 0 {
			s.name(head[:at-n], cell, head[at-n] == '"')
		}
		if end == s.delim {
			s.all++
			if c := head[at]; c == ' ' || c == '\t' {
				s.blank++
			}
			continue
		}
		s.endRow(row)
		row = 0
	}
}

// emptyLine reports whether b begins with an empty line.
func (s *sample) emptyLine(b []byte) bool {
	return b[0] == '\n' || b[0] == '\r' && len(b) > 1 && b[1] == '\n'
}

// partial is called if head ends within a row, in cell number row.
func (s *sample) partial(row int) {
	switch {
	case s.rows == 0:
	case row > s.cells:
		s.rejected = true
	case row == s.cells:
		s.rows++
	}
}

// endRow is called after each row.
func (s *sample) endRow(row int) {
	if s.rows++; s.rows == 1 {
		s.cells = row
		s.header = s.header && (row > 2 || !s.unnamed)
		s.rejected = row < 2 || row < minColumns && !s.header
		return
	}
	s.rejected = row != s.cells
}

// name examines a cell of the first row, which may be the name of a column. R ("","x") and
// pandas (,x,y) give no name to the first column, which has the names of rows. before is
// the row in front of the cell. Its cells are read again for each cell: a header has few
// cells, and storing them would cost more.
func (s *sample) name(before, cell []byte, quoted bool) {
	if len(before) == 0 && len(cell) == 0 {
		s.unnamed = !quoted
		return
	}
	r, _ := utf8.DecodeRune(cell)
	if !s.header || !unicode.IsLetter(r) || utf8.RuneCount(cell) > maxName {
		s.header = false
		return
	}
	for at := 0; at < len(before); { // at most 4 KiB
		other, n, _, _ := cellOf(before[at:], s.delim)
		if at += n; bytes.Equal(other, cell) {
			s.header = false
			return
		}
	}
}

// cellOf returns the cell at the beginning of b without its quotation marks, the number
// of bytes up to and including its delimiter or line end, and the byte that ends it (0 at
// the end of b). ok is false if anything else follows a closing mark.
func cellOf(b []byte, delim byte) (cell []byte, n int, end byte, ok bool) {
	if b[0] == '"' {
		for n = 1; ; n += 2 {
			k := -1
			if n < len(b) {
				k = bytes.IndexByte(b[n:], '"')
			}
			if k < 0 {
				return b[1:], len(b), 0, true
			}
			if n += k; n+1 == len(b) || b[n+1] != '"' {
				break
			}
		}
		cell = b[1:n]
		if n++; n < len(b) && b[n] == '\r' {
			n++
		}
	} else {
		for n < len(b) && b[n] != delim && b[n] != '\n' {
			n++
		}
		cell = bytes.TrimSuffix(b[:n], []byte("\r"))
	}
	if n == len(b) {
		return cell, n, 0, true
	}
	return cell, n + 1, b[n], b[n] == delim || b[n] == '\n'
}

// guess returns the delimiter of a text that is declared to be a table. It is the one that
// occurs equally often in most of the first rows; of several such, the most frequent. guess
// returns 0 if more bytes are needed and whole is false.
func guess(head []byte, whole bool) byte {
	if !whole && rowsOf(head) < minRows {
		return 0
	}
	best, bestFit, bestCells := byte(','), 0, 0
	for i := range len(delimiters) {
		if fit, cells := fits(head, delimiters[i]); fit > bestFit || fit == bestFit && cells > bestCells {
			best, bestFit, bestCells = delimiters[i], fit, cells
		}
	}
	return best
}

// rowsOf counts line ends outside of quotation marks, up to minRows.
func rowsOf(head []byte) (rows int) {
	quoted := false
	for _, c := range head {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			if rows++; rows == minRows {
				return rows
			}
		}
	}
	return rows
}

// fits returns how many of the first minRows rows have as many cells as the first row,
// and that number of cells; or 0 if that row has one cell.
func fits(head []byte, delim byte) (rows, cells int) {
	row, first := 0, 0
	for at, read := 0, 0; at < len(head) && read < minRows; {
		_, n, end, _ := cellOf(head[at:], delim)
		at += n
		if row++; end == delim {
			continue
		}
		if read++; first == 0 {
			first = row
		}
		if row == first && first > 1 {
			rows++
		}
		row = 0
	}
	return rows, first
}
