package uri

import (
	"math/bits"
	"strings"

	"github.com/urlsift/urlsift/uri/internal/plain"
)

// Most references in running text are "http://host/path?query". For these, [Split],
// [Accepts] and [Warnings] have a fast path. One pass (internal/plain) finds the components,
// and stores marks in the Parts: that host and path consist of plain bytes, which every
// grammar allows in both, so that they need no further scan. The other bytes, in the
// rest of a path, a query and a fragment, are compared with [allowed] in one loop each.
//
// Without the fast path, urlsift takes 1.35 times as long for access logs, 1.4 times with
// --format jsonl, and for news and RFCs 3 to 5 % longer (processor time, one worker).
//
// The fast path leaves rare things (ports, users) and everything that it cannot decide
// to the general code. It has no rules of its own: tests compare it with the general
// code.

// splitHTTP is splitText for a text that begins with "http://" or "https://", which has
// lo bytes. It calls splitAny if a byte that is not plain may end a user or a host.
func splitHTTP(s string, lo int) Parts {
	if len(s) == lo || !isAlpha(s[lo]) && !isDigit(s[lo]) {
		return splitAny(s)
	}
	at, path, marks := lo, 0, uint32(plain.PlainHTTP)
	if plain.HasAVX2 && len(s) >= 16 {
		at, path, marks = plain.HeadMarks(s, lo)
	}
	if at == lo || at == plain.HeadLen {
		at, path, marks = plain.Run(s, at, path, marks)
	}
	query, frag := at, len(s)
	switch {
	case at >= len(s):
		query = len(s)
	case s[at] == '#':
		frag = at
	case s[at] != '?' && path == 0:
		return splitAny(s)
	default:
		if n := hashFrom(s, at); n >= 0 {
			frag = n
		}
		if s[at] != '?' { // the path continues with a byte that is not plain
			marks |= plain.OddPath
			query = frag
			if n := strings.IndexByte(s[at:frag], '?'); n >= 0 {
				query = at + n
			}
		}
	}
	if path == 0 {
		path = query
	}
	if isDigit(s[lo]) && !isHostNumber(s[lo:path]) {
		marks = 0
	}
	return packed(lo-3, lo, path, path, query, frag, len(s), marks)
}

// hashFrom returns the offset in s of the first '#' in s[at:], or -1. Often only a few
// bytes are left, for which IndexByte is slow. s has at least eight bytes.
func hashFrom(s string, at int) int {
	if at+8 < len(s) {
		if n := strings.IndexByte(s[at:], '#'); n >= 0 {
			return at + n
		}
		return -1
	}
	x := plain.Word(s, len(s)-8)>>(8*(at+8-len(s))&63) ^ '#'*plain.Ones
	if m := (x - plain.Ones) &^ x & plain.Tops; m != 0 { // the lowest mark is right
		return at + bits.TrailingZeros64(m)/8
	}
	return -1
}

// isHostNumber reports whether host is four numbers with dots between them, which all
// grammars accept: in 1993 and 1994 it is a hostnumber, in the newer ones a name.
func isHostNumber(host string) bool {
	n, ok := hostLen(host, URL1993)
	return ok && n == len(host)
}

// quick returns the members of set that accept s, and whether it could decide. set must
// not be empty. Path, query and fragment are scanned at most twice.
func quick(s string, p Parts, set Grammar) (Grammar, bool) {
	marks := uint32(p.d >> 32)
	if marks&plain.PlainHTTP == 0 {
		if marks&plain.PlainMail != 0 {
			return quickMail(s, p, set)
		}
		return 0, false
	}
	query, frag, end := uint32(p.c), uint32(p.c>>32), uint32(p.d)
	if uint32(p.a) != uint32(len("http")) { // https, for which perScheme has no form
		set &^= perScheme
	}
	have, words := set|noEscape, ^Grammar(0)
	if marks&plain.OddPath != 0 {
		path := s[uint32(p.b>>32):query]
		bytes := common(path, &allowed[inPath])
		if have &= bytes; bytes&plainPath == 0 { // a byte that typedPaths allow, but not for http
			have &^= typedPaths
		}
		if have&perScheme != 0 && strings.Contains(path, "//") {
			marks |= plain.SlashPair
		}
	}
	if marks&plain.SlashPair != 0 { // an empty segment, for which perScheme has no form
		have &^= perScheme
	}
	if query != frag {
		words = common(s[query+1:frag], &allowed[inQuery])
		have &= words
	}
	if frag != end {
		have &= common(s[frag+1:end], &allowed[inFragment]) &^ withoutFragment
	}
	set = have &^ noEscape
	if set == 0 || have&noEscape == 0 && !digitsFollow(s[uint32(p.b>>32):]) {
		return 0, false
	}
	if set&perScheme == 0 {
		return set, true
	}
	if words&noPlus != 0 {
		return set, query == frag || query+1 < frag
	}
	part, before := s[query+1:frag], byte('+') // no word is empty, as in searchFault
	for i := range len(part) {
		if part[i] == '+' && before == '+' {
			return 0, false
		}
		before = part[i]
	}
	return set, before != '+'
}

// digitsFollow reports whether two hexadecimal digits follow each '%' of s. No delimiter
// is such a digit, so s may be several components.
func digitsFollow(s string) bool {
	for { // each iteration continues after a '%'
		n := strings.IndexByte(s, '%')
		if n < 0 {
			return true
		}
		if !escapeAt(s, n) {
			return false
		}
		s = s[n+1:]
	}
}

// common returns the intersection of the sets that at has for the bytes of part, or
// every bit if part is empty. Most texts are accepted, so the loop has no test. It reads
// eight bytes for each iteration; at the end some bytes may be read twice.
func common(part string, at *[256]Grammar) Grammar {
	have := ^Grammar(0)
	if len(part) < 8 {
		for i := range len(part) {
			have &= at[part[i]]
		}
		return have
	}
	end := part[len(part)-8:]
	for ; len(part) > 8; part = part[8:] {
		have &= at[part[0]] & at[part[1]] & at[part[2]] & at[part[3]] &
			at[part[4]] & at[part[5]] & at[part[6]] & at[part[7]]
	}
	return have & at[end[0]] & at[end[1]] & at[end[2]] & at[end[3]] &
		at[end[4]] & at[end[5]] & at[end[6]] & at[end[7]]
}

// noWarnings returns true only if [Warnings] has none for s. It scans the host and the
// bytes that are not plain once.
func noWarnings(s string, p Parts) bool {
	marks, lo, path := uint32(p.d>>32), int(p.a>>32), int(p.b>>32)
	if marks&plain.PlainHTTP == 0 {
		return marks&plain.PlainMail != 0 && !hasControl(s[uint32(p.c):])
	}
	if host := s[lo:path]; isDigit(host[0]) { // a host number
		if ip4(host) >= 0 {
			return false
		}
	} else if !isAlpha(host[len(host)-1]) || len(host) > 63 || hasPair(s, lo, path) {
		return false
	}
	if marks&plain.OddPath != 0 {
		return !hasControl(s[path:])
	}
	return !hasControl(s[uint32(p.c):])
}

// hasPair reports whether two dots or hyphens are adjacent in the plain bytes s[lo:hi],
// so that a label may be empty, or begin or end with a hyphen. It may find such a pair
// after hi, too. s has at least eight bytes.
func hasPair(s string, lo, hi int) bool {
	last := uint64(0) // the marks of the previous word
	for at := lo; at < hi; at += 8 {
		if at+8 > len(s) {
			at, last = len(s)-8, 0 // some bytes are in the previous word, too
		}
		x := plain.Word(s, at)
		m := ((plain.Tops - (x ^ '.'*plain.Ones)) | (plain.Tops - (x ^ '-'*plain.Ones))) & plain.Tops
		if m&(m<<8|last>>56) != 0 {
			return true
		}
		last = m
	}
	return false
}

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
