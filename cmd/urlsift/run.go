package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
	"github.com/urlsift/urlsift/extract"
)

// The exit statuses are those of grep; 130 is that of a shell for ^C.
const (
	foundSome   = 0
	foundNone   = 1
	hadErrors   = 2
	interrupted = 130
)

// A run reads all inputs once, or with -F until it is interrupted.
type run struct {
	o        *flags.Options
	x        *extract.Extractor
	to       *output.File // what out writes to
	out      *output.Output
	printer  output.Printer
	report   *messages.Reporter
	state    *state.State // nil if the run has no state
	ended    bool         // all results are in the output, so the next run need not cut it
	progress *progress.Progress
	safe     bool             // records go to a terminal
	redactor output.Passwords // hides passwords in names and messages
	broken   bool             // sums were lost, so the output does not have what was found
	found    bool             // a result that the grammar accepts was printed or counted
}

// search does what o requests and returns the exit status. An error is a usage error;
// nothing was done then.
func search(o *flags.Options) (status int, err error) {
	o.Extract.Delimit.NoLines = o.Task&(flags.Find|flags.Check|flags.Report) == 0 || o.Task == flags.Find && o.Print.Prefix&(output.WithLine|output.WithColumn) == 0 && !o.Print.HasField("line") && !o.Print.HasField("column")
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
	r := newRun(o, x, to, term.IsTerminal(int(to.Fd())))
	r.state = known
	r.warn()
	status = process.Attend(r.out, func(ctx context.Context) {
		context.AfterFunc(ctx, to.Discard)
		r.progress.Start(ctx, o.Sources.Sizes(ctx))
		r.read(ctx)
		r.progress.Stop(ctx.Err() == nil)
	})
	r.printStats(status != 0)
	if status != 0 {
		return status, nil
	}
	return r.status(), nil
}

// newRun returns the run for o. terminal says that the output is a terminal: then records
// are written one by one, and have no control characters.
func newRun(o *flags.Options, x *extract.Extractor, to *output.File, terminal bool) *run {
	o.Print.Style = styleOf(o, terminal)
	r := &run{o: o, x: x, to: to, safe: terminal, printer: output.NewPrinter(&o.Print, terminal), redactor: output.Passwords{On: o.Print.Redact}}
	r.out = output.New(output.Whole(to.File, o.Print.Format.Ends(o.Print.Null)), output.Patient{File: os.Stderr}, terminal)
	r.report = messages.New(o.Messages, r.out, output.Passwords{On: o.Print.Redact}, flags.ForLimit)
	r.progress = progress.New(o.Progress, r.out, x)
	if o.Progress == progress.Auto && o.Sources.Stdin() && term.IsTerminal(int(os.Stdin.Fd())) {
		r.progress.Shown = false // it would appear in what the user types
	}
	return r
}

// styleOf returns the style of lines of text. A flag counts more than the environment.
func styleOf(o *flags.Options, terminal bool) output.Style {
	able := terminal && os.Getenv("TERM") != "dumb"
	style := output.Style{
		Color: o.Color == progress.Always || o.Color == progress.Auto && able && os.Getenv("NO_COLOR") == "",
		Links: o.Hyperlink && (able || o.Color == progress.Always),
		Stdin: o.Sources.Name,
	}
	if style.Links {
		style.Host, _ = os.Hostname()
	}
	return style
}

// warn reports parts of the command line without effect, and that the command waits for a
// terminal.
func (r *run) warn() {
	for _, doubt := range r.o.Filter.Doubts() {
		r.report.Warn(doubt)
	}
	stdin, listed := r.o.Sources.StdinText(), len(r.o.Sources.Lists) > 0
	if r.o.Sources.Name != "" && !stdin && !listed {
		r.report.Warn("--source-name: standard input is not read")
	}
	if !r.o.Sources.Shard.IsAll() && !r.o.Sources.Several() {
		r.report.Warn("--shard: one input is not divided, and is in one of the parts")
	}
	if len(r.o.Paths) == 0 && stdin && term.IsTerminal(int(os.Stdin.Fd())) {
		r.report.Hint("reading the terminal, since no path is given; Ctrl-D ends the input, and urlsift --help explains the command")
	}
}

// read reads all inputs. It ends early if ctx ends or if the consumer has stopped. All
// results are written before it returns.
func (r *run) read(ctx context.Context) {
	if r.state != nil {
		r.o.Sources.Without = r.state.Sources
	}
	var unmatched []string // globs, and lines of --base-map
	sources := r.o.Sources.Sources(ctx, r.to, func(what string) { unmatched = append(unmatched, what) })
	if r.state != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		r.beginState(stop)
	}
	undated := ""
	switch r.o.Task {
	case flags.Count:
		undated = countAll(ctx, r, sources)
	case flags.Report:
		writeReport(ctx, r, sources)
	case flags.Check:
		checkAll(ctx, r, sources)
	default:
		if !r.o.Quiet && !r.continues() {
			r.out.Write(r.printer.Header)
		}
		find(ctx, r, sources)
	}
	if r.state != nil {
		r.endState()
	}
	err := r.out.Close()
	if failed := r.to.Finish(err == nil && ctx.Err() == nil && !r.broken); err == nil {
		err = failed // a full disk may be reported only now
	}
	if (ctx.Err() == nil || r.o.Follow) && err == nil {
		for _, what := range unmatched {
			r.report.Warn("no file matches " + what)
		}
		if undated != "" {
			r.report.Warn(undated)
		}
		if n := r.o.Filter.Undated; n != nil && n.Load() > 0 {
			r.report.Note("references without a date that --since and --until left out: " + strconv.FormatInt(n.Load(), 10))
		}
		r.report.SumUp(r.x.Stats().SkippedRuns)
	}
	if err != nil && !output.PipeClosed(err) {
		r.report.Error(r.toName() + ": " + output.Cause(err))
	}
}

// printStats prints the stats, if they are requested. If the run was interrupted, workers
// may still be running.
func (r *run) printStats(interrupted bool) {
	if r.o.Stats == stats.None {
		return
	}
	all := stats.New(r.x.Stats(), r.out.Printed.Load(), interrupted)
	r.report.Asked(r.out.Remark(all.As(r.o.Stats)))
}

// toName returns what messages call the output.
func (r *run) toName() string {
	if r.to.File != os.Stdout {
		return r.redactor.Text(r.o.Output)
	}
	return "standard output"
}

// failedInput reports err, if it is not nil, unless the run has ended.
func (r *run) failedInput(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		r.report.Input(err)
	}
}

// status returns the exit status of a complete run. A closed pipe is no error, and does
// not mean that nothing was found.
func (r *run) status() int {
	err := r.out.Flush()
	if r.o.Task == flags.Check { // what is found is wrong, and an error is never clean
		switch {
		case r.report.Failed, err != nil && !output.PipeClosed(err):
			return hadErrors
		case r.found:
			return foundNone
		}
		return foundSome
	}
	switch {
	case err != nil && output.PipeClosed(err), r.o.Quiet && r.found:
		return foundSome
	case r.report.Failed:
		return hadErrors
	case r.found:
		return foundSome
	}
	return foundNone
}

// continues reports whether the output has records of earlier runs.
func (r *run) continues() bool {
	if r.o.State.Path == "" || r.o.Output == "" || r.o.Output == "-" {
		return false
	}
	at, err := r.to.Seek(0, 1)
	return err == nil && at > 0
}

// beginState prepares a run with a state. If the state fails, it calls stop, which ends the run.
func (r *run) beginState(stop context.CancelFunc) {
	r.state.OnFailure = stop
	if kept := r.state.Lost; kept != "" {
		r.report.Warn(fmt.Sprintf("%s: there is no such file, so everything is read again; %s is a copy of it", r.o.State.Path, kept))
	}
	r.state.Written = func() (state.OutputFile, error) {
		if err := r.out.Flush(); err != nil {
			return state.OutputFile{}, err
		}
		if r.o.State.Path == "" {
			return state.OutputFile{}, nil // the state is temporary: it need not agree with the output
		}
		info, err := r.to.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return state.OutputFile{}, nil
		}
		if err := r.to.Sync(); err != nil {
			return state.OutputFile{}, err
		}
		if r.o.Output == "" || r.o.Output == "-" {
			return state.OutputFile{}, nil
		}
		device, inode := output.Inode(info)
		length, err := r.to.Seek(0, 1)
		return state.OutputFile{Path: r.o.Output, Device: device, Inode: inode, Length: length, Ended: r.ended, Form: formOf(r.o)}, err
	}
	r.state.Save() // from here on the output is known
}

// endState saves and closes the state, and reports its error.
func (r *run) endState() {
	r.ended = true
	if err := r.state.Close(); err != nil && !r.state.OutputFailed() {
		r.report.Error(err.Error())
	}
}
