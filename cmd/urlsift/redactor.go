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

// message returns what err says. The place in front and the cause are redacted one by
// one: an '@' in the one does not end a password in the other.
func (v *redactor) message(err error) string {
	text := err.Error()
	var e *extract.Error
	if !v.on || !errors.As(err, &e) {
		return v.of(text)
	}
	named := *e
	o := &named.Origin
	place := len(o.String())
	o.Source, o.Member = v.of(o.Source), v.of(o.Member)
	return o.String() + v.of(text[place:])
}
