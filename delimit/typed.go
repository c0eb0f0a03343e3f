package delimit

import (
	"unicode/utf8"
)

// Typed appends to dst the reference that a user typed as text, without delimiters, and
// returns the extended slice. It removes all white space, a wrapper (<…>, "…" or a pair of
// other quotation marks) and the prefix "URL:" or "URI:", in either order. The last
// paragraph of Appendix E asks this of software that accepts typed URLs. A text that begins
// like www.example.org is completed to "http://…", and ftp.example.org to "ftp://…" (2002,
// Appendix F); see [Abbreviated]. dst must not overlap text, which is not changed or kept.
// Whether the result is a reference is a question for a grammar.
func Typed(dst, text []byte) []byte {
	at := len(dst)
	for i := 0; i < len(text); {
		if n := spaceAt(text[i:]); n > 0 {
			i += n
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	t := dst[at:]
	for { // each iteration removes a delimiter at both ends, or a prefix
		n := unwrapped(t)
		if schemeLen(t) == len("URL") && isPrefix(t[:3]) {
			n = t[len("URL:"):]
		}
		if len(n) == len(t) {
			break
		}
		t = n
	}
	dst = append(dst[:at], t...)
	if scheme, _ := abbreviates(dst[at:]); scheme != "" {
		dst = append(dst, scheme...)
		copy(dst[at+len(scheme):], dst[at:])
		copy(dst[at:], scheme)
	}
	return dst
}

// unwrapped returns the content of the delimiters around t, or t if there are none.
func unwrapped(t []byte) []byte {
	first, n := utf8.DecodeRune(t)
	last, m := utf8.DecodeLastRune(t)
	if len(t) < n+m || n == 0 {
		return t
	}
	closers := ""
	switch k := pairOf(first); {
	case k >= 0:
		closers = pairs[k].Closers
	case first == '<':
		closers = ">"
	case first == '"', first == '`':
		closers = string(first)
	}
	for _, c := range closers {
		if c == last {
			return t[n : len(t)-m]
		}
	}
	return t
}

// QuotePrefix returns how many bytes at the beginning of line are its quote prefix, with the
// blanks around it, or its indent. At most 64 bytes are examined: after a longer quote prefix, a
// wrapper does not continue on the next line.
func QuotePrefix(line []byte) int {
	_, n := parseQuotePrefix(line[:min(len(line), headLen)])
	return n
}
