package uri

// This file has the one pass that validates a text by all grammars at once. It
// starts with the set of grammars that the caller wants. Each byte removes the
// grammars that do not allow it in its place ([allowed]); each structure removes
// those that do not have it (the named sets of rules.go). The grammars that remain
// accept the text. If none remains, the text is rejected at that byte.
//
// Most texts do not need this pass: see quick.go.
//
// Two grammars have productions for single schemes ([forms]). These are tried at the
// end, and only if one of the two is still in the set.

// Accepts returns the members of want that accept s as a reference: absolute or
// relative, with or without a fragment. p is [Split] of s.
//
// If got is not empty, bad is len(s). If got is empty, bad is the offset in bytes at
// which the last member rejected s, or len(s) if it requires more at the end.
// [Explain] gives the reason. Accepts does not allocate and keeps nothing of s. No
// grammar accepts a text longer than [MaxLen].
func Accepts[T Text](s T, p Parts, want Grammar) (got Grammar, bad int) {
	t := view(s)
	if want &= Every; want != 0 && len(t) <= MaxLen {
		if got, ok := quick(t, p, want); ok {
			return got, len(t)
		}
	}
	q := p.open()
	got, bad, _ = accepts(t, &q, want)
	return got, bad
}

// accepts is the body of Accepts. If no member of want accepts s, why is the reason,
// or 0 if it follows from the byte at bad.
//
// Each byte is scanned once. Two things are scanned again: a host in brackets, and,
// for the grammars of perScheme, what [formText.judgeForms] needs.
func accepts(s string, p *parts, want Grammar) (set Grammar, bad int, why Reason) {
	set, bad, why, plain := judgeBytes(s, p, want)
	if set&perScheme != 0 {
		a := formText{s, *p, plain, false}
		return a.judgeForms(set)
	}
	return set, bad, why
}

// judgeBytes is accepts without the forms of single schemes. For these it also reports
// whether the path is plain, which means that all its bytes are in plainPath.
func judgeBytes(s string, p *parts, want Grammar) (set Grammar, bad int, why Reason, plain bool) {
	set = want & Every
	if len(s) > MaxLen { // p has no components of it
		return 0, MaxLen, TooLong, false
	}
	if set == 0 {
		return 0, 0, 0, false
	}
	if p.scheme != 0 {
		if !isAlpha(s[0]) {
			if set &^= letterFirst; set == 0 {
				return 0, 0, BadStart, false
			}
		}
		if set, bad = scan(s, 0, p.scheme, &allowed[inScheme], set); set == 0 {
			return 0, bad, 0, false
		}
	} else if set &^= onlyAbsolute; set == 0 {
		return 0, 0, Missing, false
	}
	path, query := &allowed[inPath], &allowed[inQuery]
	switch {
	case p.hasAuthority():
		if set, bad, why = judgeAuthority(s, p, set); set == 0 {
			return 0, bad, why, false
		}
	case p.scheme == 0:
		// A colon in the first segment ends a scheme, except at offset 0.
		if p.path != p.query && s[0] == ':' {
			if set &= colonFirst; set == 0 {
				return 0, 0, BadStart, false
			}
		}
	case p.isOpaque(s):
		path, query = &allowed[inOpaque], &allowed[opaqueQuery]
	}
	if set&typedPaths != 0 {
		set |= plainPath
	}
	if set, bad = scan(s, p.path, p.query, path, set); set == 0 {
		return 0, bad, 0, false
	}
	plain = set&plainPath != 0
	set &^= plainPath
	if p.query != p.frag {
		if set, bad = scan(s, p.query+1, p.frag, query, set); set == 0 {
			return 0, bad, 0, false
		}
	}
	if p.frag != p.end {
		if set &^= withoutFragment; set == 0 {
			return 0, int(p.frag), 0, false
		}
		if set, bad = scan(s, p.frag+1, p.end, &allowed[inFragment], set); set == 0 {
			return 0, bad, 0, false
		}
	}
	return set, len(s), 0, plain
}

// scan removes from set the grammars that do not allow all bytes of s[lo:hi]. at has the
// grammars that allow each byte there. If none remains, scan returns the offset of the
// byte that removed the last one: the '%' of an escape without two digits.
//
// Most texts are accepted, so scan first intersects the sets of all bytes without a
// test for each.
func scan(s string, lo, hi uint32, at *[256]Grammar, set Grammar) (Grammar, int) {
	// A comparison of 32 bits is faster than one of 16.
	have := uint32(set|noEscape) & uint32(common(s[lo:hi], at))
	if have > uint32(noEscape) { // a grammar remains, and there is no '%'
		return Grammar(have) &^ noEscape, len(s)
	}
	return scanEach(s, lo, hi, at, set)
}

// scanEach is scan for texts with escapes or with a byte that no grammar allows.
func scanEach(s string, lo, hi uint32, at *[256]Grammar, set Grammar) (Grammar, int) {
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

// judgeAuthority removes from set the grammars that do not accept the authority of
// s. Without an IP literal the bytes decide. An IP literal is parsed, and the
// userinfo and the port beside it have places of their own.
func judgeAuthority(s string, p *parts, set Grammar) (Grammar, int, Reason) {
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
		if set, bad = scan(s, auth, p.user-1, user, set); set == 0 {
			return 0, bad, 0
		}
	}
	if literal {
		have, n := literalIn(s[p.user:p.host])
		if set &= have; set == 0 {
			return 0, int(p.user) + n, BadHost
		}
	} else if set, bad = scan(s, p.user, p.host, &allowed[inHost], set); set == 0 {
		return 0, bad, 0
	}
	if p.host != p.path {
		if set, bad = scan(s, p.host+1, p.path, port, set); set == 0 {
			return 0, bad, 0
		}
	}
	return set, 0, 0
}
