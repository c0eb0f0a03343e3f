package delimit

import "bytes"

// What stands around a colon. Most colons that come here belong to "scheme://"; the
// others are prefixes, schemes that prose uses without slashes, and colons of a
// wrapper that was broken right behind them. The way back is bounded by maxScheme
// and by the end of the last candidate, so that no two candidates overlap; the way
// forward is that of wrapped.go and bare.go.

// atColon looks around the colon at buf[i]. With yes it fills in c and sets look
// behind the candidate; with no the colon is text, or a run too long was met and
// skipping is set.
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
		if slashed { // "URL://http://a/", as some wrote it
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
		// An unregistered scheme may be one that nobody wrote down, or http
		// behind a word without a space. A scheme that white space breaks in
		// two looks unregistered as well, until its first part is found.
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
	case (next == '/' || next == '\\' && i+2 < len(b) && b[i+2] == '/') && wordEnd(scheme, "file"): // "\/" as JSON writes it
		return s.reference(i-len("file"), i, usual, c)
	case roles[next].has(white) || next == '\\':
		return s.split(lo, i, c)
	}
	if at := s.opaqueIn(lo, i); at >= 0 {
		if next == '/' { // bare, words that a slash parts: news:/mail:
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

// schemeBefore returns where the scheme begins that ends before buf[i]: the
// longest run of scheme characters that begins with a letter. run is where the
// characters begin that could be a scheme's; clipped says that they are more than
// a scheme has.
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

// wrapping returns where a reference begins whose scheme begins at buf[lo]: there, or at a
// scheme that wraps it, as in jdbc:mysql://host/. Up to maxWrapping schemes are looked at.
func (s *Scanner) wrapping(lo int) int {
	at, k := lo, lo
	for n := 0; n < maxWrapping && k-2 > s.floor && s.buf[k-1] == ':'; n++ {
		colon := k - 1
		k, _, _ = s.schemeBefore(colon)
		if colon-k < 2 || isPrefix(s.buf[k:colon]) {
			break
		}
		for j := k; j < colon; j++ { // maxScheme at most
			if (j == k || !roles[s.buf[j-1]].has(alnum)) && traitsOf(s.buf[j:colon])&wraps != 0 {
				at = j
				break
			}
		}
	}
	return at
}

// ampersandBefore reports whether buf[lo:i] begins with the letters of "\u0026", which
// is read as "&" (rule 12) and so is no part of a scheme.
func (s *Scanner) ampersandBefore(lo, i int) bool {
	return lo > s.floor && s.buf[lo-1] == '\\' && bytes.HasPrefix(s.buf[lo:i], escapedAmp)
}

var escapedAmp = []byte("u0026") // behind a backslash

// keepsLetter reports whether the scheme buf[lo:i] is one only with its first letter,
// though that ends a sequence without numbers, which was cut off by the beginning.
func (s *Scanner) keepsLetter(lo, i int) bool {
	return s.buf[lo-1] == '[' && registered(s.buf[lo:i]) && !registered(s.buf[lo+1:i])
}

// escapeBefore reports whether buf[lo] ends "=3D", a "=" of quoted-printable that
// nobody undid, as in archives of mail without its headers. (dhttp is a scheme.)
func (s *Scanner) escapeBefore(lo, least int) bool {
	return lo-2 >= least && s.buf[lo] == 'D' && s.buf[lo-1] == '3' && s.buf[lo-2] == '='
}

// colourBefore reports whether an escape sequence of a terminal (ESC [ numbers
// letter) ends right before buf[at], as colours in logs do. Its letter is no part
// of a scheme; but see keepsLetter. It looks at maxLead bytes.
func (s *Scanner) colourBefore(at int) bool {
	least := max(s.floor, at-maxLead)
	k := at - 1
	for k > least && (roles[s.buf[k-1]].has(digit) || s.buf[k-1] == ';') {
		k--
	}
	return k-2 >= least && s.buf[k-1] == '[' && s.buf[k-2] == 0x1B
}

// slashed reports whether "//" stands at buf[i], or `\/\/`, as JSON writes it.
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

// wordEndsBefore reports whether what b ends with is text before http, https or ftp
// and no part of a scheme: a word, the end of a sentence, or a rule of dashes.
// One "+" or "-" makes a scheme, as in git+https.
func wordEndsBefore(b []byte) bool {
	n := len(b)
	c := b[n-1]
	return roles[c].has(alnum) || c == '.' || n > 1 && (b[n-2] == '+' || b[n-2] == '-' || b[n-2] == '.')
}

// opaqueIn returns where a scheme begins that counts without "//" and ends
// before buf[i]: at lo, or behind a "+", "-" or "." further on; or -1.
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

// wordEnd reports whether scheme is word, or ends with it behind + - or a dot.
func wordEnd(scheme []byte, word string) bool {
	k := len(scheme) - len(word)
	return foldSuffix(scheme, word) && (k == 0 || !roles[scheme[k-1]].has(alnum))
}

// split looks at a scheme behind whose colon white space or a lone slash stands:
// a reference only if brackets hold it and join what is broken apart.
func (s *Scanner) split(lo, i int, c *Candidate) verdict {
	if o, form := s.opener(lo); form != Bare {
		return s.wrapped(o, o+1, usual, form, c)
	}
	return no
}

// broken looks at a scheme that white space breaks apart in a wrapper, as in
// "<ht\ntp://a/>". Its second part, maybe empty, is buf[lo:i].
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
