package delimit

import (
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// Defanged references are written so that programs do not make links of them, as in
// hxxp://evil[.]example. They are found as one reference, and Ref has the original.

// defangedColon examines what is around the colon at buf[i], for a scheme whose colon is
// defanged, as in http[:]//a or http[://]a. A defanged scheme in front of an ordinary
// colon needs no special case: it is a scheme like any other.
func (s *searcher) defangedColon(i int, c *Candidate) lex.Verdict {
	b := s.Buf[:s.End]
	if i < 3 || i-1 <= s.Floor || b[i-1] != '[' && b[i-1] != '(' {
		return lex.No
	}
	lo, _, _ := schemeBefore(&s.Window, i-1)
	if i-1-lo < 2 {
		return lex.No
	}
	n, short := fanged(b[i-1:])
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
			slashes, v = slashesAt(&s.Window, body)
		}
		if v == lex.More || !slashes {
			return v.And(slashes)
		}
		body += 2
	}
	if o, mark := opener(&s.Window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, schemes.Usual, mark, c); v != lex.No {
			return v
		}
	}
	return s.bare(lo, body, lo, walk{part: inAuthority}, schemes.Usual, c)
}
