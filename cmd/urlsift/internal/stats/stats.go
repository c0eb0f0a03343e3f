// Package stats prints, at the end of a run, how much was read, how much was not and why,
// and what was found (--stats). It counts nothing itself: the numbers are of [extract.Stats], whose
// bytes add up.
//
//	r := stats.New(x.Stats(), printed, interrupted)
//	fmt.Fprint(os.Stderr, r.As(stats.Table))
package stats

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/extract"
)

// A Format is a format for stats, or none.
type Format uint8

const (
	None  Format = iota // no stats
	Table               // lines for people
	JSON                // one JSON object
)

// Forms are the values of --stats, which may also be a bool.
var Forms = []string{"table", "json"}

// UnmarshalText sets f to the form with that name. A bool turns the table on or off.
func (f *Format) UnmarshalText(name []byte) error {
	if on, err := strconv.ParseBool(string(name)); err == nil {
		if *f = None; on {
			*f = Table
		}
		return nil
	}
	var i Format
	err := names.Parse(&i, "form", name, Forms)
	if err == nil {
		*f = Table + i
	}
	return err
}

// A Record has the counts in the order of output, a field for each key of the JSON object.
// The names in JSON never change, but new ones may be added.
type Record struct {
	Interrupted bool     `json:"interrupted"` // the run was interrupted, so the bytes may not add up
	Sources     int64    `json:"sources"`
	Members     int64    `json:"members"`
	Messages    int64    `json:"messages"`
	Parts       int64    `json:"parts"`
	Stored      stored   `json:"stored"`
	Raw         rawBytes `json:"raw"`
	CutStreams  int64    `json:"cut_streams"`
	Text        int64    `json:"text"`
	Skipped     skipped  `json:"skipped"`
	Candidates  int64    `json:"candidates"`
	Found       int64    `json:"found"`
	Refused     int64    `json:"refused"`
	Printed     int64    `json:"printed"`
	Errors      errors   `json:"errors"`
	Warnings    int64    `json:"warnings"` // warnings: how many of Errors lost no input
}

type stored struct {
	Read    int64 `json:"read"`
	NotRead int64 `json:"not_read"`
}

type rawBytes struct {
	All       int64 `json:"all"`
	Text      int64 `json:"text"`
	Packed    int64 `json:"packed"`
	Framing   int64 `json:"framing"`
	Data      int64 `json:"data"`
	OverLimit int64 `json:"over_limit"`
	Damaged   int64 `json:"damaged"`
}

type skipped struct {
	Runs  int64 `json:"runs"`
	Bytes int64 `json:"bytes"`
}

type errors struct {
	All     int64 `json:"all"`
	Open    int64 `json:"open"`
	Read    int64 `json:"read"`
	Packing int64 `json:"packing"`
	Text    int64 `json:"text"`
	Limit   int64 `json:"limit"`
}

// New returns the record for s. Of the references that were found, printed is how many were printed.
func New(s extract.Stats, printed int64, interrupted bool) *Record {
	return &Record{
		Interrupted: interrupted,
		Sources:     s.Sources, Members: s.Members, Messages: s.Messages, Parts: s.Parts,
		Stored:     stored{Read: s.StoredRead, NotRead: s.StoredNotRead},
		Raw:        rawBytes{All: s.RawAll, Text: s.RawText, Packed: s.RawPacked, Framing: s.RawFraming, Data: s.RawData, OverLimit: s.RawOverLimit, Damaged: s.RawDamaged},
		CutStreams: s.CutStreams, Text: s.Text,
		Skipped:    skipped{Runs: s.SkippedRuns, Bytes: s.SkippedBytes},
		Candidates: s.Candidates, Found: s.Found, Refused: s.Refused, Printed: printed,
		Errors:   errors{All: s.ErrorsAll, Open: s.ErrorsOpen, Read: s.ErrorsRead, Packing: s.ErrorsPacking, Text: s.ErrorsText, Limit: s.ErrorsLimit},
		Warnings: s.Warnings,
	}
}

// As returns r in the form f.
func (r *Record) As(f Format) string {
	switch f {
	case Table:
		return r.table()
	case JSON:
		return r.json()
	}
	return ""
}

// json returns r as one line.
func (r *Record) json() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // it has only numbers
	}
	return string(b) + "\n"
}

// table returns r as lines, each with a number and a description. The parts of a sum are indented
// below it, without those that are 0.
func (r *Record) table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(n int64, what string) { fmt.Fprintf(w, "%d\t  %s\n", n, what) }
	sum := func(n int64, what string) {
		if n != 0 {
			what += ", of which"
		}
		row(n, what)
	}
	part := func(n int64, what string) {
		if n != 0 {
			row(n, "  "+what)
		}
	}
	if r.Interrupted {
		fmt.Fprintln(w, "\t  interrupted")
	}
	row(r.Sources, "inputs")
	row(r.Members, "files in archives and attachments")
	row(r.Messages, "messages")
	row(r.Parts, "parts of messages that were read")
	row(r.Stored.Read, "bytes read, as stored")
	row(r.Stored.NotRead, "bytes not read, as stored")
	sum(r.Raw.All, "bytes decompressed")
	part(r.Raw.Text, "were read as text")
	part(r.Raw.Packed, "are files and attachments, and counted again when unpacked")
	part(r.Raw.Framing, "are framing: headers of archives, separators, boundaries")
	part(r.Raw.Data, "are data, or parts not asked for")
	part(r.Raw.OverLimit, "are over a limit")
	part(r.Raw.Damaged, "are damaged or encrypted")
	row(r.CutStreams, "streams cut short by damage or a limit; what was left is not known")
	row(r.Skipped.Runs, "runs of text too long for a reference")
	row(r.Skipped.Bytes, "bytes in them")
	sum(r.Candidates, "candidates")
	part(r.Found, "are references by the grammar")
	part(r.Refused, "are refused")
	row(r.Printed, "printed or counted")
	wrong := "errors"
	if r.Warnings != 0 {
		wrong += " and warnings"
	}
	sum(r.Errors.All, wrong)
	part(r.Errors.Open, "inputs that cannot be opened")
	part(r.Errors.Read, "inputs that cannot be read to their end")
	part(r.Errors.Packing, "in compressions and archives")
	part(r.Errors.Text, "in messages and text")
	part(r.Errors.Limit, "over a limit")
	part(r.Warnings, "are warnings, of the kinds above")
	w.Flush()
	return b.String()
}
