package delimit

import (
	"bytes"
)

// Plan: the search stops at colons, and with extras also at dots and "@". Nine of ten
// colons in mail and news cannot follow a scheme and are skipped: most by the search
// itself (trigger_blocks.go), the others here (worthwhile). With extras, the search stops
// at every colon, which bytes.IndexByte finds.

// A trigger is a byte at which the scanner examines the surroundings.
const (
	colonTrigger = iota
	dotTrigger
	atTrigger
)

var triggers = [3]byte{':', '.', '@'}

// trigger returns the first trigger from s.look on, or -1. The next position of each kind
// is kept in s.next, so that no byte is searched twice for the same kind.
func (s *Scanner) trigger() (i, kind int) {
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
