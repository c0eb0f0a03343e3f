package main

import (
	"context"
	"errors"
	"iter"
	"os"
	"runtime/debug"
	"slices"
	"strconv"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/extract"
)

// usualGarbage is how much garbage there may be, in percent of what is in use: that is a
// few MiB, which do not grow with the inputs, and to look for what little garbage comes of
// a hundred thousand files took a thirtieth of the time. What the option unique remembers
// does grow: there it is as much as usual.
const usualGarbage = 200

// A job is one run over the inputs.
type job struct {
	*options
	x        *extract.Extractor
	out      *output.Output
	printer  printer
	seen     seen           // nil if a URL may be printed twice
	counter  *sourceCounter // nil if sources are not counted
	progress *progress.Progress
	named    bool     // counts have the source's name in front
	choosy   bool     // there are filters
	safe     bool     // records go to a terminal
	redactor redactor // over passwords in names

	line    []byte // the line of a source that is being made
	found   bool   // something was printed or counted, and not only refused
	trouble bool   // there was an error
	warned  warned
}

// run does what o asks for and returns the exit status. An error is one of
// usage, and nothing was done then.
func run(o *options) (status int, err error) {
	o.extract.Delimit.NoLines = o.place&(withLine|withColumn) == 0 && !o.hasField("line") && !o.hasField("column")
	if o.extract.Workers >= 0 {
		if o.extract.Workers, err = process.Fewer(o.extract.Workers); err != nil {
			return hadTrouble, err
		}
	}
	x, err := extract.New(o.extract)
	if err != nil {
		var e *extract.Error
		if errors.As(err, &e) {
			err = e.Err // its place is the command line
		}
		return hadTrouble, misuse("%s", err)
	}

	if !o.unique && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(usualGarbage)
	}
	j := newJob(o, x, term.IsTerminal(int(os.Stdout.Fd())))
	status = process.Attend(j.out, func(ctx context.Context) {
		j.progress.Start(ctx, o.walk.Walk(o.paths...))
		j.sift(ctx)
		j.progress.Stop(ctx.Err() == nil)
	})
	j.account(status != 0)
	if status != 0 {
		return status, nil
	}
	return j.status(), nil
}

// newJob returns the job that o asks for. Terminal says that standard output is
// one: then records go out one by one, and hold nothing that gives orders to it.
func newJob(o *options, x *extract.Extractor, terminal bool) *job {
	j := &job{options: o, x: x, safe: terminal, printer: newPrinter(o, terminal), redactor: redactor{on: o.redact}}
	j.out = output.New(output.Whole(os.Stdout, o.ends()), output.Patient{File: os.Stderr}, terminal)
	j.progress = progress.New(o.progress, j.out, x)
	if o.progress == progress.Auto && readsStdin(o.paths) && term.IsTerminal(int(os.Stdin.Fd())) {
		j.progress.Shown = false // it would stand in what is typed
	}
	j.choosy = len(o.schemes) > 0 || len(o.hosts) > 0
	if o.unique && !o.quiet {
		j.seen = make(seen)
	}
	if (o.count || o.list) && !o.quiet {
		j.counter = &sourceCounter{end: func(string, int64) {}}
	}
	if o.count && !o.list && !o.quiet {
		j.named = o.place&withName != 0 || several(o.paths, isDir)
		j.counter.end = j.tellCount
	}
	return j
}

// sift reads all inputs. It ends early if ctx does or if the consumer has stopped.
// What it found goes out before it returns.
func (j *job) sift(ctx context.Context) {
	walk := j.walk
	walk.Unsized = true // only progress wants to know, of which that is a walk of its own
	sources := besides(os.Stdout, walk.Walk(j.paths...), j.paths)
	if !j.quiet {
		j.out.Write(j.printer.header)
	}
	if j.counter == nil {
		j.siftSome(ctx, sources)
	} else {
		for some := range bundles(sources) {
			more := j.siftSome(ctx, j.counter.watch(some))
			j.counter.finish(more)
			if !more {
				break
			}
		}
	}
	err := j.out.Close()
	if ctx.Err() == nil && err == nil {
		j.sumUp()
	}
	if err != nil && !output.PipeClosed(err) {
		j.tell("standard output: " + output.Cause(err))
	}
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
			j.complain(err)
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
	var of *total
	if j.counter != nil {
		of, _ = j.counter.reach(r.Origin.Source)
	}
	if of != nil && of.found > 0 && j.list && j.seen == nil {
		return nil // the source is told already
	}
	if j.choosy && !j.keeps(r) || j.seen != nil && !j.seen.add(shown(r)) {
		return nil
	}
	j.found = j.found || r.Valid
	if j.quiet {
		return j.enough()
	}
	if of == nil {
		return j.out.Print(j.printer.append, r)
	}
	j.out.Printed.Add(1)
	of.found++
	if !j.list || of.found > 1 {
		return nil
	}
	j.line = j.end(appendName(j.line[:0], j.redactor.of(of.name), j.safe))
	return j.out.Write(j.line)
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

// tellCount prints the count of one source.
func (j *job) tellCount(name string, found int64) {
	j.line = j.line[:0]
	if j.named {
		j.line = append(appendName(j.line, j.redactor.of(name), j.safe), ':')
	}
	j.line = j.end(strconv.AppendInt(j.line, found, 10))
	j.out.Write(j.line)
}

// end appends the end of a record.
func (j *job) end(line []byte) []byte {
	if j.null {
		return append(line, 0)
	}
	return append(line, '\n')
}

// status returns the exit status of a run that came to its end. That nobody
// wanted the rest is no trouble, and no reason to say that nothing was found.
func (j *job) status() int {
	switch err := j.out.Flush(); {
	case err != nil && output.PipeClosed(err), j.quiet && j.found:
		return foundSome
	case j.trouble:
		return hadTrouble
	case j.found:
		return foundSome
	}
	return foundNone
}

// readsStdin reports whether standard input is among what paths stand for.
func readsStdin(paths []string) bool { return len(paths) == 0 || slices.Contains(paths, "-") }

// isDir reports whether path is a directory, or leads to one.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// several reports whether what is given by paths may be more than one source.
func several(paths []string, isDir func(string) bool) bool {
	return len(paths) > 1 || len(paths) == 1 && isDir(paths[0])
}
