package delimit

import (
	"bytes"
	"encoding/binary"
)

// Plan: the search stops at colons, and with extras at dots and at signs. Nine of ten
// colons in mail and news can follow no scheme and are passed over: most by the search
// itself (trigger_blocks.go), the others here (worthwhile). With extras the search stops
// at every colon, which bytes.IndexByte finds.

// A trigger is a byte at which the scanner stops to look around.
const (
	colonTrigger = iota
	dotTrigger
	atTrigger
)

var triggers = [3]byte{':', '.', '@'}

// trigger returns the first trigger from s.look on, or -1. What is known of
// each is kept in s.next, so that no byte is searched twice for the same one.
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

// colon returns where the first colon from i on stands that is worth a look
// around, or -1.
func (s *Scanner) colon(i int) int {
	for { // each turn searches a piece
		if at := s.nextColon(i); at >= 0 {
			return at
		}
		if s.piece.to == s.end {
			return -1
		}
		s.searchPiece()
	}
}

// worthwhile reports whether the colon buf[i] is worth a look around. Most colons
// of running text are not: they follow a word that is no scheme, and white space, a
// digit or another word follows them.
func (s *Scanner) worthwhile(i int) bool {
	b := s.buf[:s.end]
	if i < 3 || i+1 == len(b) {
		return true
	}
	// A slash behind it may make it "://". Without one, only an ending that
	// some scheme or prefix has is worth while; or a slash on the next line,
	// in a wrapper; or the experimental schemes, which nobody can list.
	// Before a "<", which ends a reference in any form, it is never.
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

// mayEnd reports whether what stands before the colon buf[i] ends as a prefix does, or
// as a scheme that counts without "//". At least three bytes stand there.
func (s *Scanner) mayEnd(i int) bool {
	end := ending(s.buf[i-3], s.buf[i-2], s.buf[i-1])
	if endings[end/64]>>(end%64)&1 == 0 {
		return false
	}
	// In mail, half of these are "Content-Type", which ends like "skype", and
	// "Message-ID", whose hyphen has the low bits of the "m" in "mid". Both count
	// where they are experimental schemes.
	if !roles[s.buf[i-3]].has(alnum) {
		end |= noLetter << 10
	}
	return endings[end/64]>>(end%64)&1 != 0 && (i == 3 || fourths[end%1024]>>(s.buf[i-4]&31)&1 != 0) ||
		s.experimental(i)
}

// slashAhead reports whether a slash stands in buf from i on, behind white space
// and marks of a quote prefix, or may yet come: then a wrapper may have been broken
// between a colon and its slashes. It looks at maxLead bytes.
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

// prefixRun reports whether the colon b[i] is that of a prefix in a run of them, not
// the first nor the last: of two prefixes the last one counts. The byte behind the
// next one's colon must not be able to make that another's scheme.
func prefixRun(b []byte, i int) bool {
	const (
		alike = 0xFFDA_DFDF // the bits in which "URL:", "URI:" and their small letters are alike
		run   = 0x3A48_5255 // and what they are there
		third = 1<<32 | 1   // L and I differ in two bits more, of which each has another one
	)
	if i < 4 || i+5 >= len(b) {
		return false
	}
	x := binary.LittleEndian.Uint64(b[i-3:])
	return x&(alike<<32|alike) == run<<32|run && (x>>16^x>>18)&third == third &&
		b[i-4] == ':' && roles[b[i+5]].has(alnum)
}
