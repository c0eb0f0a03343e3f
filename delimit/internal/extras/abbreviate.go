package extras

import (
	"bytes"
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// References without a scheme, by the name of their host.

// abbreviations are labels such as www. A host that begins with one of them may be a reference
// without a scheme. Each label implies the scheme beside it.
var abbreviations = [...]struct{ label, scheme string }{
	{"www", "http://"},
	{"web", "http://"},
	{"ftp", "ftp://"},
	{"gopher", "gopher://"},
}

// MaxLabel is the length of the longest abbreviation and a digit.
const MaxLabel = len("gopher") + 1

// Labelled returns the scheme that the label t implies, or "". A digit may follow the
// label, as in www2.
func Labelled(t []byte) string {
	if n := len(t); n > 1 && lex.Roles[t[n-1]].Has(lex.Digit) {
		t = t[:n-1]
	}
	for _, a := range abbreviations {
		if lex.FoldEqual(t, a.label) {
			return a.scheme
		}
	}
	return ""
}

// Abbreviates returns the scheme to put in front of t, if t begins with a host of at
// least three labels, the first of which is an abbreviation. Otherwise scheme is "". n
// is how many bytes were examined.
func Abbreviates(t []byte) (scheme string, n int) {
	i := bytes.IndexByte(t, '.')
	if i < 0 || i > MaxLabel {
		return "", max(0, i)
	}
	if scheme = Labelled(t[:i]); scheme == "" {
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
		if c < 0x80 && !lex.Roles[c].Has(lex.Alnum) && c != '-' {
			break
		}
		if size++; labels == 2 { // the third label
			return scheme, n
		}
	}
	return "", n
}

// NonASCIIEndsBefore reports whether b ends with a character beyond ASCII that cannot be part
// of a reference.
func NonASCIIEndsBefore(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	return lex.EffectOf(r) == lex.EndsIt
}
