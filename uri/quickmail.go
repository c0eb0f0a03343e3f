package uri

import (
	"github.com/urlsift/urlsift/uri/internal/plain"
	"math/bits"
	"strings"
)

// The fast path of quick.go for "mailto:local@domain", with or without a query. Half of
// the references in mail are such. It needs the kernel of internal/plain, and a mailbox within
// the 64 bytes that the kernel scans; the general code does the rest.
//
// Without it, a list of the references of a mailbox, one a line, takes 1.20 times the
// processor time, and a list of mail addresses 1.49 times. In a mailbox itself it makes no
// difference (0.98). See benchmarks/record/2026-11-23-amd-epyc-2cpu-quickmail.txt.

// searchlessMail are the grammars whose forms for mailto have no query.
var searchlessMail = func() Grammar {
	without := Grammar(perScheme)
	for _, f := range forms {
		if f.search && (f.scheme == "*" || f.scheme == "mailto") {
			without &^= f.in
		}
	}
	return without
}()

// splitMail is splitText for a text that begins with "mailto:". It sets plain.PlainMail if
// there are only plain bytes without slashes in front of '@' and after it, a letter
// follows the '@', the path ends at the end or at a query, and there is no fragment.
func splitMail(s string) Parts {
	const lo = len("mailto:")
	if !plain.HasAVX2 || len(s) < 16 {
		return splitAny(s)
	}
	odd, slash := plain.HeadAVX2(s)
	odd = (odd | slash) >> lo << lo
	if len(s) < plain.HeadLen { // after the end no byte is plain
		odd |= ^uint64(0) << (len(s) & 63)
	}
	at := bits.TrailingZeros64(odd)
	end := bits.TrailingZeros64(odd & (odd - 1))
	if lo < at && at+1 < end && end <= len(s) && s[at] == '@' && isAlpha(s[at+1]) {
		if end == len(s) {
			return packed(lo-1, lo, lo, lo, end, end, end, plain.PlainMail)
		}
		if s[end] == '?' && hashFrom(s, end) < 0 {
			return packed(lo-1, lo, lo, lo, end, len(s), len(s), plain.PlainMail)
		}
	}
	return splitAny(s)
}

// quickMail is quick for texts with the mark plain.PlainMail. It scans the query at most
// twice.
func quickMail(s string, p Parts, set Grammar) (Grammar, bool) {
	query, end := uint32(p.c), uint32(p.d)
	if query == end {
		return set, true
	}
	words := s[query+1 : end]
	have := (set&^searchlessMail | noEscape) & common(words, &allowed[opaqueQuery])
	set = have &^ noEscape
	if set == 0 || have&noEscape == 0 || set&plusParts != 0 && (words == "" || strings.IndexByte(words, '+') >= 0) {
		return 0, false
	}
	return set, true
}
