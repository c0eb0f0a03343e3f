package extract

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/urlsift/urlsift/extract/internal/redact"
	"github.com/urlsift/urlsift/uri"
)

// A Redactor replaces passwords in text with "***". It reuses its buffers, and allocates
// nothing once these are large enough; text without an account needs none. The zero value
// is ready for use. A Redactor is not safe for concurrent use.
//
// A password is the text between the first ':' and the last '@' of an authority. These
// characters, and the slashes in front, may be escaped: by percent signs, by entities of
// HTML, by backslashes, as quoted-printable text or UTF-7, as [:] and [at], by
// look-alikes, or by several of these together.
//
// Text with a letter in the place of a port is treated as a password too, because it may be the
// beginning of one: http://u:pa can be what is left of http://u:password@host after a line
// break. This rule holds after a scheme, after two slashes that do not continue a path, and
// after a host such as www.example.org. The only exception is ssh://git@host:path. Passwords
// elsewhere, as in ?password=x, are not recognised.
//
// If text can be read in several ways, more is replaced rather than less. Text that is
// escaped more than ten times is replaced completely.
type Redactor struct {
	passwords redact.Redactor
	url       []byte // of AppendVariant
	in, out   []byte // of Text
}

// Append appends text without its passwords to dst and returns the extended slice. dst
// must not overlap text, which is neither kept nor changed. Text may be any field of a
// Result, or other text that may contain references, such as a file name. Redacting the
// result again does not change it.
func (d *Redactor) Append(dst, text []byte) []byte {
	dst, _ = d.passwords.Append(dst, text)
	return dst
}

// Text is Append for a string. It allocates only if text has a password.
func (d *Redactor) Text(text string) string {
	if text == "" {
		return text
	}
	d.in = append(d.in[:0], text...)
	d.out = d.Append(d.out[:0], d.in)
	if bytes.Equal(d.out, d.in) {
		return text
	}
	return string(d.out)
}

// AppendReference is Append for a text that is one reference, such as [Result].URL. White
// space, quotes and angle brackets in it are part of the reference.
func (d *Redactor) AppendReference(dst, ref []byte) []byte {
	dst, _ = d.passwords.AppendSingle(dst, ref)
	return dst
}

// AppendVariant is AppendReference for another spelling of url, such as
// [Result].Candidate.Text. If the passwords of text differ from those of url, or are at
// other places, it appends url without its passwords.
func (d *Redactor) AppendVariant(dst, text, url []byte) []byte {
	n := len(dst)
	dst, found := d.passwords.AppendSingle(dst, text)
	if bytes.Equal(text, url) {
		return dst
	}
	var want redact.Found
	if d.url, want = d.passwords.AppendSingle(d.url[:0], url); want.Count > 0 && want != found {
		return append(dst[:n], d.url...)
	}
	return dst
}

// RedactedError returns the text of err. If err is a [*uri.Error], such as [Result].Err or an
// error of uri.Parse, the reference that the text quotes is without its passwords. For nil it
// returns "".
func RedactedError(err error) string {
	if err == nil {
		return ""
	}
	var e *uri.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := []byte(e.Text)
	hidden := new(Redactor).AppendReference(nil, text)
	if bytes.Equal(hidden, text) {
		return err.Error()
	}

	// The texts differ only in and between the passwords: they are equal up to the first
	// byte of the first password, or further if it begins with stars, and from the last
	// byte of the last password on.
	start, end := 0, len(text)
	for start < end && start < len(hidden) && text[start] == hidden[start] {
		start++
	}
	for n := len(hidden); end > start && n > start && text[end-1] == hidden[n-1]; n-- {
		end--
	}
	if e.Offset >= start && e.Offset < end {
		switch {
		case bytes.Count(hidden, []byte("***")) > 1:
			return "uri: " + e.Reason + ": not in " + e.Grammar.String() + ": " + quote(hidden)
		case bytes.Contains(hidden, []byte(":***@")):
			return "uri: userinfo: the password is not in " + e.Grammar.String() + ": " + quote(hidden)
		}
		return "uri: " + e.Component.String() + ": what is hidden is not in " + e.Grammar.String() + ": " + quote(hidden)
	}
	c := *e
	c.Text = string(hidden)
	if c.Offset >= end {
		c.Offset += len(hidden) - len(text)
	}
	return c.Error()
}

// quote quotes at most 100 bytes of text, like the messages of package uri.
func quote(text []byte) string {
	if len(text) > 100 {
		return strconv.Quote(string(text[:100])) + "…"
	}
	return strconv.Quote(string(text))
}
