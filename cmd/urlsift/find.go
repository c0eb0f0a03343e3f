package main

import (
	"context"
	"errors"
	"iter"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
)

// A finder prints the results of a run, or counts them for each source.
type finder struct {
	run      *run
	o        *flags.Options
	keeps    func(*extract.Result) bool // the filters
	seen     *track.Filter              // nil if a URL may be printed twice
	renamed  extract.Result             // the result that is being printed, with the name of its source as the user gave it
	follower *follower                  // nil if files are not followed

	// What is counted and printed for each source: -c, -l and -m.
	counter *track.Sources // nil if sources are not counted
	names   output.Names   // of sources, in lines of their own
	named   bool           // counts have the source's name in front
	several bool           // there may be more than one source
	line    []byte         // the line of a source that is being made
}

// find prints the results of sources, and with -F of what is added to them later.
func find(ctx context.Context, r *run, sources iter.Seq[extract.Source]) {
	f := newFinder(r)
	if r.o.Follow {
		f.follower = newFollower(r)
		f.follower.read(ctx, f)
		return
	}
	f.read(ctx, sources)
}

// newFinder prepares what the flags of r need: the set for -u, the counter for -c, -l and -m.
func newFinder(r *run) *finder {
	o := r.o
	f := &finder{run: r, o: o, keeps: o.Filter.Keeper()}
	f.names = output.Names{Style: o.Print.Style, Safe: r.safe, Passwords: r.redactor}
	if o.Unique != track.Anywhere && !o.Quiet {
		f.seen = track.NewFilter(o.Unique, !o.Follow)
	}
	if (o.Count || o.List || o.Most > 0) && !o.Quiet && !o.Follow {
		f.counter = &track.Sources{Most: o.Most, End: func(string, int64) {}}
		r.report.Name = func(tag string) string {
			_, name := f.counter.Reach(tag)
			return name
		}
	}
	f.several = (o.Count || o.Most > 0) && o.Sources.Several()
	if o.Count && !o.List && !o.Quiet {
		f.named = o.Print.Prefix&output.WithName != 0 || f.several
		f.counter.End = f.printCount
	}
	return f
}

// read reads sources, all of them at once or in bundles that are counted.
func (f *finder) read(ctx context.Context, sources iter.Seq[extract.Source]) {
	if f.counter == nil {
		f.readSources(ctx, sources)
		return
	}
	for bundle := range track.Bundles(sources) {
		more := f.readSources(ctx, f.counter.Watch(bundle))
		f.counter.Finish(more)
		if !more {
			break
		}
	}
}

// readSources reads sources and reports whether to continue. An error concerns one input,
// or one stretch of it; later inputs are read.
func (f *finder) readSources(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	if f.encodes() {
		return f.encoded(ctx, sources)
	}
	for r, err := range f.run.x.Run(ctx, sources) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			if !f.overfull(err) {
				f.reportInput(err)
			}
			continue
		}
		if f.take(r) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// If each record depends only on its result, the workers make the records. Several
// workers then encode in parallel. A single worker makes all records itself, so that no
// result passes between goroutines.

// encodes reports whether the workers make the records. They cannot if results are counted or
// depend on earlier ones: then the loop needs them one by one and in order. With several workers
// they cannot if records have lines. They do not for a terminal, where each record is
// written by itself.
func (f *finder) encodes() bool {
	return (f.o.Extract.Workers == 1 || f.o.Print.Format == output.Text && f.o.Print.Fields == nil && f.o.Extract.Delimit.NoLines) && !f.o.Extract.Refused &&
		f.counter == nil && f.seen == nil && (f.follower == nil || f.follower.counts == nil) && !f.o.Quiet && !f.run.out.Direct
}

// encoded does the same as readSources, with records that workers make.
func (f *finder) encoded(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	for records, err := range f.run.x.Encode(ctx, sources, f.encoder) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			f.reportInput(err)
			continue
		}
		f.run.found = true // the grammar accepts all results that are encoded
		if f.run.out.Records(records.Bytes, records.Results) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// encoder returns the function that makes the records of one worker.
func (f *finder) encoder() extract.Encoder {
	records := output.NewPrinter(&f.o.Print, f.run.safe)
	if !f.o.Filter.Any() {
		return records.Append
	}
	keeps := f.o.Filter.Keeper()
	return func(dst []byte, r *extract.Result) []byte {
		if !keeps(r) {
			return dst
		}
		return records.Append(dst, r)
	}
}

// reportInput reports an error of some input. A run that follows files reports it once.
func (f *finder) reportInput(err error) {
	if follower := f.follower; follower != nil {
		var e *extract.Error
		switch {
		case errors.As(err, &e) && (e.Stage == extract.StageOpen || e.Stage == extract.StageWalk):
			if !follower.reported.Open(err.Error()) {
				return
			}
		case !follower.reported.Read(err.Error()):
			return
		}
	}
	f.run.report.Input(err)
}

// take prints or counts r, if it passes the filters. The error is that of the output.
func (f *finder) take(r *extract.Result) error {
	var total *track.Total
	if f.counter != nil {
		f.renamed = *r
		total, f.renamed.Origin.Source = f.counter.Reach(r.Origin.Source)
		r = &f.renamed
	}
	if total != nil && (total.Full() || total.Found > 0 && f.o.List && f.seen == nil) {
		return nil // the source has been reported already
	}
	if f.follower != nil && f.follower.isFull(r.Origin.Source) {
		return nil // a URL that is not printed here may be printed for another source
	}
	if !f.keeps(r) || f.seen != nil && !f.isNew(r) {
		return nil
	}
	if f.follower != nil {
		f.follower.count(r.Origin.Source)
	}
	f.run.found = f.run.found || r.Valid || f.o.Filter.OnlyRefused
	if f.o.Quiet {
		return f.enough()
	}
	if total != nil {
		f.counter.Add(total)
	}
	if !f.o.Count && !f.o.List {
		if err := f.run.out.Print(f.run.printer.Append, r); err != nil {
			return err
		}
		if f.follower != nil && f.follower.all() {
			return errEnough
		}
		return f.last(total)
	}
	f.run.out.Printed.Add(1)
	if !f.o.List || total.Found > 1 {
		return f.last(total)
	}
	return f.printName(total.Name)
}

// isNew reports whether the URL of r was not printed before, in this run or, with a state,
// in an earlier one.
func (f *finder) isNew(r *extract.Result) bool {
	k, isNew := f.seen.New(r)
	if !isNew {
		return false
	}
	return f.o.State.Path == "" || !f.run.state.Printed(state.URL(k[:len(state.URL{})]))
}

// overfull reports whether err is about a source that already has all its results. Workers may read
// beyond the last of these results.
func (f *finder) overfull(err error) bool {
	var e *extract.Error
	if f.counter == nil || !errors.As(err, &e) {
		return false
	}
	total, _ := f.counter.Reach(e.Origin.Source)
	return total != nil && total.Full()
}

// errEnough ends a run that needs no more results.
var errEnough = errors.New("enough was found")

// enough returns errEnough once a result was found.
func (f *finder) enough() error {
	if f.run.found {
		return errEnough
	}
	return nil
}

// last returns errEnough if total belongs to the only source, and that source has all its
// results. A worker leaves a full source at its next Read, but a Read of a silent pipe would
// wait, so the run is ended.
func (f *finder) last(total *track.Total) error {
	if total != nil && total.Full() && !f.several {
		return errEnough
	}
	return nil
}

// printName prints the name of one source.
func (f *finder) printName(name string) error {
	f.line = f.end(f.names.Append(f.line[:0], name))
	return f.run.out.Write(f.line)
}

// printCount prints the count of one source.
func (f *finder) printCount(name string, found int64) {
	f.line = f.line[:0]
	if f.named {
		f.line = append(f.names.Append(f.line, name), ':')
	}
	f.line = f.end(strconv.AppendInt(f.line, found, 10))
	f.run.out.Write(f.line)
}

// end appends the end of a record.
func (f *finder) end(line []byte) []byte {
	if f.o.Print.Null {
		return append(line, 0)
	}
	return append(line, '\n')
}
