// Package hide takes passwords out of what is printed, if --redact is given.
//
//	p := hide.Passwords{On: o.Redact}
//	name := p.Text(source) // "ftp://me:***@a.example/x" of a file that a mirror wrote
package hide

import (
	"bytes"
	"errors"

	"github.com/urlsift/urlsift/extract"
)

// Passwords takes passwords out of what is printed, if On is set: out of
// references, and out of texts that may hold some: names of files and members, which
// mirrors make of URLs, fields of headers, and messages about these.
type Passwords struct {
	On           bool
	redactor     extract.Redactor
	written, own []byte
}

// Text returns text as it may be shown. It allocates only where there is a password.
func (p *Passwords) Text(text string) string {
	if !p.On || text == "" {
		return text
	}
	p.written = append(p.written[:0], text...)
	p.own = p.redactor.Append(p.own[:0], p.written)
	if bytes.Equal(p.own, p.written) {
		return text
	}
	return string(p.own)
}

// Message returns what err says.
func (p *Passwords) Message(err error) string {
	place, what := p.Split(err)
	return place + what
}

// Split returns where err is, and ": " and what it says; place is "" if it is nowhere in
// the input. The two are redacted one by one: an '@' in the one does not end a password in
// the other.
func (p *Passwords) Split(err error) (place, what string) {
	what = err.Error()
	var e *extract.Error
	if errors.As(err, &e) {
		named := *e
		o := &named.Origin
		what = what[len(o.String()):]
		o.Source, o.Member = p.Text(o.Source), p.Text(o.Member)
		place = o.String()
	}
	return place, p.Text(what)
}

// AppendReference appends ref, which is one reference.
func (p *Passwords) AppendReference(dst, ref []byte) []byte {
	return p.redactor.AppendReference(dst, ref)
}

// AppendVariant appends text, which is another reading of the reference of.
func (p *Passwords) AppendVariant(dst, text, of []byte) []byte {
	return p.redactor.AppendVariant(dst, text, of)
}
