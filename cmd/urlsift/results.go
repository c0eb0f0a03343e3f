package main

import (
	"context"
	"errors"
	"iter"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/counts"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/extract"
)

// The loop takes results one by one, or workers make the records: see printing.encodes.

// A printing prints the results of a job, or counts them for each source.
type printing struct {
	*job
	seen    counts.Seen    // nil if a URL may be printed twice
	renamed extract.Result // the result that is being printed, with the name of its source as the user gave it
	perSource
	follower *follower // nil if files are not followed
}

// What is counted and printed for each source: -c, -l and -m.
type perSource struct {
	counter *counts.Sources // nil if sources are not counted
	dst     *output.Output
	names   printer.Names // of sources, in lines of their own
	null    bool          // lines end with a NUL
	named   bool          // counts have the source's name in front
	several bool          // there may be more than one source
	line    []byte        // the line of a source that is being made
}

// newPrinting prepares what the flags of j need: the set for -u, the counter for -c, -l and -m.
func newPrinting(j *job) *printing {
	o := j.Options
	f := &printing{job: j}
	f.perSource = perSource{dst: j.out, null: o.Print.Null, names: printer.Names{Style: o.Print.Style, Safe: j.safe, Passwords: j.redactor}}
	if o.Unique && !o.Quiet {
		f.seen = make(counts.Seen)
	}
	if (o.Count || o.List || o.Most > 0) && !o.Quiet && !o.Follow {
		f.counter = &counts.Sources{Most: o.Most, End: func(string, int64) {}}
		j.report.Name = func(tag string) string {
			_, name := f.counter.Reach(tag)
			return name
		}
	}
	f.several = (o.Count || o.Most > 0) && o.Sources.Several()
	if o.Count && !o.List && !o.Quiet {
		f.named = o.Print.Place&printer.WithName != 0 || f.several
		f.counter.End = f.printCount
	}
	return f
}

// read reads sources, all of them at once or in bundles that are counted.
func (j *printing) read(ctx context.Context, sources iter.Seq[extract.Source]) {
	switch {
	case j.Follow:
		j.follow(ctx)
		return
	case j.counter == nil:
		j.some(ctx, sources)
		return
	}
	for some := range counts.Bundles(sources) {
		more := j.some(ctx, j.counter.Watch(some))
		j.counter.Finish(more)
		if !more {
			break
		}
	}
}

func (j *printing) warn() {}

// some reads some inputs and reports whether to continue. An error concerns one input,
// or one stretch of it; later inputs are read.
func (j *printing) some(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	if j.encodes() {
		return j.encoded(ctx, sources)
	}
	for r, err := range j.x.Run(ctx, sources) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			if !j.overfull(err) {
				j.reportInput(err)
			}
			continue
		}
		if j.take(r) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// take prints or counts r, if it passes the filters. The error is that of the output.
func (j *printing) take(r *extract.Result) error {
	var of *counts.Total
	if j.counter != nil {
		j.renamed = *r
		of, j.renamed.Origin.Source = j.counter.Reach(r.Origin.Source)
		r = &j.renamed
	}
	if of != nil && (of.Full() || of.Found > 0 && j.List && j.seen == nil) {
		return nil // the source has been reported already
	}
	if j.follower != nil && j.follower.isFull(j, r.Origin.Source) {
		return nil // a URL that is not printed here may be printed for another source
	}
	if !j.Filter.Keeps(r) || j.seen != nil && !j.isNew(r) {
		return nil
	}
	if j.follower != nil {
		j.follower.count(r.Origin.Source)
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
		if j.follower != nil && j.follower.all(j) {
			return errEnough
		}
		return j.last(of)
	}
	j.out.Printed.Add(1)
	if !j.List || of.Found > 1 {
		return j.last(of)
	}
	return j.printName(of.Name)
}

// overfull reports whether err is about a source that already has all its results. Workers may read
// beyond the last of them.
func (p *perSource) overfull(err error) bool {
	var e *extract.Error
	if p.counter == nil || !errors.As(err, &e) {
		return false
	}
	of, _ := p.counter.Reach(e.Origin.Source)
	return of != nil && of.Full()
}

// errEnough ends a run that needs no more results.
var errEnough = errors.New("enough was found")

// enough returns errEnough once a result was found.
func (j *printing) enough() error {
	if j.found {
		return errEnough
	}
	return nil
}

// last returns errEnough if of is the only source and has all its results. A worker leaves a full
// source at its next Read, but a Read of a silent pipe would wait, so the run is ended.
func (p *perSource) last(of *counts.Total) error {
	if of != nil && of.Full() && !p.several {
		return errEnough
	}
	return nil
}

// printName prints the name of one source.
func (p *perSource) printName(name string) error {
	p.line = p.end(p.names.Append(p.line[:0], name))
	return p.dst.Write(p.line)
}

// printCount prints the count of one source.
func (p *perSource) printCount(name string, found int64) {
	p.line = p.line[:0]
	if p.named {
		p.line = append(p.names.Append(p.line, name), ':')
	}
	p.line = p.end(strconv.AppendInt(p.line, found, 10))
	p.dst.Write(p.line)
}

// end appends the end of a record.
func (p *perSource) end(line []byte) []byte {
	if p.null {
		return append(line, 0)
	}
	return append(line, '\n')
}

// Records that the workers make. Then several workers encode in parallel. It is possible
// if each record depends only on its result. A single worker can make all records, so
// that no record passes between goroutines.

// encodes reports whether the workers make the records. They cannot if results are counted or
// depend on earlier ones: then the loop needs them one by one and in order. With several workers
// they cannot if records have lines or offsets. They do not for a terminal, where each record is
// written by itself.
func (j *printing) encodes() bool {
	where := !j.Extract.Delimit.NoLines || j.Print.Place&printer.WithOffset != 0
	return (j.Extract.Workers == 1 || j.Print.Format == output.Text && j.Print.Fields == nil && !where) && !j.Extract.Refused &&
		j.counter == nil && j.seen == nil && (j.follower == nil || j.follower.counts == nil) && !j.Quiet && !j.out.Direct
}

// encoded does the same as some, with records that workers make.
func (j *printing) encoded(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	for some, err := range j.x.Encode(ctx, sources, j.encoder) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			j.reportInput(err)
			continue
		}
		j.found = true // all of them are accepted ones
		if j.out.Records(some.Bytes, some.Results) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// encoder returns the function that makes the records of one worker.
func (j *printing) encoder() extract.Encoder {
	p := printer.New(&j.Print, j.safe)
	if !j.Filter.Any() {
		return p.Append
	}
	return func(dst []byte, r *extract.Result) []byte {
		if !j.Filter.Keeps(r) {
			return dst
		}
		return p.Append(dst, r)
	}
}
