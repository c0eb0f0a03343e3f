package record

import (
	"slices"

	"github.com/urlsift/urlsift/extract"
)

// Options say what records an Encoder makes. The zero Options give records with all fields,
// each on a line.
type Options struct {
	Fields  []Field // the columns, in order; nil means all (see [Select])
	Redact  bool    // passwords in references and names become "***"
	Null    bool    // a record ends with NUL instead of a line end
	Guard   bool    // in tables, no cell is a formula: see [Table]
	Visible bool    // in tables, cells are safe for a terminal: see [Table]; JSON always is
}

// An Encoder makes records of Results. It is made by [New]. It keeps its memory, and what many
// records have in common, from one Result to the next. Once its memory is large enough, it
// allocates only for dates, for passwords in names, and for errors. An Encoder is not safe for
// concurrent use; make one for each goroutine.
//
// Its methods append to the caller's slice and return the grown slice. They keep neither the slice,
// nor the Result, nor slices of the Result, except for strings of its Origin.
type Encoder struct {
	view           view
	json, csv, tsv recorder
}

// New returns an Encoder with the options o. It copies o.Fields.
func New(o Options) *Encoder {
	chosen := slices.Clone(o.Fields)
	if chosen == nil {
		chosen = fields
	}
	end := byte('\n')
	if o.Null {
		end = 0
	}
	csv := &tableWriter{table: Table{Guard: o.Guard, Visible: o.Visible}}
	tsv := &tableWriter{table: Table{Guard: o.Guard, Visible: o.Visible, Tabs: true}}
	e := &Encoder{view: view{redact: o.Redact}}
	e.json.init(chosen, jsonSyntax(end))
	e.csv.init(chosen, csv.syntax(end))
	e.tsv.init(chosen, tsv.syntax(end))
	return e
}

// AppendJSON appends r as a JSON object on a line of its own, and returns the grown slice. It
// is an [extract.Encoder], as AppendCSV and AppendTSV are.
func (e *Encoder) AppendJSON(dst []byte, r *extract.Result) []byte {
	return e.json.record(dst, &e.view, r)
}

// AppendCSV appends r as a row of CSV. The caller has written the header: see AppendCSVHeader.
func (e *Encoder) AppendCSV(dst []byte, r *extract.Result) []byte {
	return e.csv.record(dst, &e.view, r)
}

// AppendTSV appends r as a row of TSV. The caller has written the header: see AppendTSVHeader.
func (e *Encoder) AppendTSV(dst []byte, r *extract.Result) []byte {
	return e.tsv.record(dst, &e.view, r)
}

// AppendCSVHeader appends the first row of a table of CSV: the names of the fields.
func (e *Encoder) AppendCSVHeader(dst []byte) []byte { return e.csv.header(dst) }

// AppendTSVHeader appends the first row of a table of TSV: the names of the fields.
func (e *Encoder) AppendTSVHeader(dst []byte) []byte { return e.tsv.header(dst) }
