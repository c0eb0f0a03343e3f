package window

import (
	"encoding/binary"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// Plan: nine of ten colons in mail and news cannot follow a scheme and are skipped: most by
// the search itself (trigger_blocks.go), the others here (Worthwhile).

// Worthwhile reports whether the colon b[i] needs to be examined. Most colons of
// running text do not: they follow a word that is not a scheme, and are followed by white
// space, a digit or another word.
func Worthwhile(b []byte, floor, i int) bool {
	if i < 3 || i+1 == len(b) {
		return true
	}
	// If a slash follows, the colon may begin "://". Otherwise three cases remain: an ending of a
	// scheme or prefix; a slash on the next line, in a wrapper; an experimental scheme, since these
	// cannot be listed. In front of "<", which ends every reference, a colon is never worthwhile.
	next := b[i+1]
	if next == '/' || next == '\\' {
		return true
	}
	if next == '<' || prefixRun(b, i) {
		return false
	}
	return mayEnd(b, floor, i) ||
		lex.Roles[next].Has(lex.White) && slashAhead(b, i+2) ||
		!lex.Roles[next].Has(lex.White) && lex.Roles[b[i-2]]&lex.Roles[b[i-3]]&lex.InScheme != 0 && experimental(b, floor, i)
}

// mayEnd reports whether the text in front of the colon b[i] ends like a prefix, or
// like a scheme that counts without "//". At least three bytes are in front of the colon.
func mayEnd(b []byte, floor, i int) bool {
	end := schemes.Ending(b[i-3], b[i-2], b[i-1])
	if schemes.Endings[end/64]>>(end%64)&1 == 0 {
		return false
	}
	// In mail, half of the colons that get here follow "Content-Type", which ends like
	// "skype", or "Message-ID", whose hyphen has the same low bits as the "m" of "mid".
	// The next two tests reject both.
	if !lex.Roles[b[i-3]].Has(lex.Alnum) {
		end |= schemes.NoLetter << 10
	}
	return schemes.Endings[end/64]>>(end%64)&1 != 0 && (i == 3 || schemes.Fourths[end%1024]>>(b[i-4]&31)&1 != 0) ||
		experimental(b, floor, i)
}

// slashAhead reports whether a slash follows in b from i on, after white space and
// marks of a quote prefix, or may still follow. Then a wrapper may have been broken
// between a colon and its slashes. It examines lex.MaxLead bytes.
func slashAhead(b []byte, i int) bool {
	for most := min(len(b), i+lex.MaxLead); i < most; i++ {
		if c := b[i]; !lex.Roles[c].Has(lex.White) && !lex.IsMark(c) {
			return c == '/'
		}
	}
	return i == len(b)
}

// experimental reports whether an "x-" scheme ends before the colon b[i].
func experimental(b []byte, floor, i int) bool {
	k := i
	for least := max(floor, i-lex.MaxScheme); k > least && lex.Roles[b[k-1]].Has(lex.InScheme); {
		k--
	}
	for ; i-k > 2; k++ {
		if lex.Roles[b[k]].Has(lex.Alpha) {
			return lex.Lower(b[k]) == 'x' && b[k+1] == '-'
		}
	}
	return false
}

// prefixRun reports whether the colon b[i] belongs to a prefix that is neither the first nor the
// last in a run of prefixes, as the second URL: in "URL:URL:URL:http://a/". Of prefixes in a row,
// only the last counts. The byte after the next prefix's colon must be a letter or a digit.
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
		b[i-4] == ':' && lex.Roles[b[i+5]].Has(lex.Alnum)
}
