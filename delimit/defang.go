package delimit

// Defanged references: written so that no program makes them live, as in
// hxxp://evil[.]example. They are found whole, and Ref has them mended.

// A fang is a way to write a character of a reference so that it does not bite.
var fangs = [...]struct{ as, is string }{
	{"[.]", "."}, {"(.)", "."}, {"{.}", "."}, {"[dot]", "."}, {"(dot)", "."}, {"{dot}", "."},
	{"[:]", ":"}, {"(:)", ":"}, {"[://]", "://"}, {"[/]", "/"}, {"[@]", "@"}, {"[at]", "@"}, {"(at)", "@"},
	{`\.`, "."},
}

// fangStarts tells which bytes may be the first of a fang, and the second.
var fangStarts = func() (t [2][256]bool) {
	for _, f := range fangs {
		t[0][f.as[0]], t[1][f.as[1]] = true, true
		if c := f.as[1]; roles[c].has(alpha) {
			t[1][c-('a'-'A')] = true
		}
	}
	return t
}()

// fanged returns the length of the fang that b begins with, or 0. short is true
// if more of b could make one.
func fanged(b []byte) (n int, short bool) {
	if !fangStarts[0][b[0]] || len(b) > 1 && !fangStarts[1][b[1]] {
		return 0, false
	}
	return fangedSlow(b)
}

// fangedSlow is fanged for what begins like a fang.
func fangedSlow(b []byte) (n int, short bool) {
	for _, f := range fangs {
		k := min(len(b), len(f.as))
		switch {
		case b[0] != f.as[0] || !foldEqual(b[:k], f.as[:k]):
		case k < len(f.as):
			short = true
		default:
			return k, false
		}
	}
	return 0, short
}

// unfanged returns what the fang b[:n] stands for.
func unfanged(b []byte) string {
	for _, f := range fangs {
		if foldEqual(b, f.as) {
			return f.is
		}
	}
	return ""
}

// defangedSchemes are the schemes as they are written to be harmless.
var defangedSchemes = [...]struct{ as, is string }{
	{"hxxp", "http"}, {"hxxps", "https"}, {"hxtp", "http"}, {"hxtps", "https"}, {"htxp", "http"}, {"htxps", "https"},
	{"hxp", "http"}, {"hxps", "https"}, {"fxp", "ftp"}, {"fxps", "ftps"}, {"fxtp", "ftp"}, {"sfxp", "sftp"},
}

// refang appends to dst what text stands for. ok is false if text is not
// defanged; then dst's contents mean nothing.
func refang(dst, text []byte) (out []byte, ok bool) {
	i := 0
	if n := schemeEnd(text); n > 0 {
		for _, d := range defangedSchemes {
			if foldEqual(text[:n], d.as) {
				dst = append(dst, d.is...)
				i, ok = n, true
			}
		}
	}
	for i < len(text) { // one step forward each time
		if n, _ := fanged(text[i:]); n > 0 {
			dst = append(dst, unfanged(text[i:i+n])...)
			i += n
			ok = true
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	return dst, ok
}

// schemeEnd returns the length of the run of scheme characters that t begins with.
func schemeEnd(t []byte) int {
	n := 0
	for n < len(t) && n <= maxScheme && roles[t[n]].has(inScheme) {
		n++
	}
	return n
}

// defangedColon looks around the colon at buf[i] for a scheme whose colon is
// itself defanged, as in http[:]//a or http[://]a. A defanged scheme before a
// plain colon needs nothing: it is a scheme like any other.
func (s *Scanner) defangedColon(i int, c *Candidate) verdict {
	b := s.buf[:s.end]
	if i < 3 || i-1 <= s.floor || b[i-1] != '[' && b[i-1] != '(' {
		return no
	}
	lo, _, _ := s.schemeBefore(i - 1)
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
		slashes, v := s.slashedAt(body)
		if v == more || !slashes {
			return v.and(slashes)
		}
		body += 2
	}
	if o, form := s.opener(lo); form != Bare {
		if v := s.wrapped(o, o+1, usual, form, c); v != no {
			return v
		}
	}
	return s.bare(lo, body, lo, walk{part: inAuthority}, usual, c)
}

// slashedAt is slashed for an index that may be the end.
func (s *Scanner) slashedAt(i int) (is bool, v verdict) {
	if i >= s.end {
		return false, atEnd(s.err != nil)
	}
	return s.slashed(i)
}

// and returns no in place of yes if is does not hold.
func (v verdict) and(is bool) verdict {
	if v == yes && !is {
		return no
	}
	return v
}
