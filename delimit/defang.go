package delimit

// Defanged references are written so that programs do not make links of them, as in
// hxxp://evil[.]example. They are found as one reference, and Ref has the original.

// defangedColon examines what is around the colon at buf[i], for a scheme whose colon is
// defanged, as in http[:]//a or http[://]a. A defanged scheme in front of an ordinary
// colon needs no special case: it is a scheme like any other.
func (s *searcher) defangedColon(i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	if i < 3 || i-1 <= s.floor || b[i-1] != '[' && b[i-1] != '(' {
		return no
	}
	lo, _, _ := schemeBefore(&s.window, i-1)
	if i-1-lo < 2 {
		return no
	}
	n, short := fanged(b[i-1:])
	if n == 0 {
		if short {
			return atEnd(s.err != nil)
		}
		return no
	}
	body := i - 1 + n
	if n == len("[:]") {
		slashes, v := false, atEnd(s.err != nil)
		if body < s.end {
			slashes, v = slashesAt(&s.window, body)
		}
		if v == more || !slashes {
			return v.and(slashes)
		}
		body += 2
	}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	return s.bare(lo, body, lo, walk{part: inAuthority}, usual, c)
}
