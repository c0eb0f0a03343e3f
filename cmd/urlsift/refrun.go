package main

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
)

// The exit statuses of the subcommands that work on references: those of the main
// job, where a reference that is refused is one that was not found; and those of
// cmp.
const (
	allTaken    = foundSome
	someRefused = foundNone

	areEqual = 0
	areNot   = 1
)

// A refRunner answers for one reference after the other.
type refRunner struct {
	*options
	command  *refCommand
	printer  answerPrinter
	out      *output.Output
	line     []byte // the record that is being made
	refused  bool
	trouble  bool
	deserted bool // nobody reads the answers
}

// answerAll answers for the references of o or of standard input, and returns the exit
// status. An error is a usage error, and nothing was done then.
func answerAll(o *options) (status int, err error) {
	if _, err := process.Enough(process.ForRuntime, process.ForRuntime); err != nil {
		return hadTrouble, err
	}
	j, err := newRefCommand(o)
	if err != nil {
		return hadTrouble, err
	}
	terminal := term.IsTerminal(int(os.Stdout.Fd()))
	r := &refRunner{options: o, command: j, out: output.New(output.Whole(os.Stdout, o.print.Format.Ends(o.print.Null)), output.Patient{File: os.Stderr}, terminal)}
	r.printer = answerPrinter{task: o.task, format: o.print.Format, safe: terminal, guard: o.print.Guard}
	status = process.Attend(r.out, r.all)
	switch {
	case status != 0:
		return status, nil
	case r.deserted:
		return allTaken, nil
	case r.trouble:
		return hadTrouble, nil
	case r.refused:
		return someRefused, nil
	}
	return allTaken, nil
}

// all answers for all references. Those before a wait for more are answered
// before it, so that somebody may ask one by one.
func (r *refRunner) all(ctx context.Context) {
	r.out.Write(r.printer.header())
	for ref, err := range references(r.options, output.Patient{File: os.Stdin}, func() { r.out.Flush() }) {
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
func (r *refRunner) answer(ref reference, err error) bool {
	var a *answer
	switch {
	case errors.Is(err, errLongLine):
		r.tell(ref.place() + err.Error())
		a = unanswered(r.task, err)
	case err != nil:
		r.tell("-: " + output.Cause(err))
		return false
	default:
		a = r.command.answer(ref.text)
		r.refused = r.refused || a.fault != ""
		if a.fault != "" && r.task == normalizing && r.print.Format != output.Text {
			r.out.Message(ref.place() + a.fault) // the record has no place for it
		}
	}
	r.line = r.printer.append(r.line[:0], a)
	return r.out.Write(r.line) == nil
}

// tell reports an error, which the exit status remembers.
func (r *refRunner) tell(what string) {
	r.trouble = true
	r.out.Message(what)
}
