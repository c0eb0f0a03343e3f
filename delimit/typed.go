package delimit

import "unicode/utf8"

// Typed appends to dst what text, all that a user typed for one reference, is
// when its delimiters and all white space are taken off it, as the last
// paragraph of Appendix E asks of software that accepts user-typed URLs: white
// space anywhere, a wrapper (<…>, "…" or a pair of other quotation marks) and the
// prefix "URL:" or "URI:", in either order. It returns the grown slice; dst must
// not overlap text, which is not kept or changed. Whether a reference is left is
// for a grammar to say.
func Typed(dst, text []byte) []byte {
	at := len(dst)
	for i := 0; i < len(text); { // one step forward each time
		if n := spaceAt(text[i:]); n > 0 {
			i += n
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	t := dst[at:]
	for { // each turn takes something off both ends, or a prefix
		n := unwrapped(t)
		if schemeLen(t) == len("URL") && isPrefix(t[:3]) {
			n = t[len("URL:"):]
		}
		if len(n) == len(t) {
			return append(dst[:at], t...)
		}
		t = n
	}
}

// unwrapped returns what the pair of delimiters around t encloses, or t.
func unwrapped(t []byte) []byte {
	first, n := utf8.DecodeRune(t)
	last, m := utf8.DecodeLastRune(t)
	if len(t) < n+m || n == 0 {
		return t
	}
	closers := ""
	switch k := pairOf(first); {
	case k >= 0:
		closers = pairs[k].closers
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
