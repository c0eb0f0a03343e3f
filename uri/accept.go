package uri

// This file holds the one pass that answers for all grammars at once. A set of
// grammars starts as those that are asked for; each byte takes away those that do
// not have it in its place ([allowed]), each structure those that do not have it
// (the named sets of grammar.go). What is left takes the text, and where nothing
// is left, there the text went wrong.
//
// Most texts need none of this: see quick.go.
//
// Two grammars define references scheme by scheme. What their bytes cannot say
// is asked at the end, and only if one of them is still in the set ([forms]).

// Accepts returns those grammars of want that take s for a reference, absolute
// or relative, with or without a fragment; p is [Split] of s. One pass answers
// for all of them. If none does, bad is the offset of the byte at which the last
// one gave up, or len(s) if that one misses something at the end; else bad is
// len(s). Accepts does not allocate, gives no reasons (see [Explain]) and keeps
// nothing of s. Nothing takes a text longer than [MaxLen].
func Accepts[T Text](s T, p Parts, want Grammar) (got Grammar, bad int) {
	t := view(s)
	if want &= Every; want != 0 && len(t) <= MaxLen {
		if got, ok := quick(t, p, want); ok {
			return got, len(t)
		}
	}
	q := p.open()
	got, bad, _ = judge(t, &q, want)
	return got, bad
}

// judge is the body of Accepts. If none of want takes s, why tells more than
// bad does, where it is not 0.
//
// Each byte is looked at once, but for those of a host in brackets and, where a
// grammar goes by schemes, those that [asked.judgeForms] looks at again.
func judge(s string, p *parts, want Grammar) (set Grammar, bad int, why Reason) {
	set, bad, why, plain := judgeBytes(s, p, want)
	if set&perScheme != 0 {
		a := asked{s, *p, plain, false}
		return a.judgeForms(set)
	}
	return set, bad, why
}

// judgeBytes is judge without the forms of single schemes. What it says of the
// path is for those forms.
func judgeBytes(s string, p *parts, want Grammar) (set Grammar, bad int, why Reason, plain bool) {
	set = want & Every
	if len(s) > MaxLen { // p says nothing of it
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
		// A colon in the first segment would have ended a scheme, unless
		// nothing stands before it.
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

// scan takes from set what does not have the bytes of s[lo:hi] at a place. If
// nothing is left it returns the offset of the byte at which that came about,
// which is that of the '%' for an escape without its digits.
//
// Most texts are good, so that this takes together what the bytes have, and looks
// at the outcome.
func scan(s string, lo, hi uint32, at *[256]Grammar, set Grammar) (Grammar, int) {
	have := (set | noEscape) & common(s[lo:hi], at)
	if have > noEscape { // something is left, and there is no '%'
		return have &^ noEscape, len(s)
	}
	return scanEach(s, lo, hi, at, set)
}

// scanEach is scan for texts with escapes, or with bytes that nothing takes.
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

// judgeAuthority takes from set what does not have the authority of s. Without
// an IP literal bytes decide; with one the host is looked at by itself and its
// neighbours have places of their own.
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
	// From left to right, so that the first fault is the one that is told.
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
