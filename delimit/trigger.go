package delimit

import (
	"bytes"
	"encoding/binary"
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

// colon returns the position of the first worthwhile colon from i on, or -1.
func (s *Scanner) colon(i int) int {
	for { // each iteration searches a piece
		if at := s.nextColon(i); at >= 0 {
			return at
		}
		if s.piece.to == s.end {
			return -1
		}
		s.searchPiece()
	}
}

// worthwhile reports whether the colon buf[i] needs to be examined. Most colons of
// running text do not: they follow a word that is not a scheme, and are followed by white
// space, a digit or another word.
func (s *Scanner) worthwhile(i int) bool {
	b := s.buf[:s.end]
	if i < 3 || i+1 == len(b) {
		return true
	}
	// If a slash follows, it may be "://". Otherwise three cases remain: an ending of a
	// scheme or prefix; a slash on the next line, in a wrapper; an experimental scheme,
	// since these cannot be listed. In front of "<", which ends every reference, a colon
	// is never worthwhile.
	next := b[i+1]
	if next == '/' || next == '\\' {
		return true
	}
	if next == '<' || prefixRun(b, i) {
		return false
	}
	return s.mayEnd(i) ||
		roles[next].has(white) && s.slashAhead(i+2) ||
		!roles[next].has(white) && roles[b[i-2]]&roles[b[i-3]]&inScheme != 0 && s.experimental(i)
}

// mayEnd reports whether the text in front of the colon buf[i] ends like a prefix, or
// like a scheme that counts without "//". There are at least three bytes.
func (s *Scanner) mayEnd(i int) bool {
	end := ending(s.buf[i-3], s.buf[i-2], s.buf[i-1])
	if endings[end/64]>>(end%64)&1 == 0 {
		return false
	}
	// In mail, half of these are "Content-Type", which ends like "skype", and
	// "Message-ID", whose hyphen has the same low bits as the "m" in "mid". Both count
	// only as experimental schemes.
	if !roles[s.buf[i-3]].has(alnum) {
		end |= noLetter << 10
	}
	return endings[end/64]>>(end%64)&1 != 0 && (i == 3 || fourths[end%1024]>>(s.buf[i-4]&31)&1 != 0) ||
		s.experimental(i)
}

// slashAhead reports whether a slash follows in buf from i on, after white space and
// marks of a quote prefix, or may still follow. Then a wrapper may have been broken
// between a colon and its slashes. It examines maxLead bytes.
func (s *Scanner) slashAhead(i int) bool {
	for most := min(s.end, i+maxLead); i < most; i++ {
		if c := s.buf[i]; !roles[c].has(white) && !isMark(c) {
			return c == '/'
		}
	}
	return i == s.end
}

// experimental reports whether an "x-" scheme ends before the colon buf[i].
func (s *Scanner) experimental(i int) bool {
	k := i
	for least := max(s.floor, i-maxScheme); k > least && roles[s.buf[k-1]].has(inScheme); {
		k--
	}
	for ; i-k > 2; k++ {
		if roles[s.buf[k]].has(alpha) {
			return lower(s.buf[k]) == 'x' && s.buf[k+1] == '-'
		}
	}
	return false
}

// prefixRun reports whether the colon b[i] belongs to a prefix in a run of prefixes, and
// is neither the first nor the last: of two prefixes the last one counts. The byte after
// the next one's colon must not be a possible part of a scheme.
func prefixRun(b []byte, i int) bool {
	const (
		alike = 0xFFDA_DFDF // the bits in which "URL:", "URI:" and their lower case are equal
		run   = 0x3A48_5255 // the values of these bits
		third = 1<<32 | 1   // L and I differ in two more bits, and each has exactly one of them
	)
	if i < 4 || i+5 >= len(b) {
		return false
	}
	x := binary.LittleEndian.Uint64(b[i-3:])
	return x&(alike<<32|alike) == run<<32|run && (x>>16^x>>18)&third == third &&
		b[i-4] == ':' && roles[b[i+5]].has(alnum)
}
