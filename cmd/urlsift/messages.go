package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// What goes wrong is reported on standard error. An error says that input was lost or not
// read, and sets the exit status. A warning says that input breaks the rules and was read
// all the same: warnings are counted, and the last line says how many there were.

// A messageForm is how errors and warnings are written.
type messageForm uint8

const (
	linesOfText messageForm = iota
	linesOfJSON
)

var messageForms = []string{"text", "json"}

// UnmarshalText sets f to the form called name.
func (f *messageForm) UnmarshalText(name []byte) error {
	i, err := pick("form of messages", string(name), messageForms)
	*f = messageForm(i)
	return err
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

// complain reports an error or a warning about some input. The exit status remembers
// errors, and with --strict warnings are errors.
func (j *job) complain(err error) {
	var e *extract.Error
	if errors.As(err, &e) {
		named := *e
		if j.counter != nil {
			_, named.Origin.Source = j.counter.reach(named.Origin.Source)
		}
		if j.strict {
			named.Severity = extract.Lost
		}
		e, err = &named, &named
	}
	warning := e != nil && e.Severity == extract.Warning
	if warning {
		j.warned.add(e.Origin.Source)
	} else {
		j.trouble = true
	}
	if j.silent || warning && !j.eachWarning && j.messages == linesOfText {
		return
	}
	place, what := j.redactor.split(err)
	what += moves(err)
	switch {
	case j.messages == linesOfJSON && e != nil:
		j.asked(j.out.Object(j.object(e, strings.TrimPrefix(what, stageOf(e)))))
	case j.messages == linesOfJSON:
		j.say(extract.Lost, what)
	case warning:
		j.asked(j.out.Message(place + ": warning" + what))
	default:
		j.out.Message(place + what)
	}
}

// stageOf returns how the stage of e is written between its place and its cause.
func stageOf(e *extract.Error) string { return ": " + e.Stage + ": " }

// tell reports an error that is not about input. It is printed even if messages about
// input are not.
func (j *job) tell(what string) {
	j.trouble = true
	j.say(extract.Lost, what)
}

// asked takes the error of a write to standard error of what a flag asks for: the summary of
// --stats, or each warning. If it was lost, the exit status says so: there is no other
// place. That no one reads it is no error, as for results.
func (j *job) asked(err error) {
	j.trouble = j.trouble || err != nil && !output.PipeClosed(err)
}

// sumUp reports, after all input was read, what was counted and not reported one by one.
func (j *job) sumUp() {
	if n := j.x.Stats().Skipped; n > 0 && !j.silent && !j.quiet {
		j.say(extract.Warning, fmt.Sprintf("--max-length: longer runs of text that were skipped: %d", n))
	}
	if j.warned.warnings > 0 && !j.eachWarning && !j.silent && !j.quiet && j.messages == linesOfText {
		j.out.Message(j.warned.String())
	}
}

// say prints a message that has no place in the input.
func (j *job) say(s extract.Severity, what string) {
	if j.messages == linesOfJSON {
		j.out.Object(j.object(&extract.Error{Severity: s}, what))
	} else {
		j.out.Message(what)
	}
}

// object returns the JSON object of e, with text for what it says. Fields that are empty or
// unknown are absent; a message that is not about input has neither source nor offset.
func (j *job) object(e *extract.Error, text string) []byte {
	o := &e.Origin
	b := append(j.line[:0], `{"severity":"`...)
	b = append(append(b, e.Severity.String()...), '"')
	word := func(name, value string) {
		if value != "" {
			b = record.AppendString(append(append(append(b, `,"`...), name...), `":`...), value)
		}
	}
	number := func(name string, n int64) {
		b = strconv.AppendInt(append(append(append(b, `,"`...), name...), `":`...), n, 10)
	}
	word("source", j.redactor.of(o.Source))
	word("member", j.redactor.of(o.Member))
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
	j.line = append(b, '}', '\n')
	return j.line
}
