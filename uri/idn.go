package uri

// The one file that imports something beyond the standard library. What a name
// beyond ASCII is in the DNS takes the tables of IDNA 2008, which the standard
// library keeps to itself; they are data that cannot be written down here a second
// time. x/net/idna looks nothing up: it turns text into text.

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// longestName bounds what is converted: four bytes for each of the 255 that a
// name has in the DNS, more than any name has in UTF-8.
const longestName = 1020

// lookUp turns the host at dst[start:] into A-labels, if it has characters beyond
// ASCII, escaped or not, and IDNA has them (3986, section 3.2.2). Everything else
// stays as it is. It allocates if it converts.
func lookUp(dst []byte, start int) []byte {
	host := dst[start:]
	if len(host) > 3*longestName || !beyondASCII(view(host)) {
		return dst
	}
	name := AppendUnescaped(nil, host)
	if len(name) > longestName || !utf8.Valid(name) {
		return dst
	}
	ascii, err := idna.Lookup.ToASCII(string(name))
	if err != nil || ascii == "" {
		return dst
	}
	// What mapping makes of odd characters may be more than a name.
	for i := range len(ascii) {
		if allowed[inName][ascii[i]]&Every == 0 || ascii[i] == '%' || strings.IndexByte("@:", ascii[i]) >= 0 {
			return dst
		}
	}
	return append(dst[:start], ascii...)
}

// beyondASCII reports whether s has a byte that is not ASCII, escaped or not.
func beyondASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || escapeAt(s, i) && s[i+1] >= '8' {
			return true
		}
	}
	return false
}
