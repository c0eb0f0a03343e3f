package uri

import "strings"

// searchFault is for search: xalphas [ + search ]. If '+' is a byte of xalphas, too, it
// separates nothing.
func searchFault(s string, g Grammar) int {
	if g&plusParts == 0 || s == "" {
		return emptyFault(s)
	}
	parts := true // whether a word must begin here
	for i := range len(s) {
		plus := s[i] == '+'
		if plus && parts {
			return i
		}
		parts = plus
	}
	if parts {
		return len(s)
	}
	return -1
}

// pathFault is for path: void | xpalphas [ / path ], so that only the last segment may
// be empty. Unless plain is true, it also checks the bytes.
func pathFault(s string, g Grammar, plain bool) int {
	if g &= typedPaths; g != 0 && !plain {
		for i := range len(s) {
			if allowed[inPath][s[i]]&plainPath == 0 {
				return i
			}
		}
	}
	if s != "" && s[0] == '/' {
		return 0
	}
	return shift(1, strings.Index(s, "//"))
}

// xalphasFault is for one or more xalpha, in places that allow more bytes.
func xalphasFault(s string, g Grammar) int {
	for i := range len(s) {
		if g&^allowed[inName][s[i]] != 0 {
			return i
		}
	}
	return emptyFault(s)
}

// A pathForm is the form of what follows the authority, or else the scheme.
type pathForm uint8

const (
	noPath      pathForm = iota
	bare                 // path, which is empty or does not begin with '/'
	bareSome             // the same, but not empty
	slashed              // / path
	maybe                // [ / path ]
	typed                // / path [ ;type= ftptype ]
	selector             // [ / gtype [ path ] ]
	database             // / database
	waisID               // / database / wtype / digits / path
	waisFields           // / database / wtype / 1*( digits = path ; )
	group                // * | group | article
	groupNumber          // group / digits
	mailbox              // xalphas @ hostname
	messageID            // addr-spec (RFC 822)
	wholeURL             // another reference of these forms
)

// fault is for a path, with its leading slash if it has one.
func (f pathForm) fault(s string, g Grammar, plain bool) int {
	switch f {
	case noPath:
		if s != "" {
			return 0
		}
		return -1
	case bareSome:
		if s == "" {
			return 0
		}
		fallthrough
	case bare:
		return pathFault(s, g, plain)
	case maybe: // if it is not empty, it is slashed
		if s == "" {
			return -1
		}
	case selector:
		return selectorFault(s, g, plain)
	case group, groupNumber, mailbox, messageID:
		return f.addressFault(s, g)
	}
	if s == "" || s[0] != '/' {
		return 0
	}
	s = s[1:]
	switch f {
	case typed: // ';' is not a byte of a path, so the first ';' begins the type
		path, code, ok := strings.Cut(s, ";")
		if n := pathFault(path, g, false); n >= 0 {
			return 1 + n
		}
		if ok && !isType(code) {
			return 1 + len(path)
		}
		return -1
	case database:
		return shift(1, xalphasFault(s, g))
	case waisID, waisFields:
		return shift(1, f.waisFault(s, g))
	}
	return shift(1, pathFault(s, g, plain))
}

// isType reports whether s is "type=" and an ftptype: A formcode | E formcode | I | L
// digits, with a formcode of N, T or C. The codes are upper case, as in the BNF. A and E
// need a formcode.
func isType(s string) bool {
	s, ok := strings.CutPrefix(s, "type=")
	if !ok || s == "" {
		return false
	}
	switch s[0] {
	case 'A', 'E':
		return len(s) == 2 && strings.IndexByte("NTC", s[1]) >= 0
	case 'L':
		return digitsFault(s[1:]) < 0
	}
	return s == "I"
}

// selectorFault is for [ / gtype [ path ] ], where gtype is one xalpha or one escape.
func selectorFault(s string, g Grammar, plain bool) int {
	if s == "" {
		return -1
	}
	n := 2
	if s[0] != '/' {
		return 0
	}
	if len(s) < n || g&^allowed[inName][s[1]] != 0 {
		return 1
	}
	if s[1] == '%' {
		n += 2
	}
	return shift(n, pathFault(s[n:], g, plain))
}

// waisFault is for database / wtype / ... without the first slash. The rest is
// digits / path in the older document and fields in the newer. Paths of the newer
// contain neither '=' nor ';', so each of these is a delimiter.
func (f pathForm) waisFault(s string, g Grammar) int {
	at := 0
	for range 2 {
		n := strings.IndexByte(s[at:], '/')
		if n < 0 {
			return len(s)
		}
		if bad := xalphasFault(s[at:at+n], g); bad >= 0 {
			return at + bad
		}
		at += n + 1
	}
	rest := s[at:]
	if f == waisID {
		digits, path, ok := strings.Cut(rest, "/")
		if n := digitsFault(digits); n >= 0 {
			return at + n
		}
		if !ok {
			return len(s)
		}
		return shift(at+len(digits)+1, pathFault(path, g, false))
	}
	for { // 1*( digits = path ; ), one field for each iteration
		field, more, ok := strings.Cut(rest, ";")
		digits, path, is := strings.Cut(field, "=")
		if n := digitsFault(digits); n >= 0 {
			return at + n
		}
		if !is {
			return at + len(digits)
		}
		if n := pathFault(path, g, false); n >= 0 {
			return at + len(digits) + 1 + n
		}
		if at += len(field); !ok {
			return at
		}
		if at++; more == "" {
			return -1
		}
		rest = more
	}
}

// addressFault is for the productions without a host to connect to.
func (f pathForm) addressFault(s string, g Grammar) int {
	switch f {
	case group:
		if n := xalphasFault(s, g); n >= 0 || s == "*" || nameFault(s) < 0 {
			return n
		}
		return articleFault(s, func(host string) bool { // an article's name
			n, ok := hostLen(host, g)
			return ok && n == len(host)
		})
	case groupNumber:
		name, digits, ok := strings.Cut(s, "/")
		if n := max(xalphasFault(name, g), nameFault(name)); n >= 0 {
			return n
		}
		if !ok {
			return len(s)
		}
		return shift(len(name)+1, digitsFault(digits))
	case mailbox:
		if n := xalphasFault(s, g); n >= 0 {
			return n
		}
		return articleFault(s, func(host string) bool { return nameFault(host) < 0 })
	}
	return messageIDFault(s, g)
}

// articleFault is for xalphas @ host. Each '@' except one at offset 0 may be the
// separator.
func articleFault(s string, isHost func(string) bool) int {
	for i := 0; ; { // each iteration continues after an '@'; isHost stops at the next
		n := strings.IndexByte(s[i:], '@')
		switch {
		case n >= 0:
		case i == 0:
			return len(s)
		case i == 1:
			return 0
		default:
			return i
		}
		if i += n + 1; i > 1 && isHost(s[i:]) {
			return -1
		}
	}
}

// messageIDFault is for addr-spec in the bytes of a name: atoms with dots between
// them, '@', atoms with dots between them (RFC 822, section 6.1).
func messageIDFault(s string, g Grammar) int {
	at := strings.IndexByte(s, '@')
	if at < 0 {
		return len(s)
	}
	if n := atomsFault(s[:at], g); n >= 0 {
		return n
	}
	return shift(at+1, atomsFault(s[at+1:], g))
}

// atomsFault is for atoms with dots between them. An atom contains none of those
// specials of RFC 822 that are bytes of a name.
func atomsFault(s string, g Grammar) int {
	dot := true // an atom must begin here
	for i := range len(s) {
		switch b := s[i]; {
		case b == '.' && !dot:
			dot = true
			continue
		case b == '.' || strings.IndexByte("()@,\"", b) >= 0 || g&^allowed[inName][b] != 0:
			return i
		}
		dot = false
	}
	if dot {
		return len(s)
	}
	return -1
}
