package delimit

import (
	"bytes"
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

// moved corrects the indices after the window has slid by n bytes.
func (s *searcher) moved(n int) {
	s.SearchFrom -= n
	s.Floor = max(0, s.Floor-n)
	s.examined = max(0, s.examined-n)
	s.Nests.Clear()
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
		if !roles[c].Has(alnum) {
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
		if roles[s.Buf[s.SearchFrom]].Has(ends) {
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
		colon := s.Colon(s.SearchFrom)
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
	for at < s.End && !(s.Buf[at] == '/' && at+1 < s.End && s.Buf[at+1] == '/' && at > 0 && (roles[s.Buf[at-1]].Has(alpha) || s.Buf[at-1] == ';' || s.Buf[at-1] == '.')) {
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
