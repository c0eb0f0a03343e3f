package delimit

import "unicode/utf8"

// Typed appends to dst the reference that a user has typed as text, without delimiters,
// and returns the extended slice. It removes all white space, a wrapper (<…>, "…" or a
// pair of other quotation marks) and the prefix "URL:" or "URI:", in either order.
// Appendix E, last paragraph, recommends this for software that accepts typed URLs. dst
// must not overlap text, which is not changed or kept. Typed does not check whether the
// rest is a reference.
func Typed(dst, text []byte) []byte {
	at := len(dst)
	for i := 0; i < len(text); { // at least one byte in each iteration
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
			return append(dst[:at], t...)
		}
		t = n
	}
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
