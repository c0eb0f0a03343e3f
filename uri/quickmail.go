package uri

import (
	"math/bits"
	"strings"
)

// The short way of quick.go for "mailto:local@domain" and the same with a query, which
// are half the references of mail. It is gone where the kernel of plain.go is there and
// one look of it sees all but the query; else the long way is.

// searchlessMail are those grammars whose forms for mailto have no query.
var searchlessMail = func() Grammar {
	without := Grammar(perScheme)
	for _, f := range forms {
		if f.search && (f.scheme == "*" || f.scheme == "mailto") {
			without &^= f.in
		}
	}
	return without
}()

// splitMail is split for what begins with "mailto:". Its parts are marked plainMail if
// nothing but plain bytes without slashes stands before '@' and behind it, with a
// letter first there, up to the end or a query; and no fragment is there.
func splitMail(s string) Parts {
	const lo = len("mailto:")
	if !hasAVX2 || len(s) < 16 {
		return splitAny(s)
	}
	odd, slash := headAVX2(s)
	odd = (odd | slash) >> lo << lo
	if len(s) < headLen { // behind the end is nothing that is plain
		odd |= ^uint64(0) << (len(s) & 63)
	}
	at := bits.TrailingZeros64(odd)
	end := bits.TrailingZeros64(odd & (odd - 1))
	if lo < at && at+1 < end && end <= len(s) && s[at] == '@' && isAlpha(s[at+1]) {
		if end == len(s) {
			return packed(lo-1, lo, lo, lo, end, end, end, plainMail)
		}
		if s[end] == '?' && hashFrom(s, end) < 0 {
			return packed(lo-1, lo, lo, lo, end, len(s), len(s), plainMail)
		}
	}
	return splitAny(s)
}

// quickMail is quick for what is marked plainMail. It passes over the query twice.
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
