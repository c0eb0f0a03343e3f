package main

import (
	"strconv"

	"github.com/urlsift/urlsift/extract"
)

// A tablePrinter prints each result as a line of a table, CSV or TSV, under a
// line with the fields' names. What is absent from a record is an empty cell.
// The members of a list are parted by spaces; a reading is reason=text. Cells
// are UTF-8: bytes that are none become U+FFFD.
//
// In CSV a cell is quoted, as RFC 4180 has it, if it holds a quote, a comma, a
// line's end, or a space at an end. In TSV a tab, a line's end and a backslash
// are written \t, \n, \r and \\, so that a line is a record and a tab parts two
// cells, whatever they hold.
type tablePrinter struct {
	record
	end   byte
	tabs  bool // TSV
	safe  bool // for a terminal
	guard bool // against formulas
	cell  []byte
}

// header returns the line of the fields' names.
func (p *tablePrinter) header() []byte {
	var dst []byte
	for i := range fields {
		dst = append(dst, fields[i].name...)
		dst = append(dst, p.between(i))
	}
	return dst
}

// between returns what stands behind the cell of field i.
func (p *tablePrinter) between(i int) byte {
	switch {
	case i == len(fields)-1:
		return p.end
	case p.tabs:
		return '\t'
	}
	return ','
}

// append appends the line of r. Each cell is made in the printer's own memory and
// then copied with what its kind of table needs.
func (p *tablePrinter) append(dst []byte, r *extract.Result) []byte {
	p.fill(r)
	for i := range fields {
		p.cell = p.appendValue(p.cell[:0], &fields[i])
		if p.guard {
			p.cell = guarded(p.cell, p.tabs)
		}
		cell := p.cell
		if p.safe {
			p.cell = appendVisible(p.cell, cell)
			cell = p.cell[len(cell):]
		}
		if p.tabs {
			dst = appendTSV(dst, cell)
		} else {
			dst = appendCSV(dst, cell)
		}
		dst = append(dst, p.between(i))
	}
	return dst
}

// appendValue appends the value of f as it is, or nothing if it is absent.
func (p *tablePrinter) appendValue(dst []byte, f *field) []byte {
	switch {
	case f.bytes != nil:
		dst = append(dst, f.bytes(&p.record)...)
	case f.text != nil:
		dst = append(dst, f.text(&p.record)...)
	case f.number != nil:
		if n := f.number(&p.record); n != 0 || f.always {
			dst = strconv.AppendInt(dst, n, 10)
		}
	case f.truth != nil:
		if b := f.truth(&p.record); b || f.always {
			dst = strconv.AppendBool(dst, b)
		}
	case f.list != nil:
		for i, s := range f.list(&p.record) {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, s...)
		}
	case f.pairs != nil:
		for i, r := range f.pairs(&p.record) {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, r.reason...)
			dst = append(dst, '=')
			dst = append(dst, p.made[r.lo:r.hi]...)
		}
	}
	return dst
}

// appendCSV appends cell, quoted if it has to be. In quotes only a quote means
// something, and two of them stand for one.
func appendCSV(dst, cell []byte) []byte {
	quoted := len(cell) > 0 && (cell[0] == ' ' || cell[len(cell)-1] == ' ')
	for i := 0; i < len(cell) && !quoted; i++ {
		quoted = inQuotes[cell[i]]
	}
	if quoted {
		dst = append(dst, '"')
	}
	for len(cell) > 0 { // a run, or a character behind one, a turn
		if n := plainRun(cell); n > 0 {
			dst = append(dst, cell[:n]...)
			cell = cell[n:]
			continue
		}
		n, _ := visible(cell)
		switch {
		case n == 1 && cell[0] >= 0x80:
			dst = append(dst, "\uFFFD"...)
		case cell[0] == '"':
			dst = append(dst, '"', '"')
		default:
			dst = append(dst, cell[:n]...)
		}
		cell = cell[n:]
	}
	if quoted {
		dst = append(dst, '"')
	}
	return dst
}

// inQuotes tells which bytes a cell of CSV has in quotes only.
var inQuotes = [256]bool{'"': true, ',': true, '\n': true, '\r': true}

// plainRun returns the length of the run that cell begins with of bytes that stand
// for themselves in both kinds of table.
func plainRun(cell []byte) (n int) {
	for n < len(cell) && plain[cell[n]] {
		n++
	}
	return n
}

// appendTSV appends cell with escapes for what would end it. Other control
// characters stay, since they part nothing.
func appendTSV(dst, cell []byte) []byte {
	for len(cell) > 0 { // a run, or a character behind one, a turn
		if n := plainRun(cell); n > 0 {
			dst = append(dst, cell[:n]...)
			cell = cell[n:]
			continue
		}
		n, _ := visible(cell)
		switch {
		case n == 1 && cell[0] >= 0x80:
			dst = append(dst, "\uFFFD"...)
		case cell[0] == '\t':
			dst = append(dst, '\\', 't')
		case cell[0] == '\n':
			dst = append(dst, '\\', 'n')
		case cell[0] == '\r':
			dst = append(dst, '\\', 'r')
		case cell[0] == '\\':
			dst = append(dst, '\\', '\\')
		default:
			dst = append(dst, cell[:n]...)
		}
		cell = cell[n:]
	}
	return dst
}
