package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urlsift/urlsift/extract"
)

// What is told of a run at its end, on standard error: how much was read, what of
// it was not looked at and why, and what was found. The bytes add up; see
// [extract.Stats].

// An account is how stats are told, if they are.
type account uint8

const (
	noAccount account = iota
	tableAccount
	jsonAccount
)

// setAccount reads the value of --stats, which needs none.
func setAccount(o *options, value string) error {
	switch value {
	case "json":
		o.stats = jsonAccount
		return nil
	case "table":
		o.stats = tableAccount
		return nil
	}
	on, err := parseBool(value)
	if err != nil {
		return fmt.Errorf("no form is called %q (there are table, json)", value)
	}
	if o.stats = noAccount; on {
		o.stats = tableAccount
	}
	return nil
}

// statsRecord is what is told, in the order in which it is. The names of the JSON
// do not change; there may come to be more.
type statsRecord struct {
	Interrupted bool         `json:"interrupted"` // the run did not come to its end, and the bytes may not add up
	Sources     int64        `json:"sources"`
	Members     int64        `json:"members"`
	Messages    int64        `json:"messages"`
	Parts       int64        `json:"parts"`
	Stored      statsStored  `json:"stored"`
	Raw         statsRaw     `json:"raw"`
	CutStreams  int64        `json:"cut_streams"`
	Text        int64        `json:"text"`
	Skipped     statsSkipped `json:"skipped"`
	Candidates  int64        `json:"candidates"`
	Found       int64        `json:"found"`
	Refused     int64        `json:"refused"`
	Printed     int64        `json:"printed"`
	Errors      statsErrors  `json:"errors"`
	Warnings    int64        `json:"warnings"` // those of Errors that lost no input
}

type statsStored struct {
	Read    int64 `json:"read"`
	NotRead int64 `json:"not_read"`
}

type statsRaw struct {
	All       int64 `json:"all"`
	Text      int64 `json:"text"`
	Packed    int64 `json:"packed"`
	Framing   int64 `json:"framing"`
	Data      int64 `json:"data"`
	OverLimit int64 `json:"over_limit"`
	Damaged   int64 `json:"damaged"`
}

type statsSkipped struct {
	Runs  int64 `json:"runs"`
	Bytes int64 `json:"bytes"`
}

type statsErrors struct {
	All     int64 `json:"all"`
	Open    int64 `json:"open"`
	Read    int64 `json:"read"`
	Packing int64 `json:"packing"`
	Text    int64 `json:"text"`
	Limit   int64 `json:"limit"`
}

// newStatsRecord returns what is told of s.
func newStatsRecord(s extract.Stats, printed int64, interrupted bool) *statsRecord {
	return &statsRecord{
		Interrupted: interrupted,
		Sources:     s.Sources, Members: s.Members, Messages: s.Messages, Parts: s.Parts,
		Stored:     statsStored{Read: s.DiskBytes, NotRead: s.DiskLeft},
		Raw:        statsRaw{All: s.RawBytes, Text: s.RawText, Packed: s.RawNested, Framing: s.RawFraming, Data: s.RawData, OverLimit: s.RawOverLimit, Damaged: s.RawDamaged},
		CutStreams: s.Cut, Text: s.TextBytes,
		Skipped:    statsSkipped{Runs: s.Skipped, Bytes: s.SkippedBytes},
		Candidates: s.Candidates, Found: s.Accepted, Refused: s.Refused, Printed: printed,
		Errors:   statsErrors{All: s.Errors, Open: s.OpenErrors, Read: s.ReadErrors, Packing: s.PackErrors, Text: s.TextErrors, Limit: s.LimitErrors},
		Warnings: s.Warnings,
	}
}

// json returns r as a line.
func (r *statsRecord) json() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // there is nothing in it but numbers
	}
	return string(b) + "\n"
}

// table returns r as lines: a number, and what it counts. What is part of a sum
// stands below it, further in. Rows of 0 that belong to a sum are left out.
func (r *statsRecord) table() string {
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
	part(r.Errors.Read, "inputs that cannot be read on")
	part(r.Errors.Packing, "in compressions and archives")
	part(r.Errors.Text, "in messages and text")
	part(r.Errors.Limit, "over a limit")
	part(r.Warnings, "are warnings, of the kinds above: the input was read all the same")
	w.Flush()
	return b.String()
}

// account tells the stats, if they are asked for. What is below may still be at
// work if the run was interrupted.
func (j *job) account(interrupted bool) {
	if j.stats == noAccount {
		return
	}
	r := newStatsRecord(j.x.Stats(), j.out.Printed.Load(), interrupted)
	text := r.table()
	if j.stats == jsonAccount {
		text = r.json()
	}
	j.asked(j.out.Remark(text))
}

// moves returns the words that name the flag which moves the limit in err, if that
// is what err is about.
func moves(err error) string {
	var limit *extract.Error
	if errors.As(err, &limit) && limit.Limit != "" {
		for i := range flags {
			for _, name := range flags[i].moves {
				if name == limit.Limit {
					return " (--" + flags[i].long + " moves this)"
				}
			}
		}
	}
	return ""
}
