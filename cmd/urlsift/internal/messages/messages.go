// Package messages reports on standard error what goes wrong. An error says that input was
// lost or not read, and sets the exit status. A warning says that input breaks the rules and
// was read all the same: warnings are counted, and the last line says how many there were.
//
//	r := messages.New(o.Messages, out, hide.Passwords{On: o.Redact}, flags.Moving)
//	r.Input(err)     // of a stretch of some input
//	r.SumUp(skipped) // after all input was read
//	if r.Failed {
//		status = 2
//	}
package messages

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/hide"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options say what is reported, and how.
type Options struct {
	Form   Form
	Silent bool // neither errors nor warnings about inputs are printed
	Each   bool // each warning is printed, and not only how many there were
	Strict bool // warnings are errors
	Quiet  bool // there is no line that sums up
}

// A Form is how errors and warnings are written.
type Form uint8

const (
	Text Form = iota // lines
	JSON             // objects, one a line
)

// Forms are the names of Form, in its order.
var Forms = []string{"text", "json"}

// UnmarshalText sets f to the form called name.
func (f *Form) UnmarshalText(name []byte) error {
	i := slices.Index(Forms, string(name))
	if i < 0 {
		return fmt.Errorf("no form of messages is called %q (there are %s)", name, strings.Join(Forms, ", "))
	}
	*f = Form(i)
	return nil
}

// A Reporter writes errors and warnings.
type Reporter struct {
	Failed bool // there was an error

	// Name returns the name of a source as users know it; nil if the one in errors is that.
	Name func(source string) string

	o         Options
	out       *output.Output
	passwords hide.Passwords
	flagOf    func(limit string) string
	warned    warned
	line      []byte // the object that is being made
}

// New returns a reporter that writes to the messages of out, without passwords if they are
// to be hidden. flagOf returns the flag that moves a limit of package extract, or "".
func New(o Options, out *output.Output, passwords hide.Passwords, flagOf func(limit string) string) *Reporter {
	return &Reporter{o: o, out: out, passwords: passwords, flagOf: flagOf}
}

// warned counts warnings, and the sources that have some. Sources come one after another,
// so that it keeps the name of the last one only.
type warned struct {
	warnings, sources int64
	last              string
}

// add counts a warning of the source of that name.
func (w *warned) add(source string) {
	if w.warnings++; w.sources == 0 || source != w.last {
		w.sources++
		w.last = source
	}
}

// String returns the line that sums them up.
func (w *warned) String() string {
	return counted(w.warnings, "warning") + " in " + counted(w.sources, "file") + " (--warnings shows them)"
}

// counted returns n and what it counts: "1 file", "2 files".
func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.FormatInt(n, 10) + " " + what
}

// Input reports an error or a warning about some input. The exit status remembers
// errors, and with --strict warnings are errors.
func (r *Reporter) Input(err error) {
	var e *extract.Error
	if errors.As(err, &e) {
		named := *e
		if r.Name != nil {
			named.Origin.Source = r.Name(named.Origin.Source)
		}
		if r.o.Strict {
			named.Severity = extract.Lost
		}
		e, err = &named, &named
	}
	warning := e != nil && e.Severity == extract.Warning
	if warning {
		r.warned.add(e.Origin.Source)
	} else {
		r.Failed = true
	}
	if r.o.Silent || warning && !r.o.Each && r.o.Form == Text {
		return
	}
	place, what := r.passwords.Split(err)
	what += r.moves(e)
	switch {
	case r.o.Form == JSON && e != nil:
		r.Asked(r.out.Object(r.object(e, strings.TrimPrefix(what, stageOf(e)))))
	case r.o.Form == JSON:
		r.say(extract.Lost, what)
	case warning:
		r.Asked(r.out.Message(place + ": warning" + what))
	default:
		r.out.Message(place + what)
	}
}

// stageOf returns how the stage of e is written between its place and its cause.
func stageOf(e *extract.Error) string { return ": " + e.Stage + ": " }

// Warn reports a warning that is not about input: some of the command line has no effect.
// It is not counted, since it is printed, and shows no passwords.
func (r *Reporter) Warn(what string) {
	severity, prefix := extract.Warning, "warning: "
	if r.o.Strict {
		r.Failed = true
		severity, prefix = extract.Lost, ""
	}
	if r.o.Silent {
		return
	}
	if r.o.Form == JSON {
		prefix = ""
	}
	r.say(severity, prefix+string(extract.AppendRedacted(nil, []byte(what))))
}

// Hint prints a line for people: it is neither a warning nor for programs.
func (r *Reporter) Hint(what string) {
	if r.o.Form == Text && !r.o.Silent {
		r.out.Message(what)
	}
}

// Tell reports an error that is not about input. It is printed even if messages about
// input are not.
func (r *Reporter) Tell(what string) {
	r.Failed = true
	r.say(extract.Lost, what)
}

// Asked takes the error of a write to standard error of what a flag asks for: the summary of
// --stats, or each warning. If it was lost, the exit status says so: there is no other
// place. That no one reads it is no error, as for results.
func (r *Reporter) Asked(err error) {
	r.Failed = r.Failed || err != nil && !output.PipeClosed(err)
}

// SumUp reports, after all input was read, what was counted and not reported one by one. skipped
// is how many runs of text were too long.
func (r *Reporter) SumUp(skipped int64) {
	severity := extract.Warning
	if skipped > 0 && r.o.Strict {
		r.Failed = true
		severity = extract.Lost
	}
	if skipped > 0 && !r.o.Silent && !r.o.Quiet {
		r.say(severity, fmt.Sprintf("--max-length: longer runs of text that were skipped: %d", skipped))
	}
	if r.warned.warnings > 0 && !r.o.Each && !r.o.Silent && !r.o.Quiet && r.o.Form == Text {
		r.out.Message(r.warned.String())
	}
}

// say prints a message that has no place in the input.
func (r *Reporter) say(s extract.Severity, what string) {
	if r.o.Form == JSON {
		r.out.Object(r.object(&extract.Error{Severity: s}, what))
	} else {
		r.out.Message(what)
	}
}

// object returns the JSON object of e, with text for what it says. Fields that are empty or
// unknown are absent; a message that is not about input has neither source nor offset.
func (r *Reporter) object(e *extract.Error, text string) []byte {
	o := &e.Origin
	b := append(r.line[:0], `{"severity":"`...)
	b = append(append(b, e.Severity.String()...), '"')
	word := func(name, value string) {
		if value != "" {
			b = record.AppendString(append(append(append(b, `,"`...), name...), `":`...), value)
		}
	}
	number := func(name string, n int64) {
		b = strconv.AppendInt(append(append(append(b, `,"`...), name...), `":`...), n, 10)
	}
	word("source", r.passwords.Text(o.Source))
	word("member", r.passwords.Text(o.Member))
	if o.Message > 0 {
		number("message", int64(o.Message))
	}
	word("part", o.Part)
	if o.Source != "" {
		number("offset", o.Offset)
	}
	if o.Line > 0 {
		number("line", o.Line)
	}
	word("stage", e.Stage)
	word("text", text)
	r.line = append(b, '}', '\n')
	return r.line
}

// moves returns the words that name the flag which moves the limit that e is about, if it
// is about one.
func (r *Reporter) moves(e *extract.Error) string {
	if e == nil || e.Limit == "" {
		return ""
	}
	if flag := r.flagOf(e.Limit); flag != "" {
		return " (" + flag + " moves this)"
	}
	return ""
}
