package delimit

import "bytes"

// The search for candidates, in the window. It stops at colons, and with extras also at dots
// and "@".

// A searcher goes from one colon to the next.
type searcher struct {
	fastFinder
	wait int    // if not 0: examine the open candidate again when a byte from here on may end it
	next [3]int // for each trigger: its next position, as far as known
}

// A trigger is a byte at which the searcher examines the surroundings.
const (
	colonTrigger = iota
	dotTrigger
	atTrigger
)

// moved corrects the indices after the window has slid by n bytes.
func (s *searcher) moved(n int) {
	s.look -= n
	s.floor = max(0, s.floor-n)
	s.wait = max(0, s.wait-n)
	s.nests.clear()
	for i := range s.unpaired {
		s.unpaired[i] = max(0, s.unpaired[i]-n)
	}
	for i := range s.next {
		s.next[i] = max(0, s.next[i]-n)
	}
}

// worth reports whether the open candidate should be examined again: a byte has arrived
// that may end it (letters and digits cannot), or it is longer than the limit, or the
// input has ended.
func (s *searcher) worth() bool {
	if s.err != nil || s.end-s.look > s.opts.MaxLen {
		return true
	}
	for _, c := range s.buf[s.wait:s.end] {
		if !roles[c].has(alnum) {
			return true
		}
	}
	s.wait = s.end
	return false
}

// search finds the next candidate in the window. It returns no if there is none, and
// more if what follows the colon at s.look is not in the window yet.
func (s *searcher) search(c *Candidate) verdict {
	s.wait = 0
	if s.skipping && !s.skip() {
		return no
	}
	for s.look < s.end {
		i, kind := s.trigger()
		if i < 0 {
			s.look = s.end
			return no
		}
		s.look = i
		var v verdict
		switch kind {
		case colonTrigger:
			if s.plain && s.fastPath(i, c) {
				s.floor = s.look
				return yes
			}
			if s.fangs {
				v = s.defangedColon(i, c)
			}
			if v == no {
				v = s.atColon(i, c)
			}
		case dotTrigger:
			v = s.abbreviated(i, c)
		case atTrigger:
			v = s.address(i, c)
		}
		switch v {
		case yes:
			s.floor = s.look
			return yes
		case more:
			if s.err == nil {
				return more
			}
		}
		if s.skipping {
			if !s.skip() {
				return no
			}
			continue
		}
		s.look = i + 1
	}
	return no
}

// skip moves to the end of a bare run that is too long: to the next white space,
// control or delimiter. It reports whether that is in the window.
func (s *searcher) skip() bool {
	from := s.look
	defer func() { s.skipped[1] += int64(s.look - from) }()
	for s.look < s.end { // at least one byte in each iteration
		if roles[s.buf[s.look]].has(ends) {
			s.skipping = false
			s.floor = s.look
			return true
		}
		s.look++
	}
	return false
}

var triggers = [3]byte{':', '.', '@'}

// trigger returns the first trigger from s.look on, or -1. The next position of each kind
// is kept in s.next, so that no byte is searched twice for the same kind.
func (s *searcher) trigger() (i, kind int) {
	if s.opts.Extras&^Rejoin == 0 && s.opts.Known == nil {
		return s.colon(s.look), colonTrigger
	}
	best := -1
	for k, c := range triggers {
		if k == dotTrigger && s.opts.Extras&Abbreviated == 0 || k == atTrigger && s.opts.Extras&Address == 0 {
			continue
		}
		at := s.next[k]
		if at < s.look || at >= s.end || s.buf[at] != c {
			at = max(at, s.look)
			if j := bytes.IndexByte(s.buf[at:s.end], c); j >= 0 {
				at += j
			} else {
				at = s.end
			}
			s.next[k] = at
		}
		if at < s.end && (best < 0 || at < best) {
			best, kind = at, k
		}
	}
	return best, kind
}
