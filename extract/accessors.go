package extract

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/urlsift/urlsift/uri"
)

// Scheme returns the scheme of Target, or of URL where there is no Target, as it
// is written there; nil if it has none. The slice aliases r, and is good for as
// long as r is.
func (r *Result) Scheme() []byte { return r.component(uri.Scheme) }

// Host returns the host of Target, or of URL where there is no Target, as it is
// written there, an IP literal with its brackets; nil if it has none. The slice
// aliases r, and is good for as long as r is.
func (r *Result) Host() []byte { return r.component(uri.Host) }

func (r *Result) component(c uri.Component) []byte {
	text, parts := r.URL, r.Parts
	if r.Target != nil {
		text = r.Target
		parts = uri.Split(text)
	}
	lo, hi, ok := parts.Span(c)
	if !ok {
		return nil
	}
	return text[lo:hi]
}

// AppendRedacted appends ref, any text that a Result holds for a reference, with
// the passwords in it replaced by "***", its own and those of references within
// it, and returns the grown slice. dst must not overlap ref, which is neither
// kept nor changed. It allocates only where references stand within ref.
func AppendRedacted(dst, ref []byte) []byte {
	at, own := len(dst), 0
	parts := uri.Split(ref)
	if _, _, ok := parts.Span(uri.Authority); ok {
		own = 1
	}
	dst = uri.AppendRedacted(dst, ref, parts)
	if bytes.Count(dst[at:], slashes) == own {
		return dst
	}
	rest := bytes.Clone(dst[at:])
	for dst = dst[:at]; ; { // each turn takes a reference
		i := bytes.Index(rest, slashes)
		if i < 0 {
			return append(dst, rest...)
		}
		i += len(slashes)
		dst = append(dst, rest[:i]...)
		rest = rest[i:]
		authority := rest
		if end := bytes.IndexAny(rest, "/?#"); end >= 0 {
			authority = rest[:end]
		}
		j := bytes.LastIndexByte(authority, '@')
		if k := bytes.IndexByte(authority[:max(j, 0)], ':'); k >= 0 && k+1 < j {
			dst = append(append(dst, authority[:k+1]...), "***"...)
			rest = rest[j:]
		}
	}
}

var slashes = []byte("//")

// Fault returns what r.Err says, or "" where it is nil. If redact is true, it
// says nothing of a password in the reference.
func (r *Result) Fault(redact bool) string {
	if r.Err == nil {
		return ""
	}
	var e *uri.Error
	if !redact || !errors.As(r.Err, &e) {
		return r.Err.Error()
	}
	text := []byte(e.Text)
	hidden := AppendRedacted(nil, text)
	if bytes.Equal(hidden, text) {
		return r.Err.Error()
	}

	if bytes.Count(hidden, []byte(":***@")) > 1 {
		return "uri: " + e.Reason.String() + ": not in " + e.Grammar.String() + ": " + quote(hidden)
	}

	// The password is what differs between the texts: they are the same up to
	// its first byte, or further if it begins with stars, and from its end on.
	start := bytes.Index(hidden, []byte(":***@")) + 1
	end := len(text) - (len(hidden) - start - len("***"))
	if e.Offset >= start && e.Offset < end {
		return "uri: userinfo: the password is not in " + e.Grammar.String() + ": " + quote(hidden)
	}
	c := *e
	c.Text = string(hidden)
	if c.Offset >= end {
		c.Offset += len(hidden) - len(text)
	}
	return c.Error()
}

// quote quotes at most 100 bytes of text, as messages of uri do.
func quote(text []byte) string {
	if len(text) > 100 {
		return strconv.Quote(string(text[:100])) + "…"
	}
	return strconv.Quote(string(text))
}
