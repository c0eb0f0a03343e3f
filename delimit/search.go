package delimit

import (
	"bytes"
	"unicode/utf8"
)

// The search stops at colons, and with extras also at dots, "@" and brackets.

// A trigger is a byte at which the searcher examines the surroundings.
const (
	colonTrigger = iota
	dotTrigger
	atTrigger
	slashTrigger
	bracketTrigger // and after it, its kin
)

// A searcher goes from one colon to the next.
type searcher struct {
	fastMatcher
	examined int                // if not 0: examine the open candidate again when a byte from here on may end it
	next     [len(triggers)]int // for each trigger: its next position, as far as known
	unended  int                // from where malformed has looked to here, nothing ends a reference
}

// moved corrects the indices after the window has slid by n bytes.
func (s *searcher) moved(n int) {
	s.SearchFrom -= n
	s.Floor = max(0, s.Floor-n)
	s.examined = max(0, s.examined-n)
	s.Nests.clear()
	for i := range s.unpaired {
		s.unpaired[i] = max(0, s.unpaired[i]-n)
	}
	for i := range s.next {
		s.next[i] = max(0, s.next[i]-n)
	}
	s.unended = max(0, s.unended-n)
}

// worth reports whether the open candidate should be examined again: a byte has arrived that may
// end the candidate (letters and digits cannot), or the candidate is longer than the limit, or the
// input has ended.
func (s *searcher) worth() bool {
	if s.Err != nil || s.End-s.SearchFrom > s.opts.MaxLen {
		return true
	}
	for _, c := range s.Buf[s.examined:s.End] {
		if !roles[c].has(alnum) {
			return true
		}
	}
	s.examined = s.End
	return false
}

// search finds the next candidate in the window. It returns no if there is none,
// and more if what follows the colon at SearchFrom is not in the window yet.
func (s *searcher) search(c *Candidate) answer {
	s.examined = 0
	if s.skipping && !s.skip() {
		return no
	}
	for s.SearchFrom < s.End {
		i, kind := s.trigger()
		if i < 0 {
			s.SearchFrom = s.End
			return no
		}
		s.SearchFrom = i
		var v answer
		switch kind {
		case colonTrigger:
			if s.plain && s.fastPath(i, c) {
				s.Floor = s.SearchFrom
				return yes
			}
			if s.Defanged {
				v = s.defangedColon(i, c)
			}
			if v == no {
				v = s.atColon(i, c)
			}
			if v == no && s.opts.Malformed && !s.skipping {
				v = s.malformedColon(i, c)
			}
		case dotTrigger:
			v = s.abbreviated(i, c)
		case atTrigger:
			v = s.address(i, c)
		case slashTrigger:
			v = s.malformedSlash(i, c)
		default:
			v = s.defanged(i, c)
		}
		switch v {
		case yes:
			s.Floor = s.SearchFrom
			return yes
		case more:
			if s.Err == nil {
				return more
			}
		}
		if s.skipping {
			if !s.skip() {
				return no
			}
			continue
		}
		s.SearchFrom = i + 1
	}
	return no
}

// skip moves to the end of a bare run that is too long: to the next white space,
// control or delimiter. It reports whether that byte is in the window.
func (s *searcher) skip() bool {
	from := s.SearchFrom
	defer func() { s.skipped[1] += int64(s.SearchFrom - from) }()
	for s.SearchFrom < s.End {
		if roles[s.Buf[s.SearchFrom]].has(ends) {
			s.skipping = false
			s.Floor = s.SearchFrom
			return true
		}
		s.SearchFrom++
	}
	return false
}

var triggers = [...]byte{':', '.', '@', '/', '[', '(', '{'}

// trigger returns the first trigger from SearchFrom on, or -1. The next position of each kind
// is kept in s.next, so that no byte is searched twice for the same kind.
func (s *searcher) trigger() (i, kind int) {
	if s.opts.Extras&^Rejoin == 0 && s.opts.Known == nil {
		colon := s.colon(s.SearchFrom)
		if s.opts.Malformed {
			if slash := s.slashes(); slash < s.End && (colon < 0 || slash < colon) {
				return slash, slashTrigger
			}
		}
		return colon, colonTrigger
	}
	best := -1
	for k, c := range triggers {
		if k == slashTrigger {
			if s.opts.Malformed {
				if at := s.slashes(); at < s.End && (best < 0 || at < best) {
					best, kind = at, k
				}
			}
			continue
		}
		if k == dotTrigger && s.opts.Extras&Abbreviated == 0 || k == atTrigger && s.opts.Extras&Address == 0 || k >= bracketTrigger && !s.Defanged {
			continue
		}
		at := s.next[k]
		if at < s.SearchFrom || at >= s.End || s.Buf[at] != c {
			at = max(at, s.SearchFrom)
			if j := bytes.IndexByte(s.Buf[at:s.End], c); j >= 0 {
				at += j
			} else {
				at = s.End
			}
			s.next[k] = at
		}
		if at < s.End && (best < 0 || at < best) {
			best, kind = at, k
		}
	}
	return best, kind
}

// slashes returns the position of the next two slashes that may follow the name of a scheme, from SearchFrom on; s.End if there
// are none.
func (s *searcher) slashes() int {
	at := max(s.next[slashTrigger], s.SearchFrom)
	for at < s.End && !(s.Buf[at] == '/' && at+1 < s.End && s.Buf[at+1] == '/' && at > 0 && (roles[s.Buf[at-1]].has(alpha) || s.Buf[at-1] == ';' || s.Buf[at-1] == '.')) {
		n := bytes.Index(s.Buf[at+1:s.End], []byte("//"))
		if n < 0 {
			at = s.End - 1 // perhaps the first of two
			if s.Buf[at] != '/' || s.Err != nil {
				at = s.End
			}
			break
		}
		at += 1 + n
	}
	s.next[slashTrigger] = at
	return at
}

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
	case slashes == 3 && len(after) > 0 && roles[after[0]].has(alnum):
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
	if name == 0 || !roles[b[name-1]].has(alpha) {
		return no
	}
	if s.Err == nil && len(b)-i < 2 {
		return more
	}
	lo := name
	for least := max(s.Floor, name-len("https")); lo > least && roles[b[lo-1]].has(alpha); {
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
	return !roles[p].has(alnum) && bytes.IndexByte([]byte("_/.-+:@%\\$&=#?*^|"), p) < 0
}

// isAddressLike reports whether b begins like an IPv6 address: hexadecimal digits and colons, of which
// there is one.
func isAddressLike(b []byte) bool {
	colon := false
	for _, c := range b[:min(len(b), 45)] {
		switch {
		case c == ':':
			colon = true
		case !roles[c].has(alnum) || c|0x20 > 'f' && c > '9':
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
		if i < len(b) && (roles[b[i]].has(alnum) || b[i] == '-') {
			size++
			if roles[b[i]].has(alpha) {
				letters++
			}
			continue
		}
		if size == 0 {
			return no
		}
		if labels++; i < len(b) && b[i] == '.' && i+1 < len(b) && roles[b[i+1]].has(alnum) {
			size, letters = 0, 0
			continue
		}
		return yes.and(labels > 1 && letters > 1 && letters == size && (i == len(b) || roles[b[i]].has(ends) || bytes.IndexByte([]byte(`/\:?#.,;!)'`), b[i]) >= 0))
	}
	return no
}

// malformed sets c to the text at Buf[lo], up to white space or what else ends a reference. body is after
// the colon or the slashes.
func (s *searcher) malformed(lo, body int, c *Candidate) answer {
	end := max(body, s.unended) // no byte is examined twice
	for end < s.End && !roles[s.Buf[end]].has(ends) && end-lo <= s.opts.MaxLen {
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
	line, column := s.lineOf(lo)
	text := s.Buf[lo:ref]
	*c = Candidate{
		Text: text, Ref: text, Raw: text, Tail: s.Buf[ref:end],
		Inner: spanOf(&s.window, lo, ref), Outer: spanOf(&s.window, lo, ref), Line: line, Column: column, Form: Bare,
	}
	s.SearchFrom = ref
	return yes
}
