package delimit

// Defanged references are written so that programs do not make links of them, as in
// hxxp://evil[.]example. They are found as one reference, and Ref has the original.

// A fang is a defanged spelling of a character.
var fangs = [...]struct{ as, is string }{
	{"[.]", "."}, {"(.)", "."}, {"{.}", "."}, {"[dot]", "."}, {"(dot)", "."}, {"{dot}", "."},
	{"[:]", ":"}, {"(:)", ":"}, {"[://]", "://"}, {"[/]", "/"}, {"[@]", "@"}, {"[at]", "@"}, {"(at)", "@"},
	{`\.`, "."},
}

// fangStarts has the bytes that may be first in a fang, and those that may be second.
var fangStarts = func() (t [2][256]bool) {
	for _, f := range fangs {
		t[0][f.as[0]], t[1][f.as[1]] = true, true
		if c := f.as[1]; roles[c].has(alpha) {
			t[1][c-('a'-'A')] = true
		}
	}
	return t
}()

// fanged returns the length of the fang at the beginning of b, or 0. short reports
// whether more bytes of b could make one.
func fanged(b []byte) (n int, short bool) {
	if !fangStarts[0][b[0]] || len(b) > 1 && !fangStarts[1][b[1]] {
		return 0, false
	}
	return fangedSlow(b)
}

// fangedSlow is the rest of fanged, for bytes with which a fang may begin.
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

// unfanged returns the character that the fang b[:n] represents.
func unfanged(b []byte) string {
	for _, f := range fangs {
		if foldEqual(b, f.as) {
			return f.is
		}
	}
	return ""
}

// defangedSchemes are the defanged spellings of schemes.
var defangedSchemes = [...]struct{ as, is string }{
	{"hxxp", "http"}, {"hxxps", "https"}, {"hxtp", "http"}, {"hxtps", "https"}, {"htxp", "http"}, {"htxps", "https"},
	{"hxp", "http"}, {"hxps", "https"}, {"fxp", "ftp"}, {"fxps", "ftps"}, {"fxtp", "ftp"}, {"sfxp", "sftp"},
}

// refang appends text with its original characters to dst. If text is not defanged, ok is
// false and the content of out is undefined.
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
	for i < len(text) { // at least one byte in each iteration
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

// defangedColon examines what is around the colon at buf[i], for a scheme whose colon is
// defanged, as in http[:]//a or http[://]a. A defanged scheme in front of an ordinary
// colon needs no special case: it is a scheme like any other.
func (s *Scanner) defangedColon(i int, c *Candidate) verdict {
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
		slashes, v := s.slashedAt(body)
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

// slashedAt is slashesAt for an index that may be the end of the buffer.
func (s *Scanner) slashedAt(i int) (is bool, v verdict) {
	if i >= s.end {
		return false, atEnd(s.err != nil)
	}
	return slashesAt(&s.window, i)
}
