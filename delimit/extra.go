package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Extras are found only if the options enable them (Appendix F of 2002 has the
// abbreviated ones).

// abbreviations are the first labels of hosts that mark a reference without a scheme,
// with the scheme that each implies.
var abbreviations = [...]struct{ label, scheme string }{
	{"www", "http://"},
	{"web", "http://"},
	{"ftp", "ftp://"},
	{"gopher", "gopher://"},
}

// maxLabel is the length of the longest abbreviation and a digit.
const maxLabel = len("gopher") + 1

// labelled returns the scheme that the label t implies, or "". A digit may follow the
// label, as in www2.
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

// abbreviates returns the scheme to put in front of t, if t is a host of at least three
// labels, the first of which is an abbreviation, and what may follow a host. Otherwise
// scheme is "". n is how many bytes were examined.
func abbreviates(t []byte) (scheme string, n int) {
	i := bytes.IndexByte(t, '.')
	if i < 0 || i > maxLabel {
		return "", max(0, i)
	}
	if scheme = labelled(t[:i]); scheme == "" {
		return "", i
	}
	labels, size := 1, 0             // complete labels, and the size of the next one
	for n = i + 1; n < len(t); n++ { // one byte in each iteration
		c := t[n]
		if c == '.' && size > 0 {
			labels++
			size = 0
			continue
		}
		if c < 0x80 && !roles[c].has(alnum) && c != '-' {
			break
		}
		if size++; labels == 2 { // the third label
			return scheme, n
		}
	}
	return "", n
}

// abbreviated examines what is around the dot at buf[i], for a reference that begins with
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
		case p >= 0x80 && !nonASCIIEndsBefore(b[:lo]), roles[p].has(inScheme), p == '_', p == '@', p == '/', p == '%', p == '\\':
			return no
		}
	}
	if i+1 == len(b) {
		return atEnd(s.err != nil)
	}
	if b[i+1] < 0x80 && !roles[b[i+1]].has(alnum) {
		return no
	}
	s.prose = prose{}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	return s.bare(lo, lo, lo, walk{part: inAuthority}, usual, c)
}

// nonASCIIEndsBefore reports whether b ends with a character beyond ASCII that cannot be part
// of a reference.
func nonASCIIEndsBefore(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	return effectOf(r) == endsIt
}
