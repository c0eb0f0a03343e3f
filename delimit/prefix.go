package delimit

import (
	"unicode/utf8"
)

// The prefix "URL:" or "URI:" in front of a reference (rule 5).

// prefixed examines what follows the prefix from buf[lo] to buf[i].
func (s *finder) prefixed(lo, i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	s.prose = prose{}
	if o, mark := opener(&s.window, lo); mark != 0 && leads(&s.window, o, lo) {
		if v := s.wrapped(o, i+1, any, mark, c); v != no {
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
