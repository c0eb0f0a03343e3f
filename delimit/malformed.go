package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Texts that are meant as references and are none (Options.Malformed). They are found only where the
// search for references has found nothing.

// malformedColon examines what follows the colon at Buf[i], in front of which a scheme with a host
// stands: three slashes or more and a name, an address in brackets that is none, one slash and a host, or
// two backslashes and a host.
func (s *searcher) malformedColon(i int, c *Candidate) answer {
	b, atEOF := s.Buf[:s.End], s.Err != nil
	if b[i] != ':' || i+1 < len(b) && b[i+1] != '/' && b[i+1] != '\\' {
		return no
	}
	lo, run, clipped := schemeBefore(&s.window, i)
	if clipped || lo != run || traitsOf(b[lo:i])&hosts == 0 || !s.startsWord(lo) {
		return no
	}
	const look = 64 // bytes that decide, but for a name
	rest := b[i+1:]
	if len(rest) < look && !atEOF {
		return more
	}
	slashes := 0
	for slashes < min(len(rest), look) && rest[slashes] == '/' {
		slashes++
	}
	after, v := rest[slashes:], yes
	switch {
	case slashes == 3 && len(after) > 0 && roles[after[0]].Has(alnum):
	case slashes == 2 && len(after) > 0 && after[0] == '[' && isAddressLike(after[1:]):
	case slashes == 1 || slashes > 3 && slashes < look:
		v = dottedName(after, atEOF)
	case bytes.HasPrefix(after, []byte(`\\`)):
		v = dottedName(after[2:], atEOF)
	default:
		v = no
	}
	if v != yes {
		return v
	}
	return s.malformed(lo, i+1, c)
}

// malformedSlash examines the two slashes at Buf[i], in front of which the name of a scheme stands, and
// no colon: https//www.example.com, or what its key gives without shift on common keyboards: https;//
// and https.//.
func (s *searcher) malformedSlash(i int, c *Candidate) answer {
	b := s.Buf[:s.End]
	name := i
	if i > 0 && (b[i-1] == ';' || b[i-1] == '.') {
		name--
	}
	if name == 0 || !roles[b[name-1]].Has(alpha) {
		return no
	}
	if s.Err == nil && len(b)-i < 2 {
		return more
	}
	lo := name
	for least := max(s.Floor, name-len("https")); lo > least && roles[b[lo-1]].Has(alpha); {
		lo--
	}
	if len(b)-i < 3 && s.Err != nil || b[i+1] != '/' || !isOneOf(b[lo:name], []string{"http", "https", "ftp"}) || !s.startsWord(lo) {
		return no
	}
	if v := dottedName(b[i+2:], s.Err != nil); v != yes {
		return v
	}
	return s.malformed(lo, i+2, c)
}

// startsWord reports whether no word and no path continues at Buf[lo].
func (s *searcher) startsWord(lo int) bool {
	if lo == 0 {
		return true
	}
	p := s.Buf[lo-1]
	if p >= utf8.RuneSelf {
		return !isSpacedLetter(s.Buf[:lo])
	}
	return !roles[p].Has(alnum) && bytes.IndexByte([]byte("_/.-+:@%\\$&=#?*^|"), p) < 0
}

// isAddressLike reports whether b begins like an IPv6 address: hexadecimal digits and colons, of which
// there is one.
func isAddressLike(b []byte) bool {
	colon := false
	for _, c := range b[:min(len(b), 45)] {
		switch {
		case c == ':':
			colon = true
		case !roles[c].Has(alnum) || c|0x20 > 'f' && c > '9':
			return colon
		}
	}
	return colon
}

// dottedName decides whether b begins with a name of two labels or more, the last of which has two
// letters or more, and a path, a port or the end of a word follows.
func dottedName(b []byte, atEOF bool) answer {
	labels, size, letters := 0, 0, 0
	for i := range min(len(b), maxDomain) + 1 {
		if i >= len(b)-1 && !atEOF { // a dot needs the byte after it
			return more
		}
		if i < len(b) && (roles[b[i]].Has(alnum) || b[i] == '-') {
			size++
			if roles[b[i]].Has(alpha) {
				letters++
			}
			continue
		}
		if size == 0 {
			return no
		}
		if labels++; i < len(b) && b[i] == '.' && i+1 < len(b) && roles[b[i+1]].Has(alnum) {
			size, letters = 0, 0
			continue
		}
		return yes.And(labels > 1 && letters > 1 && letters == size && (i == len(b) || roles[b[i]].Has(ends) || bytes.IndexByte([]byte(`/\:?#.,;!)'`), b[i]) >= 0))
	}
	return no
}

// malformed sets c to the text at Buf[lo], up to white space or what else ends a reference. body is after
// the colon or the slashes.
func (s *searcher) malformed(lo, body int, c *Candidate) answer {
	end := max(body, s.unended) // no byte is examined twice
	for end < s.End && !roles[s.Buf[end]].Has(ends) && end-lo <= s.opts.MaxLen {
		end++
	}
	if s.unended = end; end-lo > s.opts.MaxLen {
		s.skipping = true
		s.skipped[0]++
		s.skipped[1] += int64(end - lo)
		s.SearchFrom = end
		return no
	}
	if end == s.End && s.Err == nil {
		return more
	}
	ref := trim(s.Buf[:end], lo, end, lo)
	line, column := s.LineOf(lo)
	text := s.Buf[lo:ref]
	*c = Candidate{
		Text: text, Ref: text, Raw: text, Tail: s.Buf[ref:end],
		Inner: spanOf(&s.window, lo, ref), Outer: spanOf(&s.window, lo, ref), Line: line, Column: column, Form: Bare,
	}
	s.SearchFrom = ref
	return yes
}
