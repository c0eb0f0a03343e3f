package refs

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
)

// A runner answers one reference after another.
type runner struct {
	*Answerer
	printer  Printer
	out      *output.Output
	line     []byte // the record, reused
	refused  bool
	failed   bool
	deserted bool // the reader of the answers has closed the pipe
}

// Run answers the references of o, or those of standard input, and returns the exit
// status. An error is a usage error; nothing was done then.
func Run(o Options) (status int, err error) {
	if o.Layout.Text {
		return rewrap(o.Layout)
	}
	if _, err := process.Enough(process.ForRuntime, process.ForRuntime); err != nil {
		return failed, err
	}
	j, err := New(o)
	if err != nil {
		return failed, err
	}
	terminal := term.IsTerminal(int(os.Stdout.Fd()))
	r := &runner{Answerer: j, out: output.New(output.Whole(os.Stdout, o.Format.Ends(false)), output.Patient{File: os.Stderr}, terminal)}
	r.printer = Printer{Do: o.Do, Format: o.Format, Safe: terminal, Guard: o.Guard}
	status = process.Attend(r.out, r.all)
	switch {
	case status != 0:
		return status, nil
	case r.deserted:
		return allTaken, nil
	case r.failed:
		return failed, nil
	case r.refused:
		return someRefused, nil
	}
	return allTaken, nil
}

// all answers all references. Answers are written before a wait for more input, so that a
// person can enter one reference at a time.
func (r *runner) all(ctx context.Context) {
	r.out.Write(r.printer.Header())
	for ref, err := range references(r.Refs, output.Patient{File: os.Stdin}, func() { r.out.Flush() }) {
		if ctx.Err() != nil || !r.answer(ref, err) {
			break
		}
	}
	if err := r.out.Close(); err != nil {
		if r.deserted = output.PipeClosed(err); !r.deserted {
			r.report("standard output: " + output.Cause(err))
		}
	}
}

// answer answers one reference, or reports the error in its place. It returns whether to continue.
func (r *runner) answer(ref reference, err error) bool {
	var a *Answer
	switch {
	case errors.Is(err, errLongLine):
		r.report(ref.messagePrefix() + err.Error())
		a = unanswered(r.Do, err)
	case err != nil:
		r.report("-: " + output.Cause(err))
		return false
	default:
		a = r.Answerer.Answer(ref.text)
		r.refused = r.refused || a.Fault != ""
		if a.Fault != "" && r.Do == Normalize && r.Format != output.Text {
			r.out.Message(ref.messagePrefix() + a.Fault) // the record has no field for it
		}
	}
	r.line = r.printer.Append(r.line[:0], a)
	return r.out.Write(r.line) == nil
}

// report reports an error, which sets the exit status.
func (r *runner) report(what string) {
	r.failed = true
	r.out.Message(what)
}
