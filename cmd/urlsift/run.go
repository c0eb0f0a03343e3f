package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime/debug"
	"strconv"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/counts"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/hide"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/extract"
)

// usualGarbage is how much garbage there may be, in percent of what is in use: that is a
// few MiB, which do not grow with the inputs, and to look for what little garbage comes of
// a hundred thousand files took a thirtieth of the time. What the option unique remembers
// does grow: there it is as much as usual.
const usualGarbage = 200

// A job is one run over the inputs.
type job struct {
	*flags.Options
	x        *extract.Extractor
	to       *os.File // what out writes to
	out      *output.Output
	printer  printer.Printer
	report   *messages.Reporter
	seen     counts.Seen     // nil if a URL may be printed twice
	counter  *counts.Sources // nil if sources are not counted
	progress *progress.Progress
	named    bool           // counts have the source's name in front
	several  bool           // there may be more than one source
	safe     bool           // records go to a terminal
	redactor hide.Passwords // in names

	renamed extract.Result // the one that is being printed, with its source as users know it

	line  []byte // the line of a source that is being made
	found bool   // something was printed or counted, and not only refused
}

// run does what o asks for and returns the exit status. An error is one of
// usage, and nothing was done then.
func run(o *flags.Options) (status int, err error) {
	o.Extract.Delimit.NoLines = o.Print.Place&(printer.WithLine|printer.WithColumn) == 0 && !o.Print.HasField("line") && !o.Print.HasField("column")
	if o.Extract.Workers >= 0 {
		if o.Extract.Workers, err = process.Fewer(o.Extract.Workers); err != nil {
			return hadTrouble, err
		}
	}
	x, err := extract.New(o.Extract)
	if err != nil {
		var e *extract.Error
		if errors.As(err, &e) {
			err = e.Err // its place is the command line
		}
		return hadTrouble, flags.Misuse("%s", err)
	}

	if !o.Unique && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(usualGarbage)
	}
	to := os.Stdout
	if o.Output != "" {
		if to, err = output.Create(o.Output, o.Sources.Named()); err != nil {
			return hadTrouble, flags.Misuse("%s: %s", o.Output, err)
		}
	}
	if o.Most < 0 {
		return foundNone, nil // as grep does
	}
	j := newJob(o, x, to, term.IsTerminal(int(to.Fd())))
	j.warn()
	status = process.Attend(j.out, func(ctx context.Context) {
		j.progress.Start(ctx, o.Sources.Sizes(ctx))
		j.sift(ctx)
		j.progress.Stop(ctx.Err() == nil)
	})
	j.account(status != 0)
	if status != 0 {
		return status, nil
	}
	return j.status(), nil
}

// warn reports what of the command line has no effect, and that a terminal is waited for.
func (j *job) warn() {
	for _, doubt := range j.Filter.Doubts(flags.Distance) {
		j.report.Warn(doubt)
	}
	stdin, listed := j.Sources.StdinText(), len(j.Sources.Lists) > 0
	if j.Sources.Name != "" && !stdin && !listed {
		j.report.Warn("--source-name: standard input is not read")
	}
	if len(j.Paths) == 0 && stdin && term.IsTerminal(int(os.Stdin.Fd())) {
		j.report.Hint("reading the terminal, since no path is given; Ctrl-D ends the input, and urlsift --help explains the command")
	}
}

// newJob returns the job that o asks for. Terminal says that standard output is
// one: then records go out one by one, and hold nothing that gives orders to it.
func newJob(o *flags.Options, x *extract.Extractor, to *os.File, terminal bool) *job {
	j := &job{Options: o, x: x, to: to, safe: terminal, printer: printer.New(&o.Print, terminal), redactor: hide.Passwords{On: o.Print.Redact}}
	j.out = output.New(output.Whole(to, o.Print.Format.Ends(o.Print.Null)), output.Patient{File: os.Stderr}, terminal)
	j.report = messages.New(o.Messages, j.out, hide.Passwords{On: o.Print.Redact}, flags.Moving)
	j.progress = progress.New(o.Progress, j.out, x)
	if o.Progress == progress.Auto && o.Sources.Stdin() && term.IsTerminal(int(os.Stdin.Fd())) {
		j.progress.Shown = false // it would stand in what is typed
	}
	if o.Unique && !o.Quiet {
		j.seen = make(counts.Seen)
	}
	if (o.Count || o.List || o.Most > 0) && !o.Quiet {
		j.counter = &counts.Sources{Most: o.Most, End: func(string, int64) {}}
		j.report.Name = func(tag string) string {
			_, name := j.counter.Reach(tag)
			return name
		}
	}
	j.several = (o.Count || o.Most > 0) && o.Sources.Several()
	if o.Count && !o.List && !o.Quiet {
		j.named = o.Print.Place&printer.WithName != 0 || j.several
		j.counter.End = j.tellCount
	}
	return j
}

// sift reads all inputs. It ends early if ctx does or if the consumer has stopped.
// What it found goes out before it returns.
func (j *job) sift(ctx context.Context) {
	var unmatched []string // globs
	sources := j.Sources.Sources(ctx, j.to, func(glob string) { unmatched = append(unmatched, glob) })
	if !j.Quiet {
		j.out.Write(j.printer.Header)
	}
	if j.counter == nil {
		j.siftSome(ctx, sources)
	} else {
		for some := range counts.Bundles(sources) {
			more := j.siftSome(ctx, j.counter.Watch(some))
			j.counter.Finish(more)
			if !more {
				break
			}
		}
	}
	err := j.out.Close()
	if j.to != os.Stdout {
		if failed := j.to.Close(); err == nil {
			err = failed // a disk may say only now that it is full
		}
	}
	if ctx.Err() == nil && err == nil {
		for _, glob := range unmatched {
			j.report.Warn(fmt.Sprintf("no file matches the glob %q", glob))
		}
		j.report.SumUp(j.x.Stats().Skipped)
	}
	if err != nil && !output.PipeClosed(err) {
		j.report.Tell(j.toName() + ": " + output.Cause(err))
	}
}

// toName returns what messages call the output.
func (j *job) toName() string {
	if j.to != os.Stdout {
		return j.redactor.Text(j.Output)
	}
	return "standard output"
}

// siftSome reads some inputs and reports whether others are wanted. An error is
// about one input, or one stretch of it; those behind it are read all the same.
func (j *job) siftSome(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	if j.encodes() {
		return j.siftEncoded(ctx, sources)
	}
	for r, err := range j.x.Run(ctx, sources) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			if !j.overfull(err) {
				j.report.Input(err)
			}
			continue
		}
		if j.take(r) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// take prints or counts r, if it is asked for. The error is that of the output.
func (j *job) take(r *extract.Result) error {
	var of *counts.Total
	if j.counter != nil {
		j.renamed = *r
		of, j.renamed.Origin.Source = j.counter.Reach(r.Origin.Source)
		r = &j.renamed
	}
	if of != nil && (of.Full() || of.Found > 0 && j.List && j.seen == nil) {
		return nil // the source is told already
	}
	if !j.Filter.Keeps(r) || j.seen != nil && !j.seen.Add(printer.Shown(r)) {
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
	j.line = j.end(printer.AppendName(j.line[:0], j.redactor.Text(of.Name), j.safe))
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

// enough returns errEnough once something was found.
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

// tellCount prints the count of one source.
func (j *job) tellCount(name string, found int64) {
	j.line = j.line[:0]
	if j.named {
		j.line = append(printer.AppendName(j.line, j.redactor.Text(name), j.safe), ':')
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

// status returns the exit status of a run that came to its end. That nobody
// wanted the rest is no trouble, and no reason to say that nothing was found.
func (j *job) status() int {
	switch err := j.out.Flush(); {
	case err != nil && output.PipeClosed(err), j.Quiet && j.found:
		return foundSome
	case j.report.Failed:
		return hadTrouble
	case j.found:
		return foundSome
	}
	return foundNone
}

// account prints the stats, if they are asked for. What is below may still be at work if the
// run was interrupted.
func (j *job) account(interrupted bool) {
	if j.Stats == stats.None {
		return
	}
	r := stats.New(j.x.Stats(), j.out.Printed.Load(), interrupted)
	j.report.Asked(j.out.Remark(r.As(j.Stats)))
}
