package record

import (
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract"
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

// A tabler makes the rows of one kind of table. As in JSON, the cells that most results share are copied as
// a whole (common.go, host.go).
type tabler struct {
	table   Table
	columns []Field
	refs    int           // how many columns are at the beginning: url and text, or one
	cells   []instruction // of the others: opHost, opCommon and opField
	cell    []byte        // memory for a cell before it is escaped
	end     byte          // the last byte of a row: '\n' or NUL
	messages
}

// init compiles columns.
func (t *tabler) init(table Table, columns []Field, end byte) {
	t.table, t.columns, t.end = table, columns, end
	if t.refs = min(1, len(columns)); begins(columns, "url", "text") {
		t.refs = 2
	}
	for rest := columns[t.refs:]; len(rest) > 0; {
		s, n := instruction{op: opField}, 1
		if begins(rest, hostFields...) {
			s.op, n = opHost, len(hostFields)
			s.hosts = newHosts(rest[:n:n], t.appendCell)
		} else if common, length := newCommon(rest, t.appendCell, string(t.table.Separator())); common != nil {
			s.op, s.common, n = opCommon, common, length
		}
		s.fields, rest = rest[:n], rest[n:]
		t.cells = append(t.cells, s)
	}
}

// header appends the line of the fields' names.
func (t *tabler) header(dst []byte) []byte {
	for i := range t.columns {
		if i > 0 {
			dst = append(dst, t.table.Separator())
		}
		dst = append(dst, t.columns[i].Name...)
	}
	return append(dst, t.end)
}

// row appends the line of r.
func (t *tabler) row(dst []byte, v *view, r *extract.Result) []byte {
	kind, packed := kindOf(r)
	if !packed || len(t.columns) == 0 {
		return t.byTable(dst, v, r)
	}
	v.of(r)
	start := len(dst)
	dst = t.appendFirst(dst, v)
	switch {
	case t.refs == 2 && urlIsText(r) && !v.redact:
		dst = append(append(dst, t.table.Separator()), dst[start:]...)
	case t.refs == 2:
		dst = t.appendCell(dst, v, &t.columns[1])
	}
	turn := t.next(r)
	for i := range t.cells {
		switch s := &t.cells[i]; s.op {
		case opHost:
			dst = s.hosts.appendTo(dst, v, r)
		case opCommon:
			dst = s.common.appendTo(dst, v, kind, turn, unusual(r))
		default:
			dst = t.appendCell(dst, v, &s.fields[0])
		}
	}
	return append(dst, t.end)
}

// byTable appends the line of r, made field by field.
func (t *tabler) byTable(dst []byte, v *view, r *extract.Result) []byte {
	v.of(r)
	for i := range t.columns {
		if i == 0 {
			dst = t.appendFirst(dst, v)
		} else {
			dst = t.appendCell(dst, v, &t.columns[i])
		}
	}
	return append(dst, t.end)
}

// appendFirst appends the first cell.
func (t *tabler) appendFirst(dst []byte, v *view) []byte {
	t.cell = appendValue(t.cell[:0], v, &t.columns[0])
	return t.table.AppendCell(dst, t.cell)
}

// appendCell appends a separator and the cell of f.
func (t *tabler) appendCell(dst []byte, v *view, f *Field) []byte {
	if dst = append(dst, t.table.Separator()); f.integer != nil || f.truth != nil { // nothing in them is quoted or guarded
		return appendValue(dst, v, f)
	}
	t.cell = appendValue(t.cell[:0], v, f)
	return t.table.AppendCell(dst, t.cell)
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
