package delimit

import (
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/front"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// The prefix "URL:" or "URI:" in front of a reference (rule 5).

// prefixed examines what follows the prefix from Buf[lo] to Buf[i].
func (s *matcher) prefixed(lo, i int, c *Candidate) lex.Verdict {
	b := s.Buf[:s.End]
	s.prose = prose{}
	if o, mark := front.Opener(&s.Window, lo); mark != 0 && front.Leads(&s.Window, o, lo) {
		if v := s.wrapped(o, i+1, schemes.Any, mark, c); v != lex.No {
			if v == lex.Yes {
				c.Prefixed = true
			}
			return v
		}
	}
	at := i + 1
	for at < len(b) && at-i <= lex.MaxLead {
		n := lex.SpaceAt(b[at:])
		if n == 0 || b[at] == '\n' || b[at] == '\r' {
			break
		}
		at += n
	}
	if at == len(b) || !utf8.FullRune(b[at:]) {
		return lex.AtEnd(s.Err != nil)
	}
	// After a prefix any scheme counts. So if only scheme characters follow up to the
	// next colon, the reference is found at that colon.
	j := at
	for j < len(b) && j-at <= lex.MaxScheme && lex.Roles[b[j]].Has(lex.InScheme) {
		j++
	}
	if j == len(b) {
		return lex.AtEnd(s.Err != nil)
	}
	if b[j] != ':' || j-at < 2 || !lex.Roles[b[at]].Has(lex.Alpha) || lex.IsPrefix(b[at:j]) {
		return lex.No
	}
	from, w := bare.BodyOf(b, j)
	v := s.bare(at, from, lo, w, schemes.Any, c)
	if v == lex.Yes {
		c.Prefixed = true
	}
	return v
}
