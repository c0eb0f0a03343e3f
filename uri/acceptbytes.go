package uri

import (
	"strings"
)

// Most references in running text are "http://host/path?query". For these, [Split],
// [Accepts] and [Warnings] have a fast path. One pass (plain.go) finds the components
// and stores marks in the Parts. A mark says that host and path consist of plain bytes.
// Every grammar allows plain bytes in both, so they are not scanned again. The rest of a
// path, the query and the fragment are compared with [allowed], in one loop each.
//
// Without the fast path, urlsift takes 1.35 times as long for access logs, 1.4 times with
// --format jsonl, and for news and RFCs 3 to 5 % longer (processor time, one worker).
//
// The fast path leaves rare things (ports, users) and everything that it cannot decide
// to the general code. It has no rules of its own: tests compare it with the general
// code.

// fastAccepts returns the members of set that accept s, and whether it could decide. set must
// not be empty. Path, query and fragment are scanned at most twice.
func fastAccepts(s string, p Parts, set Grammar) (Grammar, bool) {
	marks := uint32(p.d >> 32)
	if marks&plainHTTP == 0 {
		if marks&plainMail != 0 {
			return fastAcceptsMail(s, p, set)
		}
		return 0, false
	}
	query, frag, end := uint32(p.c), uint32(p.c>>32), uint32(p.d)
	if uint32(p.a) != uint32(len("http")) { // https, for which perScheme has no production
		set &^= perScheme
	}
	have, words := set|noEscape, ^Grammar(0)
	if marks&oddPath != 0 {
		path := s[uint32(p.b>>32):query]
		bytes := common(path, &allowed[inPath])
		if have &= bytes; bytes&plainPath == 0 { // a byte that typedPaths allow, but not in paths of http
			have &^= typedPaths
		}
		if have&perScheme != 0 && strings.Contains(path, "//") {
			marks |= slashPair
		}
	}
	if marks&slashPair != 0 { // an empty segment, for which perScheme has no production
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

// common returns the grammars and marks that all bytes of part have in common; at has the set
// for each byte. If part is empty, every bit is set. Most texts are accepted, so the loop has
// no test. It reads eight bytes for each iteration; at the end some bytes may be read twice.
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

// hasPair reports whether two dots or hyphens are adjacent in the plain bytes s[lo:hi],
// so that a label may be empty, or begin or end with a hyphen. It may find such a pair
// after hi, too. s has at least eight bytes.
func hasPair(s string, lo, hi int) bool {
	last := uint64(0) // the marks of the previous word
	for at := lo; at < hi; at += 8 {
		if at+8 > len(s) {
			at, last = len(s)-8, 0 // some bytes are in the previous word, too
		}
		x := word(s, at)
		m := ((tops - (x ^ '.'*ones)) | (tops - (x ^ '-'*ones))) & tops
		if m&(m<<8|last>>56) != 0 {
			return true
		}
		last = m
	}
	return false
}

// This is the fast path for "mailto:local@domain", with or without a query. Half of the
// references in mail have this form. The fast path needs the kernel, and
// a mailbox within the 64 bytes that the kernel scans. Other references take the general
// code.
//
// Without this fast path, a list of the references of a mailbox, one on each line, takes
// 1.20 times the processor time (1.14 with --format jsonl), and a list of mail addresses 1.49
// times. The mailbox itself takes the same time with it and without it (0.98 to 1.03). Such lists
// are input that users have: the output of one run is the input of the next. See
// benchmarks/record/2026-11-23-amd-epyc-2cpu-quickmail.txt.

// searchlessMail are the grammars whose productions for mailto have no query.
var searchlessMail = func() Grammar {
	without := Grammar(perScheme)
	for _, f := range productions {
		if f.search && (f.scheme == "*" || f.scheme == "mailto") {
			without &^= f.in
		}
	}
	return without
}()

// fastAcceptsMail is fastAccepts for texts with the mark plainMail. It scans the query at most
// twice.
func fastAcceptsMail(s string, p Parts, set Grammar) (Grammar, bool) {
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

// acceptBytes is accepts without the productions of single schemes. plain says, for these
// productions, that all bytes of the path are in plainPath.
func acceptBytes(s string, p *offsets, want Grammar) (set Grammar, bad int, why reason, plain bool) {
	set = want & Every
	if len(s) > MaxLen { // p has no components of such a text
		return 0, MaxLen, tooLong, false
	}
	if set == 0 {
		return 0, 0, 0, false
	}
	if p.scheme != 0 {
		if !isAlpha(s[0]) {
			if set &^= letterFirst; set == 0 {
				return 0, 0, badStart, false
			}
		}
		if set, bad = acceptSpan(s, 0, p.scheme, &allowed[inScheme], set); set == 0 {
			return 0, bad, 0, false
		}
	} else if set &^= onlyAbsolute; set == 0 {
		return 0, 0, missing, false
	}
	path, query := &allowed[inPath], &allowed[inQuery]
	switch {
	case p.hasAuthority():
		if set, bad, why = acceptAuthority(s, p, set); set == 0 {
			return 0, bad, why, false
		}
	case p.scheme == 0:
		// A colon in the first segment ends a scheme, except at offset 0.
		if p.path != p.query && s[0] == ':' {
			if set &= colonFirst; set == 0 {
				return 0, 0, badStart, false
			}
		}
	case p.isOpaque(s):
		path, query = &allowed[inOpaque], &allowed[opaqueQuery]
	}
	if set&typedPaths != 0 {
		set |= plainPath
	}
	if set, bad = acceptSpan(s, p.path, p.query, path, set); set == 0 {
		return 0, bad, 0, false
	}
	plain = set&plainPath != 0
	set &^= plainPath
	if p.query != p.frag {
		if set, bad = acceptSpan(s, p.query+1, p.frag, query, set); set == 0 {
			return 0, bad, 0, false
		}
	}
	if p.frag != p.end {
		if set &^= withoutFragment; set == 0 {
			return 0, int(p.frag), 0, false
		}
		if set, bad = acceptSpan(s, p.frag+1, p.end, &allowed[inFragment], set); set == 0 {
			return 0, bad, 0, false
		}
	}
	return set, len(s), 0, plain
}

// acceptSpan removes from set the grammars that do not allow all bytes of s[lo:hi]. at has the
// grammars that allow each byte there. If none remains, acceptSpan returns the offset of the
// byte that removed the last one. For an escape without two digits, that is the offset
// of its '%'.
//
// Most texts are accepted, so acceptSpan first intersects the sets of all bytes without a
// test for each. Without that, a list of URLs with users takes 1.2 times as long, and one of
// ftp URLs 1.07 times.
func acceptSpan(s string, lo, hi uint32, at *[256]Grammar, set Grammar) (Grammar, int) {
	have := (set | noEscape) & common(s[lo:hi], at)
	if have > noEscape { // a grammar remains, and there is no '%'
		return have &^ noEscape, len(s)
	}
	return acceptEachByte(s, lo, hi, at, set)
}

// acceptEachByte is acceptSpan for texts with escapes, or with bytes that no grammar of set allows together.
func acceptEachByte(s string, lo, hi uint32, at *[256]Grammar, set Grammar) (Grammar, int) {
	part := s[lo:hi]
	for i := 0; i < len(part); i++ {
		b := part[i]
		if set &= at[b]; set == 0 {
			return 0, int(lo) + i
		}
		if b == '%' && (i+2 >= len(part) || !isHex(part[i+1]) || !isHex(part[i+2])) {
			return 0, int(lo) + i
		}
	}
	return set, len(s)
}

// acceptAuthority removes from set the grammars that do not accept the authority of s.
// Without an IP literal the bytes decide. An IP literal is parsed; beside it, userinfo
// and port are the slots byLiteral and afterColon.
func acceptAuthority(s string, p *offsets, set Grammar) (Grammar, int, reason) {
	auth := p.schemeEnd() + 2
	user, port := &allowed[inUserinfo], &allowed[inPort]
	literal := p.user != p.host && s[p.user] == '['
	if literal {
		if set &= ipLiterals; set == 0 {
			return 0, int(p.user), 0
		}
		user, port = &allowed[byLiteral], &allowed[afterColon]
	}
	// From left to right, so that the error is the first one.
	var bad int
	if p.user != auth {
		if set, bad = acceptSpan(s, auth, p.user-1, user, set); set == 0 {
			return 0, bad, 0
		}
	}
	if literal {
		have, n := literalIn(s[p.user:p.host])
		if set &= have; set == 0 {
			return 0, int(p.user) + n, badHost
		}
	} else if set, bad = acceptSpan(s, p.user, p.host, &allowed[inHost], set); set == 0 {
		return 0, bad, 0
	}
	if p.host != p.path {
		if set, bad = acceptSpan(s, p.host+1, p.path, port, set); set == 0 {
			return 0, bad, 0
		}
	}
	return set, 0, 0
}
