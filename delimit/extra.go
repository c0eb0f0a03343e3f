package delimit

import (
	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/extras"
	"github.com/urlsift/urlsift/delimit/internal/front"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// Extras are found only if the options enable them (Appendix F of 2002 has the
// abbreviated ones).

// abbreviated examines what is around the dot at Buf[i], for a reference that begins with
// one of the abbreviations.
func (s *searcher) abbreviated(i int, c *Candidate) lex.Answer {
	b := s.Buf[:s.End]
	lo := i
	for least := max(s.Floor, i-extras.MaxLabel); lo > least && lex.Roles[b[lo-1]].Has(lex.Alnum); {
		lo--
	}
	if lo == i || extras.Labelled(b[lo:i]) == "" {
		return lex.No
	}
	if lo > 0 {
		switch p := b[lo-1]; {
		case p >= 0x80 && !extras.NonASCIIEndsBefore(b[:lo]), lex.Roles[p].Has(lex.InScheme), p == '_', p == '@', p == '/', p == '%', p == '\\':
			return lex.No
		}
	}
	if i+1 == len(b) {
		return lex.AtEnd(s.Err != nil)
	}
	if b[i+1] < 0x80 && !lex.Roles[b[i+1]].Has(lex.Alnum) {
		return lex.No
	}
	s.bracketed = bracketedText{}
	if o, mark := front.Opener(&s.Window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, schemes.Usual, mark, c); v != lex.No {
			return v
		}
	}
	return s.bare(lo, lo, lo, bare.ScanState{Component: bare.InAuthority}, schemes.Usual, c)
}

// defangedColon examines what is around the colon at Buf[i], for a scheme whose colon is
// defanged, as in http[:]//a or http[://]a. A defanged scheme in front of an ordinary
// colon needs no special case: it is a scheme like any other.
func (s *searcher) defangedColon(i int, c *Candidate) lex.Answer {
	b := s.Buf[:s.End]
	if i < 3 || i-1 <= s.Floor || b[i-1] != '[' && b[i-1] != '(' {
		return lex.No
	}
	lo, _, _ := front.SchemeBefore(&s.Window, i-1)
	if i-1-lo < 2 {
		return lex.No
	}
	n, short := extras.Defanged(b[i-1:])
	if n == 0 {
		if short {
			return lex.AtEnd(s.Err != nil)
		}
		return lex.No
	}
	body := i - 1 + n
	if n == len("[:]") {
		slashes, v := false, lex.AtEnd(s.Err != nil)
		if body < s.End {
			slashes, v = front.SlashesAt(&s.Window, body)
		}
		if v == lex.More || !slashes {
			return v.And(slashes)
		}
		body += 2
	}
	if o, mark := front.Opener(&s.Window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, schemes.Usual, mark, c); v != lex.No {
			return v
		}
	}
	return s.bare(lo, body, lo, bare.ScanState{Component: bare.InAuthority}, schemes.Usual, c)
}
