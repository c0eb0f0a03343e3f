package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
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
	o.Extract.Delimit.NoLines = o.Task&(flags.Find|flags.Check|flags.Report) == 0 || o.Task == flags.Find && o.Print.Prefix&(printer.WithLine|printer.WithColumn) == 0 && !o.Print.HasField("line") && !o.Print.HasField("column")
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

	if o.Task&(flags.Count|flags.Report) != 0 {
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
	defer to.Discard()
	if o.Most < 0 {
		return foundNone, to.Finish(true) // -m 0 prints nothing, as in grep
	}
	if o.Task == flags.Report && term.IsTerminal(int(to.Fd())) {
		return hadErrors, flags.Misuse("the report is a page for a browser; write it to a file with -o FILE")
	}
	s := newSifting(o, x, to, term.IsTerminal(int(to.Fd())))
	s.state = known
	s.warn()
	status = process.Attend(s.out, func(ctx context.Context) {
		context.AfterFunc(ctx, to.Discard)
		s.progress.Start(ctx, o.Sources.Sizes(ctx))
		s.sift(ctx)
		s.progress.Stop(ctx.Err() == nil)
	})
	s.printStats(status != 0)
	if status != 0 {
		return status, nil
	}
	return s.status(), nil
}

// warn reports parts of the command line without effect, and that the command waits for a
// terminal.
func (s *sifting) warn() {
	for _, doubt := range s.Filter.Doubts(flags.Distance) {
		s.report.Warn(doubt)
	}
	stdin, listed := s.Sources.StdinText(), len(s.Sources.Lists) > 0
	if s.Sources.Name != "" && !stdin && !listed {
		s.report.Warn("--source-name: standard input is not read")
	}
	if !s.Sources.Shard.IsAll() && !s.Sources.Several() {
		s.report.Warn("--shard: one input is not divided, and is in one of the parts")
	}
	if len(s.Paths) == 0 && stdin && term.IsTerminal(int(os.Stdin.Fd())) {
		s.report.Hint("reading the terminal, since no path is given; Ctrl-D ends the input, and urlsift --help explains the command")
	}
}

// newSifting returns the sifting for o. terminal says that the output is a terminal: then records
// are written one by one, and have no control characters.
func newSifting(o *flags.Options, x *extract.Extractor, to *output.File, terminal bool) *sifting {
	o.Print.Style = styleOf(o, terminal)
	s := &sifting{Options: o, x: x, to: to, safe: terminal, printer: printer.New(&o.Print, terminal), redactor: hide.Passwords{On: o.Print.Redact}}
	s.out = output.New(output.Whole(to.File, o.Print.Format.Ends(o.Print.Null)), output.Patient{File: os.Stderr}, terminal)
	s.report = messages.New(o.Messages, s.out, hide.Passwords{On: o.Print.Redact}, flags.ForLimit)
	s.report.Named = func(source string) bool { return slices.Contains(o.Paths, source) }
	s.progress = progress.New(o.Progress, s.out, x)
	if o.Progress == progress.Auto && o.Sources.Stdin() && term.IsTerminal(int(os.Stdin.Fd())) {
		s.progress.Shown = false // it would appear in what the user types
	}
	switch o.Task {
	case flags.Report:
		s.task = &reporting{s, page.New(pageOptions(o))}
	case flags.Count:
		s.task = &counting{s, tally.New(o.Tally, o.Print.Redact, o.Extract.Workers)}
	case flags.Check:
		s.task = &checking{s, check.New(o.Check, o.Print.Redact)}
	default:
		p := newPrinting(s)
		if s.task = p; o.Follow {
			s.task = following{p}
		}
	}
	return s
}

// styleOf returns the style of lines of text. A flag counts more than the environment.
func styleOf(o *flags.Options, terminal bool) printer.Style {
	able := terminal && os.Getenv("TERM") != "dumb"
	style := printer.Style{
		Color: o.Color == progress.Always || o.Color == progress.Auto && able && os.Getenv("NO_COLOR") == "",
		Links: o.Hyperlink && (able || o.Color == progress.Always),
		Stdin: o.Sources.Name,
	}
	if style.Links {
		style.Host, _ = os.Hostname()
	}
	return style
}

// sift reads all inputs. It ends early if ctx ends or if the consumer has stopped. All
// results are written before it returns.
func (s *sifting) sift(ctx context.Context) {
	if s.state != nil {
		s.Sources.Without = s.state.Sources
	}
	var unmatched []string // globs, and lines of --base-map
	sources := s.Sources.Sources(ctx, s.to, func(what string) { unmatched = append(unmatched, what) })
	if s.state != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		s.beginState(stop)
	}
	if !s.Quiet && s.Task == flags.Find && !s.continues() {
		s.out.Write(s.printer.Header)
	}
	s.task.read(ctx, sources)
	if s.state != nil {
		s.endState()
	}
	err := s.out.Close()
	if failed := s.to.Finish(err == nil && ctx.Err() == nil && !s.broken); err == nil {
		err = failed // a full disk may be reported only now
	}
	if (ctx.Err() == nil || s.Follow) && err == nil {
		for _, what := range unmatched {
			s.report.Warn("no file matches " + what)
		}
		s.task.warn()
		if n := s.Filter.Undated; n != nil && n.Load() > 0 {
			s.report.Note("references without a date that --since and --until left out: " + strconv.FormatInt(n.Load(), 10))
		}
		s.report.SumUp(s.x.Stats().SkippedRuns)
	}
	if err != nil && !output.PipeClosed(err) {
		s.report.Error(s.toName() + ": " + output.Cause(err))
	}
}

// printStats prints the stats, if they are requested. If the run was interrupted, workers
// may still be running.
func (s *sifting) printStats(interrupted bool) {
	if s.Stats == stats.None {
		return
	}
	r := stats.New(s.x.Stats(), s.out.Printed.Load(), interrupted)
	s.report.Asked(s.out.Remark(r.As(s.Stats)))
}
