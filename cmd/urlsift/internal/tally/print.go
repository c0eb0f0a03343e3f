package tally

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract/record"
)

// Printing says how rows are printed.
type Printing struct {
	Format output.Format
	Guard  bool // guard cells of tables against formulas
	Null   bool // rows end with NUL
	Safe   bool // rows are for a terminal: no control characters, and text is aligned
}

// Bounds of what waits to be written.
const (
	alignedRows = 200 // are aligned with one another
	writeSize   = 32 << 10
)

// A rowWriter writes rows: the count, the values of the keys, the first and the last time,
// and the number of sources.
type rowWriter struct {
	Printing
	by    []Key
	write func([]byte) error
	table record.Table
	buf   []byte
	rows  [][]string // rows that are not aligned yet
	list  [][]byte   // the cells of a row
	made  []byte     // the bytes of cells with numbers and times
}

// header prepares w, and makes the first row of a table, or of text on a terminal.
func (w *rowWriter) header() {
	w.table = record.Table{Tabs: w.Format == output.TSV, Guard: w.Guard, Visible: w.Safe}
	names := []string{"count"}
	for _, k := range w.by {
		names = append(names, k.String())
	}
	names = append(names, "first", "last", "sources")
	switch {
	case w.Format == output.Text && w.Safe:
		w.rows = append(w.rows, names)
	case w.Format == output.CSV || w.Format == output.TSV:
		for i, name := range names {
			w.cell([]byte(name), i > 0)
		}
		w.end()
	}
}

// row writes one row, perhaps later.
func (w *rowWriter) row(row *count.Row) error {
	switch {
	case w.Format == output.JSONL:
		w.object(row)
	case w.Format == output.Text && w.Safe:
		return w.aligned(row)
	default:
		for i, cell := range w.cells(row) {
			if w.Format == output.Text {
				if i > 0 {
					w.buf = append(w.buf, '\t')
				}
				w.buf = append(w.buf, cell...)
				continue
			}
			w.cell(cell, i > 0)
		}
		w.end()
	}
	if len(w.buf) < writeSize {
		return nil
	}
	return w.flush()
}

// cells returns the cells of a row, valid until the next call.
func (w *rowWriter) cells(row *count.Row) [][]byte {
	w.made = w.made[:0]
	cell := func(made []byte) []byte { // w.made may have moved, but the cells before have not
		begin := len(w.made)
		w.made = made
		return made[begin:]
	}
	w.list = append(w.list[:0], cell(strconv.AppendInt(w.made, row.Count, 10)))
	w.list = appendValues(w.list, row.Key, w.by)
	var first, last []byte
	if row.Timed() {
		first = cell(appendTime(w.made, row.First))
		last = cell(appendTime(w.made, row.Last))
	}
	w.list = append(w.list, first, last, cell(strconv.AppendInt(w.made, row.Sources, 10)))
	return w.list
}

// cell appends a cell of a table, with a separator in front if it is not the first.
func (w *rowWriter) cell(cell []byte, separated bool) {
	if separated {
		w.buf = append(w.buf, w.table.Separator())
	}
	w.buf = w.table.AppendCell(w.buf, cell)
}

// end appends the end of a row.
func (w *rowWriter) end() {
	if w.Null {
		w.buf = append(w.buf, 0)
	} else {
		w.buf = append(w.buf, '\n')
	}
}

// object appends a row as an object. What is empty or unknown is absent.
func (w *rowWriter) object(row *count.Row) {
	w.buf = strconv.AppendInt(append(w.buf, `{"count":`...), row.Count, 10)
	w.list = appendValues(w.list[:0], row.Key, w.by)
	for i, value := range w.list {
		if len(value) > 0 {
			w.buf = append(append(append(w.buf, `,"`...), w.by[i].String()...), `":`...)
			w.buf = record.AppendString(w.buf, value)
		}
	}
	if row.Timed() {
		w.buf = append(appendTime(append(w.buf, `,"first":"`...), row.First), '"')
		w.buf = append(appendTime(append(w.buf, `,"last":"`...), row.Last), '"')
	}
	w.buf = append(strconv.AppendInt(append(w.buf, `,"sources":`...), row.Sources, 10), '}')
	w.end()
}

// aligned adds a row for a terminal.
func (w *rowWriter) aligned(row *count.Row) error {
	var cells []string
	for _, cell := range w.cells(row) {
		if len(cell) == 0 {
			cell = []byte("-")
		}
		cells = append(cells, string(record.AppendVisible(nil, cell)))
	}
	if w.rows = append(w.rows, cells); len(w.rows) < alignedRows {
		return nil
	}
	return w.flush()
}

// align appends the rows that wait. The count is aligned at its right edge.
func (w *rowWriter) align() {
	widths := make([]int, len(w.by)+4)
	for _, cells := range w.rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range w.rows {
		for i, cell := range cells {
			spaces := bytes.Repeat([]byte(" "), widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i == 0:
				w.buf = append(append(w.buf, spaces...), cell...)
			case i == len(cells)-1:
				w.buf = append(append(w.buf, "  "...), cell...)
			default:
				w.buf = append(append(append(w.buf, "  "...), cell...), spaces...)
			}
		}
		w.end()
	}
	w.rows = w.rows[:0]
}

// flush writes all buffered rows.
func (w *rowWriter) flush() error {
	w.align()
	if len(w.buf) == 0 {
		return nil
	}
	err := w.write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// appendTime appends a time as records have it.
func appendTime(dst []byte, at int64) []byte {
	return time.Unix(at, 0).UTC().AppendFormat(dst, time.RFC3339)
}
