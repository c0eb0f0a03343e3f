package delimit

import "bytes"

// Whether a text counts as a reference (rule 2). It is asked of the whole text, when
// wrappers, white space, quote prefixes and tail are gone, so that it holds for a scheme
// that was broken over two lines too, and for one that an Extra put there.
//
// It asks for little: a scheme and something behind it. What a grammar would say of
// that something is the caller's to find out. Where prose has a word and a colon far
// more often than a scheme, schemes.go says what more must follow.

// A schemeSet says which schemes count where a reference is looked for.
type schemeSet uint8

const (
	usual  schemeSet = iota // "scheme://", and the schemes that prose uses without
	quoted                  // the same in quotation marks, which makes some certain
	angled                  // the experimental "x-" schemes too, as in brackets
	any                     // every scheme, as behind the prefix "URL:"
)

// looksLikeReference reports whether t, a whole reference, begins like one (rule 2): with a
// scheme that counts here, and with something behind it. colon is the length of
// the scheme. It looks at the authority, or at needReach bytes.
func (s *Scanner) looksLikeReference(t []byte, set schemeSet) (colon int, ok bool) {
	n := schemeLen(t)
	if n < 2 || n+1 == len(t) {
		return n, false
	}
	scheme, rest := t[:n], t[n+1:]
	if set == any && isPrefix(scheme) {
		return n, false // of two prefixes the last one counts
	}
	h := traitsOf(scheme)
	// "://" counts for every scheme; but where a host has to follow, dots, quotes
	// and the like are the placeholders of a text about URLs.
	if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' {
		switch after := rest[2:]; {
		case h&hosts != 0:
			return n, hasHost(after)
		case h&isRegistered != 0 && len(after) > 0 && after[0] == '/': // file:///
			return n, true
		default:
			return n, hasWord(after)
		}
	}
	switch {
	case foldEqual(scheme, "file") && rest[0] == '/':
		return n, len(rest) > 1
	case h&wraps != 0 && set != any:
		for range maxWrapping { // each step takes a scheme off
			if _, ok = s.looksLikeReference(rest, set); ok {
				return n, true
			}
			k := schemeLen(rest)
			if k < 2 || isPrefix(rest[:k]) {
				break
			}
			rest = rest[k+1:]
		}
		return n, false
	case s.knows(scheme, h):
		return n, h&opaque == 0 || h.need().met(rest, set == usual) || set == any && hasWord(rest)
	case set == any, set == angled && foldEqual(t[:2], "x-"):
		return n, hasWord(rest)
	}
	return n, false
}

// knows reports whether scheme counts without "//".
func (s *Scanner) knows(scheme []byte, h trait) bool {
	if s.opts.Known != nil {
		return s.opts.Known(scheme)
	}
	return h&opaque != 0
}

// hasHost reports whether an authority, which after begins with, has something
// like a host: a letter or digit, or a literal in brackets.
func hasHost(after []byte) bool {
	host, end := 0, 0
	for ; end < len(after); end++ { // one step forward each time
		switch after[end] {
		case '/', '?', '#':
			return isHost(after[host:end])
		case '@':
			host = end + 1
		}
	}
	return isHost(after[host:])
}

// isHost reports whether hostport, a host and perhaps a port, has a host.
func isHost(hostport []byte) bool {
	if len(hostport) > 0 && (roles[hostport[0]].has(alnum) || hostport[0] == '[') {
		return true
	}
	if i := bytes.IndexByte(hostport, ':'); i >= 0 {
		hostport = hostport[:i]
	}
	return hasWord(hostport)
}

// isRelative reports whether t is worth taking for a relative reference, where
// brackets and the prefix say that it is one. An address of mail is none, nor
// the dots that hold a place.
func isRelative(t []byte) bool {
	if len(t) == 0 {
		return false
	}
	first := t
	if i := bytes.IndexAny(t, "/?#"); i >= 0 {
		first = t[:i]
	}
	if bytes.IndexByte(first, ':') >= 0 {
		return false
	}
	if bytes.IndexByte(t, '@') >= 0 && bytes.IndexByte(t, '/') < 0 {
		return false
	}
	return hasWord(t) || bytes.ContainsAny(t, "#?") || isDots(t)
}

// isDots reports whether t has no other segments than "." and "..".
func isDots(t []byte) bool {
	run := 0
	for _, c := range t {
		switch c {
		case '.':
			run++
		case '/':
			run = 0
		default:
			return false
		}
		if run > 2 {
			return false
		}
	}
	return true
}
