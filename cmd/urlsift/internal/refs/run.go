package refs

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
)

// The exit statuses: 0 if all references are taken, 1 if one is refused, 2 if something
// cannot be read or written; those of [Compare] are those of cmp.
const (
	allTaken    = 0
	someRefused = 1
	failed      = 2

	areEqual = 0
	areNot   = 1
)

// A runner answers for one reference after the other.
type runner struct {
	*Answerer
	printer  Printer
	out      *output.Output
	line     []byte // the record that is being made
	refused  bool
	trouble  bool
	deserted bool // nobody reads the answers
}

// Run answers for the references of o or of standard input, and returns the exit
// status. An error is a usage error, and nothing was done then.
func Run(o Options) (status int, err error) {
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
	case r.trouble:
		return failed, nil
	case r.refused:
		return someRefused, nil
	}
	return allTaken, nil
}

// all answers for all references. Those before a wait for more are answered
// before it, so that somebody may ask one by one.
func (r *runner) all(ctx context.Context) {
	r.out.Write(r.printer.Header())
	for ref, err := range references(r.Refs, output.Patient{File: os.Stdin}, func() { r.out.Flush() }) {
		if ctx.Err() != nil || !r.answer(ref, err) {
			break
		}
	}
	if err := r.out.Close(); err != nil {
		if r.deserted = output.PipeClosed(err); !r.deserted {
			r.tell("standard output: " + output.Cause(err))
		}
	}
}

// answer answers for one reference, or for what came in its place, and reports
// whether others are wanted.
func (r *runner) answer(ref reference, err error) bool {
	var a *Answer
	switch {
	case errors.Is(err, errLongLine):
		r.tell(ref.place() + err.Error())
		a = unanswered(r.Do, err)
	case err != nil:
		r.tell("-: " + output.Cause(err))
		return false
	default:
		a = r.Answerer.Answer(ref.text)
		r.refused = r.refused || a.Fault != ""
		if a.Fault != "" && r.Do == Normalize && r.Format != output.Text {
			r.out.Message(ref.place() + a.Fault) // the record has no place for it
		}
	}
	r.line = r.printer.Append(r.line[:0], a)
	return r.out.Write(r.line) == nil
}

// tell reports an error, which the exit status remembers.
func (r *runner) tell(what string) {
	r.trouble = true
	r.out.Message(what)
}
