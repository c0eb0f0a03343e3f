package uri

import "strings"

// The grammars of perScheme have productions for single schemes. The rows of [productions]
// are these productions: the form of the authority, the form of the path, and whether a
// search may follow. Each production has one function. The bytes were checked before, by the
// rows of rules.go. The functions check the rest: which byte comes first, what must not
// be empty, and which delimiter is between two pieces.
//
// A host or a name can contain unexpected bytes: xalpha has '@' in both documents and ':'
// in the older, so "http://u@h/" has the host "u@h". This file follows the documents
// literally.

// The pieces of [productions]. A function whose name ends in Fault returns the offset of the
// first byte at which its text does not match, the length of the text if something is
// missing at the end, or -1 if the text matches. It scans the text a fixed number of
// times. A text that matches for a set of grammars matches for each of them.

// An authForm is the form of what follows "//".
type authForm uint8

const (
	noAuth   authForm = iota
	aName             // hostname
	aHost             // hostname or hostnumber
	hostPort          // host [ : port ]
	userHost          // [ user @ ] hostport, where the user is any name
	login             // [ user [ : password ] @ ] hostport, of few bytes
)

// fault is for an authority. auth does not have the slashes in front of the authority.
func (a authForm) fault(auth string, g Grammar) int {
	switch a {
	case aName:
		return nameFault(auth)
	case aHost:
		if n, ok := hostLen(auth, g); !ok || n < len(auth) {
			return n
		}
		return -1
	case userHost:
		return userHostFault(auth, g)
	case login:
		return loginFault(auth, g)
	}
	return hostPortFault(auth, g)
}

// nameFault is for hostname: ialpha [ . hostname ]. Names may contain dots, so this
// only requires a letter at the beginning.
func nameFault(s string) int {
	if s == "" || !isAlpha(s[0]) {
		return 0
	}
	return -1
}

// hostLen returns the length of the host at the beginning of s, or the offset at
// which it is not a host. A name ends at ':', unless names may contain one. A host
// number ends with its digits; the numbers have no limit.
func hostLen(s string, g Grammar) (n int, ok bool) {
	if nameFault(s) < 0 {
		if n = strings.IndexByte(s, ':'); n < 0 || g&^colonInNames == 0 {
			n = len(s)
		}
		return n, true
	}
	for i := range 4 { // hostnumber: digits . digits . digits . digits
		if i > 0 {
			if n == len(s) || s[n] != '.' {
				return n, false
			}
			n++
		}
		lo := n
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		if n == lo {
			return n, false
		}
	}
	return n, true
}

// hostPortFault is for hostport: host [ : port ].
func hostPortFault(s string, g Grammar) int {
	n, ok := hostLen(s, g)
	switch {
	case !ok:
		return n
	case n == len(s):
		return -1
	case s[n] != ':':
		return n
	}
	return shift(n+1, digitsFault(s[n+1:]))
}

// userHostFault is for [ user @ ] hostport. Each '@' except one at offset 0 may be the
// separator.
func userHostFault(s string, g Grammar) int {
	far := hostPortFault(s, g)
	// Each iteration continues after an '@'. hostPortFault stops at the next '@' at
	// the latest, or succeeds, so the time is linear.
	for i := 0; far >= 0; {
		n := strings.IndexByte(s[i:], '@')
		if n < 0 {
			return far
		}
		if i += n + 1; i == 1 {
			continue // no user
		}
		if n = hostPortFault(s[i:], g); n < 0 {
			return -1
		}
		far = max(far, i+n)
	}
	return far
}

// loginFault is for [ user [ : password ] @ ] hostport. A host's name may contain an
// '@', so the production without a user is tried first.
func loginFault(s string, g Grammar) int {
	far := hostPortFault(s, g)
	at := strings.IndexByte(s, '@')
	if far < 0 || at < 0 {
		return far
	}
	// User and password contain neither ':' nor '@'.
	user, password, both := strings.Cut(s[:at], ":")
	if n := accountFault(user); n >= 0 {
		return max(far, n)
	}
	if both {
		if n := accountFault(password); n >= 0 {
			return max(far, len(user)+1+n)
		}
	}
	return shift(at+1, hostPortFault(s[at+1:], g))
}

// accountFault is for user and password: 1*alphanum2.
func accountFault(s string) int {
	for i := range len(s) {
		if !isAlpha(s[i]) && !isDigit(s[i]) && strings.IndexByte("-_.+", s[i]) < 0 {
			return i
		}
	}
	return emptyFault(s)
}

// digitsFault is for digits, at least one.
func digitsFault(s string) int {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return i
		}
	}
	return emptyFault(s)
}

// emptyFault is for a text that must not be empty.
func emptyFault(s string) int {
	if s == "" {
		return 0
	}
	return -1
}

// shift converts a fault in s[by:] to one in s.
func shift(by, fault int) int {
	if fault < 0 {
		return -1
	}
	return by + fault
}

// isHostNumber reports whether host is four numbers with dots between them, which all
// grammars accept: in 1993 and 1994 it is a hostnumber, in the newer ones a name.
func isHostNumber(host string) bool {
	n, ok := hostLen(host, URL1993)
	return ok && n == len(host)
}
