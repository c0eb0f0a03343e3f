// Package messages reports errors and warnings on standard error. An error means that
// input was lost or not read, and sets the exit status. A warning means that input breaks
// the rules but was read. Warnings are counted, and the last line has their number.
//
//	r := messages.New(o.Messages, out, output.Passwords{On: o.Redact}, flags.ForLimit)
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

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options say what is reported, and in which form.
type Options struct {
	Form   Format
	Silent bool // print neither errors nor warnings about inputs
	Each   bool // print each warning, and not only their number
	Strict bool // treat warnings as errors
	Quiet  bool // print no summary line

	// Paths are the sources that the user has named. That one of them is passed over is always printed.
	Paths []string
}

// A Format is a format for errors and warnings.
type Format uint8

const (
	Text Format = iota // lines
	JSON               // objects, one on each line
)

// Forms are the names of the Formats, as the constants are listed.
var Forms = []string{"text", "json"}

// UnmarshalText sets f to the form with that name.
func (f *Format) UnmarshalText(name []byte) error {
	return names.Parse(f, "form of messages", name, Forms)
}

// A Reporter writes errors and warnings.
type Reporter struct {
	Failed bool // there was an error

	// Name returns the name of a source as users know it. If Name is nil, errors have that
	// name already.
	Name func(source string) string

	o         Options
	out       *output.Output
	passwords output.Passwords
	flagOf    func(limit string) string
	warned    warned
	line      []byte // memory for a JSON object
}

// New returns a Reporter that writes to standard error of out, without passwords if these
// are hidden. flagOf returns the flag that sets a limit of package extract, or "".
func New(o Options, out *output.Output, passwords output.Passwords, flagOf func(limit string) string) *Reporter {
	return &Reporter{o: o, out: out, passwords: passwords, flagOf: flagOf}
}

// warned counts warnings, and the sources that have some. Sources come one after another,
// so it stores only the name of the last one.
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

// Input reports an error or a warning about some input. Errors set Failed; with Strict,
// warnings are errors.
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
	named := warning && r.passedOver(e)
	switch {
	case !warning:
		r.Failed = true
	case !named: // otherwise it is printed
		r.warned.add(e.Origin.Source)
	}
	if r.o.Silent || warning && !r.o.Each && r.o.Form == Text && !named {
		return
	}
	position, what := r.passwords.Split(err)
	what += r.limitFlag(e)
	switch {
	case r.o.Form == JSON && e != nil:
		r.Asked(r.out.Object(r.object(e, strings.TrimPrefix(what, stageOf(e)))))
	case r.o.Form == JSON:
		r.say(extract.Lost, what)
	case warning:
		r.Asked(r.out.Message(position + ": warning" + what))
	default:
		r.out.Message(position + what)
	}
}

// passedOver reports whether e says that a whole source is not read, which the user has named.
func (r *Reporter) passedOver(e *extract.Error) bool {
	o := &e.Origin
	return (e.Stage == "pdf" || e.Stage == "office") && o.Member == "" && o.Message == 0 && slices.Contains(r.o.Paths, o.Source)
}

// stageOf returns the text between the position and the cause of e.
func stageOf(e *extract.Error) string { return ": " + e.Stage + ": " }

// Warn reports a warning that is not about input: a part of the command line has no effect.
// It is printed and not counted. Passwords in the text what are always hidden.
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
	r.say(severity, prefix+string(new(extract.Redactor).Append(nil, []byte(what))))
}

// Hint prints a line for people. It is not a warning, and is not printed for programs.
func (r *Reporter) Hint(what string) {
	if r.o.Form == Text && !r.o.Silent {
		r.out.Message(what)
	}
}

// Note reports something about the results that is no warning.
func (r *Reporter) Note(what string) {
	if !r.o.Silent && !r.o.Quiet {
		r.say(extract.Warning, what)
	}
}

// Error reports an error that is not about input. It is printed even if Silent is set.
func (r *Reporter) Error(what string) {
	r.Failed = true
	r.say(extract.Lost, what)
}

// Asked takes the error of a write to standard error if a flag requested that write: the summary of
// --stats, or each warning. Only the exit status can report that error. A closed pipe is no error,
// as for results.
func (r *Reporter) Asked(err error) {
	r.Failed = r.Failed || err != nil && !output.PipeClosed(err)
}

// SumUp reports, after all input was read, what was counted and not reported one by one.
// skipped is the number of runs of text that were too long.
func (r *Reporter) SumUp(skipped int64) {
	severity := extract.Warning
	if skipped > 0 && r.o.Strict {
		r.Failed = true
		severity = extract.Lost
	}
	if skipped > 0 && !r.o.Silent && !r.o.Quiet {
		r.say(severity, fmt.Sprintf("--limit length: longer runs of text that were skipped: %d", skipped))
	}
	if r.warned.warnings > 0 && !r.o.Each && !r.o.Silent && !r.o.Quiet && r.o.Form == Text {
		r.out.Message(r.warned.String())
	}
}

// say prints a message that has no position in the input.
func (r *Reporter) say(s extract.Severity, what string) {
	if r.o.Form == JSON {
		r.out.Object(r.object(&extract.Error{Severity: s}, what))
	} else {
		r.out.Message(what)
	}
}

// object returns the JSON object for e. text is its message. Fields that are empty or
// unknown are left out. A message that is not about input has neither source nor offset.
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

// limitFlag returns a phrase with the flag that sets the limit of e, if e is about a limit.
func (r *Reporter) limitFlag(e *extract.Error) string {
	if e == nil || e.Limit == "" {
		return ""
	}
	if flag := r.flagOf(e.Limit); flag != "" {
		return " (" + flag + " changes this)"
	}
	return ""
}
