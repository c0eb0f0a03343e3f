package main

import (
	"bytes"
	"errors"

	"github.com/urlsift/urlsift/extract"
)

// What --redact does to texts that are no references but may hold some: names of
// files and members, which mirrors make of URLs, fields of headers, and messages
// about these.

// A veil takes passwords off texts, in memory of its own that it uses again.
type veil struct {
	on           bool
	written, own []byte
}

// of returns text as it may be shown. It allocates only where there is a password.
func (v *veil) of(text string) string {
	if !v.on || text == "" {
		return text
	}
	v.written = append(v.written[:0], text...)
	v.own = extract.AppendRedacted(v.own[:0], v.written)
	if bytes.Equal(v.own, v.written) {
		return text
	}
	return string(v.own)
}

// told returns what err says. The place in front and the cause are looked at one by
// one: an '@' in the one does not end a password in the other.
func (v *veil) told(err error) string {
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

// redacted returns text without its passwords, made in scratch, and the scratch.
// Where text is written so oddly that fewer are found in it than in url, which it
// stands for, it is url without them.
func redacted(scratch, text, url []byte) (clean, grown []byte) {
	scratch = extract.AppendRedacted(scratch[:0], text)
	n := len(scratch)
	if bytes.Equal(text, url) {
		return scratch, scratch
	}
	scratch = extract.AppendRedacted(scratch, url)
	hidden := bytes.Count(scratch[n:], stars) - bytes.Count(url, stars)
	if bytes.Count(scratch[:n], stars)-bytes.Count(text, stars) < hidden {
		return scratch[n:], scratch
	}
	return scratch[:n], scratch
}

// stars stand for a password.
var stars = []byte("***")
