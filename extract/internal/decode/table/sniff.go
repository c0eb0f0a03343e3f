package table

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// This file recognises a table by the first bytes of a text. The rule is strict, because a table
// that is read as text loses less than a text that is read as a table. The rule was tested with
// tables and many other kinds of text. Access logs, for example, have as many commas in each line,
// but a blank follows each of them.

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

// read reads rows of head, up to the first that cannot be a row with this delimiter. Each
// iteration reads a cell.
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
	for at := 0; at < len(before); { // at most 4 KiB; each iteration takes a cell
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
		for n = 1; ; n += 2 { // one pair of marks in each iteration
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
