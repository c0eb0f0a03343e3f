package refs

import (
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract/record"
)

// An Answer is the answer of a subcommand for one reference, in plain data. A
// value is nil if it is undefined, or a string, a bool, a list of strings, a
// list of rows of three strings, or members.
type Answer struct {
	ref     string       // the reference as it is printed
	values  []any        // of the record, in the order of columns
	line    string       // the same as one line of text
	Fault   string       // why the reference is refused, or ""
	offset  int          // of the byte of ref that fault is about, or -1
	accepts []acceptance // of each grammar; for people
}

// An acceptance says whether one grammar accepts a reference.
type acceptance struct {
	grammar string
	why     string // the reason if it does not; "" if it does
}

// A member is a value with its name.
type member struct {
	name  string
	value any
}

// members are an object: names and values in an order.
type members []member

// columns has the names of the values of each command's records, in their order. Other
// programs read these names, so they never change.
var columns = map[Command][]string{
	Parse: {"ref", "scheme", "authority", "userinfo", "user", "password", "host", "host_kind", "port",
		"path", "query", "fragment", "absolute", "grammars", "valid", "error", "warnings", "fields"},
	Resolve:   {"ref", "base", "target", "same_document", "error"},
	Normalize: {"ref", "url"},

	Relativize: {"ref", "base", "relative", "error"},
	Wrap:       {"ref", "text", "error"},
	Build:      {"url", "error"},
}

// Columns returns the names of the values of c's records, in their order.
func Columns(c Command) []string { return columns[c] }

// defined returns text as a value, or nil if it is not known.
func defined(text string, known bool) any {
	if known {
		return text
	}
	return nil
}

// unanswered returns the answer of c for a reference that could not be read. It has only the
// error.
func unanswered(c Command, err error) *Answer {
	a := &Answer{Fault: err.Error(), offset: -1}
	for _, name := range columns[c] {
		var value any
		switch name {
		case "error":
			value = a.Fault
		case "valid", "absolute", "same_document":
			value = false
		case "grammars", "warnings":
			value = []string{}
		case "fields":
			value = members{}
		}
		a.values = append(a.values, value)
	}
	return a
}

// A Printer makes records of answers.
type Printer struct {
	Do     Command
	Format output.Format
	Safe   bool // for a terminal, without control characters
	Guard  bool // in tables, cells are no formulas
	some   bool // an answer was printed
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
	first := !p.some
	p.some = true
	names := columns[p.Do]
	switch {
	case p.Format == output.JSONL:
		object := make(members, len(names))
		for i, name := range names {
			object[i] = member{name, a.values[i]}
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

// appendJSONValue appends a value of an answer as JSON. Members keep their order.
func appendJSONValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return record.AppendString(dst, v)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case []string:
		dst = append(dst, '[')
		for i, s := range v {
			dst = record.AppendString(appendComma(dst, i), s)
		}
		return append(dst, ']')
	case [][3]string:
		dst = append(dst, '[')
		for i, row := range v {
			dst = appendJSONValue(appendComma(dst, i), row[:])
		}
		return append(dst, ']')
	case members:
		dst = append(dst, '{')
		for i, m := range v {
			dst = append(record.AppendString(appendComma(dst, i), m.name), ':')
			dst = appendJSONValue(dst, m.value)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// appendComma appends the separator in front of member i of a list.
func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}
