package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Extras: habits of writers that are looked for only when asked (the part "Off
// unless asked for" of the page on delimiting, and Appendix F of 2002).

// abbreviations are the host prefixes by which a reference without a scheme is
// known, and the scheme that each stands for.
var abbreviations = [...]struct{ label, scheme string }{
	{"www", "http://"},
	{"web", "http://"},
	{"ftp", "ftp://"},
	{"gopher", "gopher://"},
}

// maxLabel is the longest of the abbreviations, with a digit behind it.
const maxLabel = len("gopher") + 1

// labelled returns the scheme that the label t stands for, or "". One digit may
// end the label, as in www2.
func labelled(t []byte) string {
	if n := len(t); n > 1 && roles[t[n-1]].has(digit) {
		t = t[:n-1]
	}
	for _, a := range abbreviations {
		if foldEqual(t, a.label) {
			return a.scheme
		}
	}
	return ""
}

// abbreviates returns what to put before t to make it absolute: t is a host of
// three labels or more, of which the first is one of the abbreviations, and what
// may follow a host. If t is none, scheme is ""; n is how far it looked.
func abbreviates(t []byte) (scheme string, n int) {
	i := bytes.IndexByte(t, '.')
	if i < 0 || i > maxLabel {
		return "", max(0, i)
	}
	if scheme = labelled(t[:i]); scheme == "" {
		return "", i
	}
	labels, size := 1, 0             // whole ones, and the next one's
	for n = i + 1; n < len(t); n++ { // one step forward each time
		c := t[n]
		if c == '.' && size > 0 {
			labels++
			size = 0
			continue
		}
		if c < 0x80 && !roles[c].has(alnum) && c != '-' {
			break
		}
		if size++; labels == 2 { // and this is the third
			return scheme, n
		}
	}
	return "", n
}

// abbreviated looks around the dot at buf[i] for a reference that begins with
// one of the abbreviations.
func (s *Scanner) abbreviated(i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	lo := i
	for least := max(s.floor, i-maxLabel); lo > least && roles[b[lo-1]].has(alnum); {
		lo--
	}
	if lo == i || labelled(b[lo:i]) == "" {
		return no
	}
	if lo > 0 {
		switch p := b[lo-1]; {
		case p >= 0x80 && !foreignBefore(b[:lo]), roles[p].has(inScheme), p == '_', p == '@', p == '/', p == '%', p == '\\':
			return no
		}
	}
	if i+1 == len(b) {
		return atEnd(s.err != nil)
	}
	if b[i+1] < 0x80 && !roles[b[i+1]].has(alnum) {
		return no
	}
	if o, form := s.opener(lo); form != Bare {
		if v := s.wrapped(o, o+1, usual, form, c); v != no {
			return v
		}
	}
	return s.bare(lo, lo, lo, walk{part: inAuthority}, usual, c)
}

// foreignBefore reports whether b ends with a character beyond ASCII that can be
// no part of a reference.
func foreignBefore(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	return matterOf(r) == foreign
}
