package refs

import (
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract/record"
)

// A Printer makes records of answers.
type Printer struct {
	Do     Command
	Format output.Format
	Safe   bool // for a terminal, without control characters
	Guard  bool // in tables, cells are no formulas
	begun  bool // an answer was printed
	table  record.Table
	cell   []byte
}

// Header returns the line of the columns' names, if the format has one.
func (p *Printer) Header() []byte {
	if p.Format != output.CSV && p.Format != output.TSV {
		return nil
	}
	var dst []byte
	for i, name := range columns[p.Do] {
		dst = append(dst, name...)
		dst = append(dst, p.between(i))
	}
	return dst
}

// Append appends the record of a.
func (p *Printer) Append(dst []byte, a *Answer) []byte {
	first := !p.begun
	p.begun = true
	names := columns[p.Do]
	switch {
	case p.Format == output.JSONL:
		object := make(jsonObject, len(names))
		for i, name := range names {
			object[i] = jsonMember{name, a.values[i]}
		}
		return append(appendJSONValue(dst, object), '\n')
	case p.Format != output.Text:
		for i := range names {
			dst = p.appendCell(dst, a.values[i])
			dst = append(dst, p.between(i))
		}
		return dst
	case p.Do == Parse:
		if !first {
			dst = append(dst, '\n')
		}
		return appendReport(dst, a)
	}
	// A refused text may have any characters; the error follows after a tab.
	switch {
	case a.Fault != "":
		dst = append(record.AppendVisible(dst, a.ref), '\t')
		dst = record.AppendVisible(dst, a.Fault)
	case p.Safe:
		for line := range strings.Lines(a.line) { // an answer of wrap may have several lines
			text, isLine := strings.CutSuffix(line, "\n")
			if dst = record.AppendVisible(dst, text); isLine {
				dst = append(dst, '\n')
			}
		}
	default:
		dst = append(dst, a.line...)
	}
	return append(dst, '\n')
}

// between returns the separator after the cell of column i.
func (p *Printer) between(i int) byte {
	switch {
	case i == len(columns[p.Do])-1:
		return '\n'
	case p.Format == output.TSV:
		return '\t'
	}
	return ','
}

// appendCell appends the cell of value. An undefined value is an empty cell in CSV and \N
// in TSV; an empty value is "" in CSV and an empty cell in TSV. Members of a list are
// separated by spaces, and an object is as in JSON.
func (p *Printer) appendCell(dst []byte, value any) []byte {
	if value == nil {
		if p.Format == output.TSV {
			return append(dst, '\\', 'N')
		}
		return dst
	}
	cell := p.cell[:0]
	switch v := value.(type) {
	case string:
		cell = append(cell, v...)
	case bool:
		cell = appendJSONValue(cell, v)
	case []string:
		for i, s := range v {
			if i > 0 {
				cell = append(cell, ' ')
			}
			cell = append(cell, s...)
		}
	default:
		cell = appendJSONValue(cell, v)
	}
	p.cell = cell
	if len(cell) == 0 && p.Format == output.CSV {
		return append(dst, '"', '"')
	}
	p.table.Tabs, p.table.Guard, p.table.Visible = p.Format == output.TSV, p.Guard, p.Safe
	return p.table.AppendCell(dst, cell)
}
