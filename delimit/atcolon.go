package delimit

// Examines what is around a colon. Most colons that get here belong to "scheme://". The
// others belong to prefixes, to schemes that prose uses without slashes, or to a wrapper
// that was broken directly after them. The search back is bounded by maxScheme and by the
// end of the last candidate, so that no two candidates overlap. The search forward is in
// wrapped.go and bare.go.

// atColon examines what is around the colon at buf[i]. With yes it has set c, and look is
// after the candidate. With no the colon is text, or a run was too long and skipping is
// set.
func (s *finder) atColon(i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	if i+1 == len(b) {
		return atEnd(s.err != nil)
	}
	lo, run, clipped := schemeBefore(&s.window, i)
	next := b[i+1]
	if lo == i {
		if next == '/' && roles[b[max(i-1, 0)]].has(white) {
			return s.broken(i, i, c)
		}
		return no
	}
	slashed := false
	if next == '/' || next == '\\' {
		var v verdict
		if slashed, v = slashesAt(&s.window, i+1); v != yes {
			return v
		}
	}
	scheme := b[lo:i]
	switch {
	case isPrefix(scheme) && (!wordBefore(b[:lo]) || lo == run && colourBefore(&s.window, lo)):
		if slashed { // "URL://http://a/", as some write it
			k := i + 3 + schemeEnd(b[i+3:])
			if k+3 > len(b) && s.err == nil {
				return more
			}
			if startsAdjacent(b[i+3:]) {
				i += 2
			}
		}
		return s.prefixed(lo, i, c)
	case slashed:
		// An unregistered scheme may be an unknown one, or http directly after a word. A
		// scheme that white space breaks in two looks unregistered too, until its first
		// part is found.
		at := lo
		h := traitsOf(scheme)
		if h&isRegistered == 0 {
			if g := schemeAfterWord(b[:i], run); g > lo && wordEndsBefore(b[:g]) {
				at = g
			} else if v := s.broken(lo, i, c); v != no {
				return v
			}
		}
		if i-at < 2 || clipped && at == lo {
			return no
		}
		return s.reference(at, i, usual, c)
	case clipped:
		return no
	case (next == '/' || next == '\\' && i+2 < len(b) && b[i+2] == '/') && wordEnd(scheme, "file"): // "\/" in JSON
		return s.reference(i-len("file"), i, usual, c)
	case roles[next].has(white) || next == '\\':
		return s.split(lo, i, c)
	}
	if at := s.rules.opaqueIn(b, lo, i); at >= 0 {
		if next == '/' { // bare: two words with a slash between them, news:/mail:
			return s.split(at, i, c)
		}
		return s.reference(at, i, usual, c)
	}
	if i-lo > 2 && foldEqual(b[lo:lo+2], "x-") {
		if o, mark := opener(&s.window, outermost(&s.window, lo)); mark == '<' {
			return s.wrapped(o, o+1, angled, '<', c)
		}
	}
	if next == '/' {
		return s.split(lo, i, c)
	}
	return no
}

// wordEndsBefore reports whether b ends with text that may precede http, https or ftp
// without being part of the scheme: a word, the end of a sentence, or a line of dashes.
// One "+" or "-" makes a scheme, as in git+https.
func wordEndsBefore(b []byte) bool {
	n := len(b)
	c := b[n-1]
	return roles[c].has(alnum) || c == '.' || n > 1 && (b[n-2] == '+' || b[n-2] == '-' || b[n-2] == '.')
}

// wordEnd reports whether scheme is word, or ends with it after + - or a dot.
func wordEnd(scheme []byte, word string) bool {
	k := len(scheme) - len(word)
	return foldSuffix(scheme, word) && (k == 0 || !roles[scheme[k-1]].has(alnum))
}

// split examines a scheme whose colon is followed by white space or a single slash. It is
// a reference only in a wrapper, which joins the parts.
func (s *finder) split(lo, i int, c *Candidate) verdict {
	if o, mark := opener(&s.window, lo); mark != 0 {
		return s.wrapped(o, o+1, usual, mark, c)
	}
	return no
}

// broken examines a scheme that white space breaks in two in a wrapper, as in
// "<ht\ntp://a/>". Its second part, which may be empty, is buf[lo:i].
func (s *finder) broken(lo, i int, c *Candidate) verdict {
	least := max(s.floor, lo-maxLead)
	k := lo
	for k > least && roles[s.buf[k-1]].has(white) {
		k--
	}
	if k == lo {
		return no
	}
	j := k
	for j > least && roles[s.buf[j-1]].has(inScheme) {
		j--
	}
	if j == k || (k-j)+(i-lo) > maxScheme {
		return no
	}
	o, mark := opener(&s.window, j)
	if mark == 0 {
		return no
	}
	var whole [maxScheme]byte
	n := copy(whole[:], s.buf[j:k])
	n += copy(whole[n:], s.buf[lo:i])
	if !registered(whole[:n]) {
		return no
	}
	return s.wrapped(o, o+1, usual, mark, c)
}
