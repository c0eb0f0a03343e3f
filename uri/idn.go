package uri

// Names beyond ASCII are converted to the form that the DNS has, by IDNA 2008. The
// standard library does not export its tables, so this file imports x/net/idna, which
// converts text to text and looks nothing up.

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// longestName is the length in bytes of the longest name that is converted: four for
// each of the 255 bytes of a name in the DNS. No name is longer in UTF-8.
const longestName = 1020

// hostToASCII converts the host at dst[start:] to A-labels if it has characters beyond
// ASCII, escaped or not, that IDNA allows (3986, section 3.2.2). Otherwise the host is
// unchanged. hostToASCII allocates if it converts.
func hostToASCII(dst []byte, start int) []byte {
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
	// The mapping of unusual characters may contain delimiters.
	for i := range len(ascii) {
		if allowed[inName][ascii[i]]&Every == 0 || ascii[i] == '%' || strings.IndexByte("@:", ascii[i]) >= 0 {
			return dst
		}
	}
	return append(dst[:start], ascii...)
}

// beyondASCII reports whether s has a non-ASCII byte, escaped or not.
func beyondASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || escapeAt(s, i) && s[i+1] >= '8' {
			return true
		}
	}
	return false
}
