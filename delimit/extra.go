package delimit

import (
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// Extras are found only if the options enable them (Appendix F of 2002 has the
// abbreviated ones).

// abbreviated examines what is around the dot at buf[i], for a reference that begins with
// one of the abbreviations.
func (s *searcher) abbreviated(i int, c *Candidate) lex.Verdict {
	b := s.Buf[:s.End]
	lo := i
	for least := max(s.Floor, i-maxLabel); lo > least && lex.Roles[b[lo-1]].Has(lex.Alnum); {
		lo--
	}
	if lo == i || labelled(b[lo:i]) == "" {
		return lex.No
	}
	if lo > 0 {
		switch p := b[lo-1]; {
		case p >= 0x80 && !nonASCIIEndsBefore(b[:lo]), lex.Roles[p].Has(lex.InScheme), p == '_', p == '@', p == '/', p == '%', p == '\\':
			return lex.No
		}
	}
	if i+1 == len(b) {
		return lex.AtEnd(s.Err != nil)
	}
	if b[i+1] < 0x80 && !lex.Roles[b[i+1]].Has(lex.Alnum) {
		return lex.No
	}
	s.prose = prose{}
	if o, mark := opener(&s.Window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, schemes.Usual, mark, c); v != lex.No {
			return v
		}
	}
	return s.bare(lo, lo, lo, walk{part: inAuthority}, schemes.Usual, c)
}
