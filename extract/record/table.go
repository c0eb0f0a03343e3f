package record

import (
	"strconv"
	"unicode/utf8"
)

// A Table says how the cells of a table are written. The zero Table writes CSV.
//
// In CSV a cell is quoted, as RFC 4180 has it, if it holds a quote, a comma or a line end,
// or begins or ends with a space. In TSV a tab, a line end and a backslash are written
// \t, \n, \r and \\, so that a line is a record and a tab always separates two cells. In both,
// bytes that are not UTF-8, and NUL, which databases reject, become U+FFFD.
type Table struct {
	Tabs bool // TSV

	// Guard puts an apostrophe in front of a cell that a spreadsheet would run as a
	// formula: a cell that begins with =, +, -, @, their wide forms, a tab or a line end.
	//
	// TSV has no quotes, but many programs that read TSV interpret some, and some programs skip
	// spaces at the beginning of a cell. So in TSV spaces do not count, and a cell that begins
	// with a quote gets an apostrophe too.
	//
	// A formula within a cell gets an apostrophe if it follows a character at which some
	// programs, as Python's splitlines, divide lines: VT, FF, FS, GS, RS, U+0085, U+2028
	// and U+2029. A cell of CSV with one of these is quoted.
	Guard bool

	// Visible makes cells safe for a terminal, by [AppendVisible].
	Visible bool

	scratch, guarded []byte // memory that AppendCell uses again
}

// Separator returns what separates two cells.
func (t *Table) Separator() byte {
	if t.Tabs {
		return '\t'
	}
	return ','
}

// AppendCell appends cell to dst and returns the grown slice. The caller appends separators
// and line ends. AppendCell does not keep cell, which must not overlap dst. Only one goroutine at a
// time may call it.
func (t *Table) AppendCell(dst, cell []byte) []byte {
	guarded, broken := false, false
	if t.Guard && len(cell) > 0 {
		guarded = formula(cell, t.Tabs)
		cell, broken = t.guardLines(cell)
	}
	if t.Visible {
		t.scratch = AppendVisible(t.scratch[:0], cell)
		cell = t.scratch
	}
	if t.Tabs {
		if guarded {
			dst = append(dst, '\'')
		}
		return appendText(dst, cell, &inColumns)
	}
	return appendCSV(dst, cell, guarded, broken)
}

// appendCSV appends cell, after an apostrophe if guarded is set. It quotes the cell if that
// is needed or quoted is set. In quotes only a quote has a meaning, and two of them stand
// for one.
func appendCSV(dst, cell []byte, guarded, quoted bool) []byte {
	var all csvClass
	for _, b := range cell {
		all |= csvClasses[b]
	}
	quoted = quoted || all&needsQuotes != 0 || len(cell) > 0 && (cell[0] == ' ' && !guarded || cell[len(cell)-1] == ' ')
	if quoted {
		dst = append(dst, '"')
	}
	if guarded {
		dst = append(dst, '\'')
	}
	if all&notPlain != 0 {
		dst = appendText(dst, cell, &inQuotes)
	} else {
		dst = append(dst, cell...)
	}
	if quoted {
		dst = append(dst, '"')
	}
	return dst
}

// A csvClass says what a byte means for a cell of CSV.
type csvClass uint8

const (
	needsQuotes csvClass = 1 << iota // a cell with this byte must be quoted
	notPlain                         // appendText writes a cell with this byte
)

var csvClasses = func() (classes [256]csvClass) {
	for b := range classes {
		if !plain[b] {
			classes[b] = notPlain
		}
	}
	for _, b := range []byte("\",\n\r") {
		classes[b] |= needsQuotes
	}
	return classes
}()

// plainLen returns how many bytes at the beginning of cell stand for
// themselves in both kinds of table.
func plainLen(cell []byte) (n int) {
	for n < len(cell) && plain[cell[n]] {
		n++
	}
	return n
}

// appendText appends cell. It replaces a byte b by other[b], if that is not empty, and bytes that
// are not UTF-8 by U+FFFD.
func appendText(dst, cell []byte, other *[256]string) []byte {
	for len(cell) > 0 {
		if n := plainLen(cell); n > 0 {
			dst = append(dst, cell[:n]...)
			cell = cell[n:]
			continue
		}
		n, _ := visible(cell)
		switch s := other[cell[0]]; {
		case s != "":
			dst = append(dst, s...)
		case n == 1 && cell[0] >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
		default:
			dst = append(dst, cell[:n]...)
		}
		cell = cell[n:]
	}
	return dst
}

// The replacements of bytes in quoted cells of CSV, and in cells of TSV, where these bytes
// would end the cell. Other control characters are unchanged, since they separate nothing.
// Databases reject NUL.
var (
	inQuotes  = [256]string{0: "\uFFFD", '"': `""`}
	inColumns = [256]string{0: "\uFFFD", '\t': `\t`, '\n': `\n`, '\r': `\r`, '\\': `\\`}
)

// A tableWriter appends the cells of one kind of table.
type tableWriter struct {
	table Table
	cell  []byte // memory for a cell before it is escaped
}

// syntax returns the syntax of the table: each record is a row. end is its last byte.
func (t *tableWriter) syntax(end byte) syntax {
	separator := string(rune(t.table.Separator()))
	return syntax{separator: separator, absent: separator, end: string(rune(end)), comma: !t.table.Tabs, guard: t.table.Guard, field: t.appendCell}
}

// appendCell appends the cell of f and a separator.
func (t *tableWriter) appendCell(dst []byte, v *view, f *Field) []byte {
	if f.integer != nil || f.truth != nil { // nothing in them is quoted or guarded
		dst = appendValue(dst, v, f)
	} else {
		t.cell = appendValue(t.cell[:0], v, f)
		dst = t.table.AppendCell(dst, t.cell)
	}
	return append(dst, t.table.Separator())
}

// appendValue appends the value of f for a cell, or nothing if it is absent.
func appendValue(dst []byte, v *view, f *Field) []byte {
	switch {
	case f.bytes != nil:
		dst = append(dst, f.bytes(v)...)
	case f.text != nil:
		dst = append(dst, f.text(v)...)
	case f.integer != nil:
		if n := f.integer(v); n != 0 || f.Always {
			dst = strconv.AppendInt(dst, n, 10)
		}
	case f.truth != nil:
		if b := f.truth(v); b || f.Always {
			dst = strconv.AppendBool(dst, b)
		}
	case f.list != nil:
		for i, s := range f.list(v) {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, s...)
		}
	case f.readings != nil:
		for i, r := range f.readings(v) {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, r.reason...)
			dst = append(dst, '=')
			dst = append(dst, v.readings.made[r.start:r.end]...)
		}
	}
	return dst
}

// guardLines returns cell with an apostrophe in front of each formula that follows one of
// lineEnds. broken reports whether cell has any of lineEnds. guarded is cell itself, or is
// valid until the next call.
func (t *Table) guardLines(cell []byte) (guarded []byte, broken bool) {
	done := 0 // cell[:done] was copied
	for i := 0; i < len(cell); i++ {
		if !beginsLineEnd[cell[i]] {
			continue
		}
		n := lineEnd(cell[i:])
		if n == 0 {
			continue
		}
		broken = true
		i += n - 1
		if end := i + 1; formula(cell[end:], true) {
			if done == 0 {
				t.guarded = t.guarded[:0]
			}
			t.guarded = append(append(t.guarded, cell[done:end]...), '\'')
			done = end
		}
	}
	if done == 0 {
		return cell, broken
	}
	t.guarded = append(t.guarded, cell[done:]...)
	return t.guarded, broken
}
