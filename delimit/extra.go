package delimit

// Extras are found only if the options enable them (Appendix F of 2002 has the
// abbreviated ones).

// abbreviated examines what is around the dot at buf[i], for a reference that begins with
// one of the abbreviations.
func (s *searcher) abbreviated(i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	lo := i
	for least := max(s.floor, i-maxLabel); lo > least && roles[b[lo-1]].has(alnum); {
		lo--
	}
	if lo == i || labelled(b[lo:i]) == "" {
		return no
	}
	if lo > 0 {
		switch p := b[lo-1]; {
		case p >= 0x80 && !nonASCIIEndsBefore(b[:lo]), roles[p].has(inScheme), p == '_', p == '@', p == '/', p == '%', p == '\\':
			return no
		}
	}
	if i+1 == len(b) {
		return atEnd(s.err != nil)
	}
	if b[i+1] < 0x80 && !roles[b[i+1]].has(alnum) {
		return no
	}
	s.prose = prose{}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	return s.bare(lo, lo, lo, walk{part: inAuthority}, usual, c)
}
