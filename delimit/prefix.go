package delimit

import (
	"bytes"
	"unicode/utf8"
)

// The prefix "URL:" or "URI:" in front of a reference (rule 5).

// isPrefix reports whether word is URL or URI.
func isPrefix(word []byte) bool {
	return len(word) == 3 && lower(word[0]) == 'u' && lower(word[1]) == 'r' &&
		(lower(word[2]) == 'l' || lower(word[2]) == 'i')
}

// wordBefore reports whether b ends with something that forms one word with a prefix
// after it.
func wordBefore(b []byte) bool {
	if len(b) == 0 || bytes.HasSuffix(b, []byte(`\u0026`)) {
		return false
	}
	if c := b[len(b)-1]; c < utf8.RuneSelf {
		return c == '_' || roles[c].has(inScheme)
	}
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	m := effectOf(r)
	return m == letter || m == unspacedLetter
}

// prefixed examines what follows the prefix from buf[lo] to buf[i].
func (s *Scanner) prefixed(lo, i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	s.prose = prose{}
	if o, form := s.opener(lo); form != Bare && s.leads(o, lo) {
		if v := s.wrapped(o, i+1, any, form, c); v != no {
			if v == yes {
				c.Prefixed = true
			}
			return v
		}
	}
	at := i + 1
	for at < len(b) && at-i <= maxLead {
		n := spaceAt(b[at:])
		if n == 0 || b[at] == '\n' || b[at] == '\r' {
			break
		}
		at += n
	}
	if at == len(b) || !utf8.FullRune(b[at:]) {
		return atEnd(s.err != nil)
	}
	// After a prefix any scheme counts. So if only scheme characters follow, the
	// reference is the one of the next colon.
	j := at
	for j < len(b) && j-at <= maxScheme && roles[b[j]].has(inScheme) {
		j++
	}
	if j == len(b) {
		return atEnd(s.err != nil)
	}
	if b[j] != ':' || j-at < 2 || !roles[b[at]].has(alpha) || isPrefix(b[at:j]) {
		return no
	}
	from, w := bodyOf(b, j)
	v := s.bare(at, from, lo, w, any, c)
	if v == yes {
		c.Prefixed = true
	}
	return v
}

// leads reports whether only white space and the quote prefixes of the opener's line are
// between the opener buf[o] and buf[lo].
func (s *Scanner) leads(o, lo int) bool {
	if o+1 == lo {
		return true
	}
	m := quotePrefixOf(s.lineHead(o))
	n, _, v := gap(s.buf[:lo], o+1, &m, true)
	return v == yes && n == lo
}
