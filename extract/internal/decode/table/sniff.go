package table

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// What the first bytes of a text say of it. The rule is strict, since a table read as text
// loses less than a text read as a table. It was made with tables and other text of many
// kinds: access logs have as many commas in each line, but a blank follows them.

// delimiters are the bytes that may separate cells.
const delimiters = ",;\t|"

// Bounds of the rule.
const (
	minRows    = 4
	minColumns = 4  // of a table without a header
	maxName    = 40 // characters of a cell of the header
	maxBlank   = 3  // of ten commas or semicolons that a blank follows
)

// A sample is what the first rows say of one delimiter.
type sample struct {
	delim    byte
	rows     int  // that are complete
	cells    int  // of each of them
	header   bool // the first row may be a header
	all      int  // delimiters
	blank    int  // of them, that a blank follows
	no       bool // rows differ, or a quotation mark is out of place
	names    [][]byte
	trailing bool // empty lines, after which no row may come
}

// Sniff returns the delimiter of the table that head is the beginning of, or 0 if it is
// none. whole says that no more will be seen. wait says that more bytes may change the
// answer.
func Sniff(head []byte, whole bool) (delimiter byte, wait bool) {
	columns := 0
	for i := range len(delimiters) {
		s := sample{delim: delimiters[i]}
		s.read(head)
		if s.no {
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

// isTable reports whether s, whose rows have the same number of cells, is of a table.
func (s *sample) isTable() bool {
	if s.rows < minRows || s.cells < 2 || !s.header && s.cells < minColumns {
		return false
	}
	return s.delim == '\t' || s.delim == '|' || 10*s.blank <= maxBlank*s.all
}

// read reads rows of head up to one that no table of this delimiter has. Each iteration
// takes a cell.
func (s *sample) read(head []byte) {
	s.header = true
	row := 0 // cells of the present one
	for at := 0; at < len(head) && !s.no; {
		if row == 0 && s.emptyLine(head[at:]) {
			s.trailing = true
			at += 1 + bytes.IndexByte(head[at:], '\n')
			continue
		}
		cell, n, end, ok := cellOf(head[at:], s.delim)
		s.no = !ok || s.trailing || s.rows == 0 && bytes.IndexByte(cell, 0) >= 0
		if s.no {
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
			s.name(cell)
		}
		if end == s.delim {
			s.all++
			if head[at] == ' ' {
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

// partial is called where head ends in the row'th cell of a row, which may go on.
func (s *sample) partial(row int) {
	switch {
	case s.rows == 0:
	case row > s.cells:
		s.no = true
	case row == s.cells:
		s.rows++
	}
}

// endRow is called after each row.
func (s *sample) endRow(row int) {
	if s.rows++; s.rows == 1 {
		s.cells = row
		s.names = nil
		s.no = row < 2 || row < minColumns && !s.header
		return
	}
	s.no = row != s.cells
}

// name is called for each cell of the first row: whether it may be the name of a column.
func (s *sample) name(cell []byte) {
	r, _ := utf8.DecodeRune(cell)
	if !s.header || !unicode.IsLetter(r) || utf8.RuneCount(cell) > maxName {
		s.header = false
		return
	}
	for _, n := range s.names { // at most 4 KiB of names in all
		if bytes.Equal(n, cell) {
			s.header = false
			return
		}
	}
	s.names = append(s.names, cell)
}

// cellOf returns the cell that b begins with, without the quotation marks around it, and
// the number of bytes up to the end of its delimiter or line end, and which of these ends
// it, 0 if b does. ok is false if what follows a closing mark is neither.
func cellOf(b []byte, delim byte) (cell []byte, n int, end byte, ok bool) {
	if b[0] == '"' {
		for n = 1; ; n += 2 { // a pair of marks each time
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

// guess returns the delimiter of a text that is said to be a table, 0 if more bytes are
// needed and whole is false: the one of which the first rows have the same number most
// often, and then the one of which they have most.
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

// rowsOf counts line ends up to minRows that are in no quotation marks.
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

// fits returns how many of the first minRows rows have as many cells as the first one,
// and how many that is; 0 if it is one.
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
