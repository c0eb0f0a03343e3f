package main

import (
	"bytes"
	"errors"

	"github.com/urlsift/urlsift/extract"
)

// A redactor takes passwords out of what is printed, if --redact is given: out of
// references, and out of texts that may hold some: names of files and members, which
// mirrors make of URLs, fields of headers, and messages about these.
type redactor struct {
	on           bool
	passwords    extract.Redactor
	written, own []byte
}

// of returns text as it may be shown. It allocates only where there is a password.
func (v *redactor) of(text string) string {
	if !v.on || text == "" {
		return text
	}
	v.written = append(v.written[:0], text...)
	v.own = v.passwords.Append(v.own[:0], v.written)
	if bytes.Equal(v.own, v.written) {
		return text
	}
	return string(v.own)
}

// message returns what err says.
func (v *redactor) message(err error) string {
	place, what := v.split(err)
	return place + what
}

// split returns where err is, and ": " and what it says; place is "" if it is nowhere in
// the input. The two are redacted one by one: an '@' in the one does not end a password in
// the other.
func (v *redactor) split(err error) (place, what string) {
	what = err.Error()
	var e *extract.Error
	if errors.As(err, &e) {
		named := *e
		o := &named.Origin
		what = what[len(o.String()):]
		o.Source, o.Member = v.of(o.Source), v.of(o.Member)
		place = o.String()
	}
	return place, v.of(what)
}
