package main

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/hide"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/page"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/extract"
)

// run does what o requests and returns the exit status. An error is a usage error;
// nothing was done then.
func run(o *flags.Options) (status int, err error) {
	o.Extract.Delimit.NoLines = o.Task != flags.Find || o.Print.Prefix&(printer.WithLine|printer.WithColumn) == 0 && !o.Print.HasField("line") && !o.Print.HasField("column")
	if o.Extract.Workers >= 0 {
		if o.Extract.Workers, err = process.Fewer(o.Extract.Workers); err != nil {
			return hadErrors, err
		}
	}
	x, err := extract.New(o.Extract)
	if err != nil {
		var e *extract.Error
		if errors.As(err, &e) {
			err = e.Err // the position is not part of the message: it is the command line
		}
		return hadErrors, flags.Misuse("%s", err)
	}

	if o.Task != flags.Find {
		limitMemory(&o.Tally)
	}
	known, to, err := openState(o)
	if err != nil {
		return hadErrors, flags.Misuse("%s", err)
	}
	if known != nil { // openState has set o.Extract.Resume
		if x, err = extract.New(o.Extract); err != nil {
			return hadErrors, err
		}
	}
	if o.Most < 0 {
		return foundNone, nil // -m 0 prints nothing, as in grep
	}
	if o.Task == flags.Report && term.IsTerminal(int(to.Fd())) {
		return hadErrors, flags.Misuse("the report is a page for a browser; write it to a file with -o FILE")
	}
	j := newJob(o, x, to, term.IsTerminal(int(to.Fd())))
	j.state = known
	j.warn()
	status = process.Attend(j.out, func(ctx context.Context) {
		j.progress.Start(ctx, o.Sources.Sizes(ctx))
		j.sift(ctx)
		j.progress.Stop(ctx.Err() == nil)
	})
	j.printStats(status != 0)
	if status != 0 {
		return status, nil
	}
	return j.status(), nil
}

// warn reports parts of the command line without effect, and that the command waits for a
// terminal.
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

// newJob returns the job for o. terminal says that the output is one: then records are
// written one by one, and have no control characters.
func newJob(o *flags.Options, x *extract.Extractor, to *os.File, terminal bool) *job {
	o.Print.Style = styleOf(o, terminal)
	j := &job{Options: o, x: x, to: to, safe: terminal, printer: printer.New(&o.Print, terminal), redactor: hide.Passwords{On: o.Print.Redact}}
	j.out = output.New(output.Whole(to, o.Print.Format.Ends(o.Print.Null)), output.Patient{File: os.Stderr}, terminal)
	j.report = messages.New(o.Messages, j.out, hide.Passwords{On: o.Print.Redact}, flags.ForLimit)
	j.progress = progress.New(o.Progress, j.out, x)
	if o.Progress == progress.Auto && o.Sources.Stdin() && term.IsTerminal(int(os.Stdin.Fd())) {
		j.progress.Shown = false // it would appear in what the user types
	}
	switch o.Task {
	case flags.Report:
		j.task = &reporting{j, page.New(page.Options{Title: titleOf(o), Grammar: grammarOf(o), Redact: o.Print.Redact, Memory: o.Tally.Memory})}
	case flags.Count:
		j.task = &counting{j, tally.New(o.Tally, o.Print.Redact, o.Extract.Workers)}
	default:
		p := newPrinting(j)
		if j.task = p; o.Follow {
			j.task = following{p}
		}
	}
	return j
}

// styleOf returns the style of lines of text. A flag counts more than the environment.
func styleOf(o *flags.Options, terminal bool) printer.Style {
	able := terminal && os.Getenv("TERM") != "dumb"
	s := printer.Style{
		Color: o.Color == progress.Always || o.Color == progress.Auto && able && os.Getenv("NO_COLOR") == "",
		Links: o.Hyperlink && (able || o.Color == progress.Always),
		Stdin: o.Sources.Name,
	}
	if s.Links {
		s.Host, _ = os.Hostname()
	}
	return s
}

// sift reads all inputs. It ends early if ctx ends or if the consumer has stopped. All
// results are written before it returns.
func (j *job) sift(ctx context.Context) {
	if j.state != nil {
		j.Sources.Without = j.state.Sources
	}
	var unmatched []string // globs, and lines of --base-map
	sources := j.Sources.Sources(ctx, j.to, func(what string) { unmatched = append(unmatched, what) })
	if j.state != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		j.beginState(stop)
	}
	if !j.Quiet && j.Task == flags.Find && !j.continues() {
		j.out.Write(j.printer.Header)
	}
	j.task.read(ctx, sources)
	if j.state != nil {
		j.endState()
	}
	err := j.out.Close()
	if j.to != os.Stdout {
		if failed := j.to.Close(); err == nil {
			err = failed // a full disk may be reported only now
		}
	}
	if (ctx.Err() == nil || j.Follow) && err == nil {
		for _, what := range unmatched {
			j.report.Warn("no file matches " + what)
		}
		j.task.warn()
		j.report.SumUp(j.x.Stats().Skipped)
	}
	if err != nil && !output.PipeClosed(err) {
		j.report.Error(j.toName() + ": " + output.Cause(err))
	}
}

// printStats prints the stats, if they are requested. If the run was interrupted, workers
// may still be running.
func (j *job) printStats(interrupted bool) {
	if j.Stats == stats.None {
		return
	}
	r := stats.New(j.x.Stats(), j.out.Printed.Load(), interrupted)
	j.report.Asked(j.out.Remark(r.As(j.Stats)))
}
