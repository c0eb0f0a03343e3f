package delimit

import "bytes"

// Examines what is around a colon. Most colons that get here belong to "scheme://". The
// others belong to prefixes, to schemes that prose uses without slashes, or to a wrapper
// that was broken directly after them. The search back is bounded by maxScheme and by the
// end of the last candidate, so that no two candidates overlap. The search forward is in
// wrapped.go and bare.go.

// atColon examines what is around the colon at buf[i]. With yes it has set c, and look is
// after the candidate. With no the colon is text, or a run was too long and skipping is
// set.
func (s *Scanner) atColon(i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	if i+1 == len(b) {
		return atEnd(s.err != nil)
	}
	if s.opts.Extras&Defanged != 0 {
		if v := s.defangedColon(i, c); v != no {
			return v
		}
	}
	lo, run, clipped := s.schemeBefore(i)
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
		if slashed, v = s.slashed(i + 1); v != yes {
			return v
		}
	}
	scheme := b[lo:i]
	switch {
	case isPrefix(scheme) && (!wordBefore(b[:lo]) || lo == run && s.colourBefore(lo)):
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
	if at := s.opaqueIn(lo, i); at >= 0 {
		if next == '/' { // bare: two words with a slash between them, news:/mail:
			return s.split(at, i, c)
		}
		return s.reference(at, i, usual, c)
	}
	if i-lo > 2 && foldEqual(b[lo:lo+2], "x-") {
		if o, form := s.opener(s.wrapping(lo)); form == Angle {
			return s.wrapped(o, o+1, angled, Angle, c)
		}
	}
	if next == '/' {
		return s.split(lo, i, c)
	}
	return no
}

// schemeBefore returns where the scheme in front of buf[i] begins: the longest run of
// scheme characters that begins with a letter. run is where the run of possible
// characters begins. clipped says that the run is longer than a scheme may be.
func (s *Scanner) schemeBefore(i int) (lo, run int, clipped bool) {
	least := max(s.floor, i-maxScheme)
	for lo = i; lo > least && roles[s.buf[lo-1]].has(inScheme); {
		lo--
	}
	clipped = lo == i-maxScheme && lo > s.floor && roles[s.buf[lo-1]].has(inScheme)
	for run = lo; lo < i && !roles[s.buf[lo]].has(alpha); {
		lo++
	}
	if lo < i && (s.colourBefore(lo+1) && !s.keepsLetter(lo, i) || s.escapeBefore(lo, least)) {
		lo++
		for run = lo; lo < i && !roles[s.buf[lo]].has(alpha); {
			lo++
		}
	}
	if s.ampersandBefore(lo, i) {
		lo += len(escapedAmp)
		for run = lo; lo < i && !roles[s.buf[lo]].has(alpha); {
			lo++
		}
	}
	return lo, run, clipped
}

// wrapping returns where the reference begins whose scheme begins at buf[lo]: there, or
// at a scheme that wraps it (rule 22), as in jdbc:mysql://host/. It examines up to
// maxWrapping schemes.
func (s *Scanner) wrapping(lo int) int {
	at, k := lo, lo
	for n := 0; n < maxWrapping && k-2 > s.floor && s.buf[k-1] == ':'; n++ {
		colon := k - 1
		k, _, _ = s.schemeBefore(colon)
		if colon-k < 2 || isPrefix(s.buf[k:colon]) {
			break
		}
		for j := k; j < colon; j++ { // at most maxScheme
			if (j == k || !roles[s.buf[j-1]].has(alnum)) && traitsOf(s.buf[j:colon])&wraps != 0 {
				at = j
				break
			}
		}
	}
	return at
}

// ampersandBefore reports whether buf[lo:i] begins with the letters of "\u0026", which
// means "&" (rule 12) and so is not part of a scheme.
func (s *Scanner) ampersandBefore(lo, i int) bool {
	return lo > s.floor && s.buf[lo-1] == '\\' && bytes.HasPrefix(s.buf[lo:i], escapedAmp)
}

var escapedAmp = []byte("u0026") // after a backslash

// keepsLetter reports whether buf[lo:i] is a scheme only with its first letter. That
// letter also ends an escape sequence without numbers, whose beginning may have been
// removed.
func (s *Scanner) keepsLetter(lo, i int) bool {
	return s.buf[lo-1] == '[' && registered(s.buf[lo:i]) && !registered(s.buf[lo+1:i])
}

// escapeBefore reports whether buf[lo] ends "=3D": a "=" in quoted-printable that was not
// decoded, as in mail archives without headers. (dhttp is a scheme.)
func (s *Scanner) escapeBefore(lo, least int) bool {
	return lo-2 >= least && s.buf[lo] == 'D' && s.buf[lo-1] == '3' && s.buf[lo-2] == '='
}

// colourBefore reports whether an escape sequence of a terminal (ESC [ numbers letter)
// ends directly in front of buf[at], as with colours in logs. Its letter is not part of a
// scheme, with the exception in keepsLetter. It examines maxLead bytes.
func (s *Scanner) colourBefore(at int) bool {
	least := max(s.floor, at-maxLead)
	k := at - 1
	for k > least && (roles[s.buf[k-1]].has(digit) || s.buf[k-1] == ';') {
		k--
	}
	return k-2 >= least && s.buf[k-1] == '[' && s.buf[k-2] == 0x1B
}

// slashed reports whether buf[i:] begins with "//", or with `\/\/`, as JSON has it.
func (s *Scanner) slashed(i int) (is bool, v verdict) {
	b := s.buf[i:s.end]
	want := "//"
	if b[0] == '\\' {
		want = `\/\/`
	}
	k := min(len(b), len(want))
	switch {
	case string(b[:k]) != want[:k]:
		return false, yes
	case k < len(want) && s.err == nil:
		return false, more
	}
	return k == len(want), yes
}

// wordEndsBefore reports whether b ends with text that may precede http, https or ftp
// without being part of the scheme: a word, the end of a sentence, or a line of dashes.
// One "+" or "-" makes a scheme, as in git+https.
func wordEndsBefore(b []byte) bool {
	n := len(b)
	c := b[n-1]
	return roles[c].has(alnum) || c == '.' || n > 1 && (b[n-2] == '+' || b[n-2] == '-' || b[n-2] == '.')
}

// opaqueIn returns where a scheme that counts without "//" begins and ends in front of
// buf[i]: at lo, or later, after a "+", "-" or "."; or -1.
func (s *Scanner) opaqueIn(lo, i int) int {
	for k := lo; i-k >= 2; k++ {
		if (k == lo || !roles[s.buf[k-1]].has(alnum)) && roles[s.buf[k]].has(alpha) {
			if scheme := s.buf[k:i]; s.knows(scheme, traitsOf(scheme)) {
				return k
			}
		}
	}
	return -1
}

// wordEnd reports whether scheme is word, or ends with it after + - or a dot.
func wordEnd(scheme []byte, word string) bool {
	k := len(scheme) - len(word)
	return foldSuffix(scheme, word) && (k == 0 || !roles[scheme[k-1]].has(alnum))
}

// split examines a scheme whose colon is followed by white space or a single slash. It is
// a reference only in a wrapper, which joins the parts.
func (s *Scanner) split(lo, i int, c *Candidate) verdict {
	if o, form := s.opener(lo); form != Bare {
		return s.wrapped(o, o+1, usual, form, c)
	}
	return no
}

// broken examines a scheme that white space breaks in two in a wrapper, as in
// "<ht\ntp://a/>". Its second part, which may be empty, is buf[lo:i].
func (s *Scanner) broken(lo, i int, c *Candidate) verdict {
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
	o, form := s.opener(j)
	if form == Bare {
		return no
	}
	var whole [maxScheme]byte
	n := copy(whole[:], s.buf[j:k])
	n += copy(whole[n:], s.buf[lo:i])
	if !registered(whole[:n]) {
		return no
	}
	return s.wrapped(o, o+1, usual, form, c)
}
