package main

import (
	"errors"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/counts"
	"github.com/urlsift/urlsift/extract"
)

// Results that are taken one by one: see encode.go for those that workers print.

// What a job counts and prints for each source: -c, -l and -m.
type perSource struct {
	counter *counts.Sources // nil if sources are not counted
	named   bool            // counts have the source's name in front
	several bool            // there may be more than one source
	line    []byte          // the line of a source that is being made
}

// take prints or counts r, if it passes the filters. The error is that of the output.
func (j *job) take(r *extract.Result) error {
	var of *counts.Total
	if j.counter != nil {
		j.renamed = *r
		of, j.renamed.Origin.Source = j.counter.Reach(r.Origin.Source)
		r = &j.renamed
	}
	if of != nil && (of.Full() || of.Found > 0 && j.List && j.seen == nil) {
		return nil // the source has been reported already
	}
	if !j.Filter.Keeps(r) || j.seen != nil && !j.isNew(r) {
		return nil
	}
	j.found = j.found || r.Valid || j.Filter.OnlyRefused
	if j.Quiet {
		return j.enough()
	}
	if of != nil {
		j.counter.Add(of)
	}
	if !j.Count && !j.List {
		if err := j.out.Print(j.printer.Append, r); err != nil {
			return err
		}
		return j.last(of)
	}
	j.out.Printed.Add(1)
	if !j.List || of.Found > 1 {
		return j.last(of)
	}
	j.line = j.end(j.names.Append(j.line[:0], of.Name))
	return j.out.Write(j.line)
}

// overfull reports whether err is about a source of which nothing more is wanted: workers
// may read further than that.
func (j *job) overfull(err error) bool {
	var e *extract.Error
	if j.counter == nil || !errors.As(err, &e) {
		return false
	}
	of, _ := j.counter.Reach(e.Origin.Source)
	return of != nil && of.Full()
}

// errEnough ends a run that has found what it is for.
var errEnough = errors.New("enough was found")

// enough returns errEnough once a result was found.
func (j *job) enough() error {
	if j.found {
		return errEnough
	}
	return nil
}

// last returns errEnough if of has all that is wanted and is the only source. The worker of
// another source stops by itself, but a pipe may give it nothing to do so.
func (j *job) last(of *counts.Total) error {
	if of != nil && of.Full() && !j.several {
		return errEnough
	}
	return nil
}

// printCount prints the count of one source.
func (j *job) printCount(name string, found int64) {
	j.line = j.line[:0]
	if j.named {
		j.line = append(j.names.Append(j.line, name), ':')
	}
	j.line = j.end(strconv.AppendInt(j.line, found, 10))
	j.out.Write(j.line)
}

// end appends the end of a record.
func (j *job) end(line []byte) []byte {
	if j.Print.Null {
		return append(line, 0)
	}
	return append(line, '\n')
}
