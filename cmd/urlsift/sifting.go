package main

import (
	"context"
	"iter"
	"os"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/hide"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/messages"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/progress"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/extract"
)

// The exit statuses are those of grep; 130 is that of a shell for ^C.
const (
	foundSome   = 0
	foundNone   = 1
	hadErrors   = 2
	interrupted = 130
)

// A sifting is one run over the inputs.
type sifting struct {
	*flags.Options
	x        *extract.Extractor
	to       *output.File // what out writes to
	out      *output.Output
	printer  printer.Printer
	report   *messages.Reporter
	task     task         // what is done with results
	state    *state.State // nil if the run has no state
	ended    bool         // all results are in the output, so the next run need not cut it
	progress *progress.Progress
	safe     bool           // records go to a terminal
	redactor hide.Passwords // hides passwords in names and messages
	broken   bool           // sums were lost, so the output does not have what was found
	found    bool           // a result that the grammar accepts was printed or counted
}

// A task is what a run does with results: it prints them, follows files and prints, counts, makes a
// report, or checks them.
type task interface {
	// read reads sources. If ctx has ended, it prints what was counted until then.
	read(ctx context.Context, sources iter.Seq[extract.Source])

	// warn prints warnings about the results of a complete run.
	warn()
}

// toName returns what messages call the output.
func (s *sifting) toName() string {
	if s.to.File != os.Stdout {
		return s.redactor.Text(s.Output)
	}
	return "standard output"
}

// failedInput reports err, if it is not nil, unless the run has ended.
func (s *sifting) failedInput(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.report.Input(err)
	}
}

// status returns the exit status of a complete run. A closed pipe is no error, and does
// not mean that nothing was found.
func (s *sifting) status() int {
	err := s.out.Flush()
	if s.Task == flags.Check { // what is found is wrong, and an error is never clean
		switch {
		case s.report.Failed, err != nil && !output.PipeClosed(err):
			return hadErrors
		case s.found:
			return foundNone
		}
		return foundSome
	}
	switch {
	case err != nil && output.PipeClosed(err), s.Quiet && s.found:
		return foundSome
	case s.report.Failed:
		return hadErrors
	case s.found:
		return foundSome
	}
	return foundNone
}
