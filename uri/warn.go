package uri

import "strings"

// A Warning is something in a reference that the security considerations of the
// documents advise against (1997 and 2002, section 7). Warnings combine as bits.
// They say nothing of validity.
type Warning uint8

const (
	Password Warning = 1 << iota // "password": the userinfo has one that is not empty
	OddPort                      // "port": reserved (below 1024) and not the scheme's, or above 65535
	Control                      // "control": an escaped control character, such as CR, LF or NUL
	OddHost                      // "host": a host that cannot be
)

var warningNames = [...]string{"password", "port", "control", "host"}

// Warnings returns what is worth a second look in s, split as p. A scheme whose
// default port is not known counts as one that has none. It does not allocate and
// keeps nothing of s.
func Warnings[T Text](s T, p Parts) (w Warning) {
	t := view(s)
	if harmless(t, p) || len(t) > MaxLen { // of which p says nothing
		return 0
	}
	q := p.open()
	if n := prefixLen(t, &q); n > 0 { // what counts stands behind it
		w = Warnings(t[n:], Split(t[n:]))
	}
	if lo, hi := q.password(t); lo != hi {
		w |= Password
	}
	if hasControl(t) {
		w |= Control
	}
	if !q.hasAuthority() {
		return w
	}
	kind := knownScheme(t, &q)
	if lo, hi, ok := p.Span(Port); ok {
		port, ok := number(t[lo:hi], 65535)
		if hi > lo && ok && (port == 0 || port > 65535 || port < 1024 && port != kind.port) {
			w |= OddPort
		}
	}
	if lo, hi, _ := p.Span(Host); !canBeHost(t[lo:hi], kind.usesNames) {
		w |= OddHost
	}
	return w
}

// prefixLen returns the length of the prefix "URL:" in s, which the document of
// 1994 makes a part of what it calls prefixedurl, or 0.
func prefixLen(s string, p *parts) int {
	const prefix = "url:"
	if len(s) < len(prefix) || p.scheme != 3 || !strings.EqualFold(s[:len(prefix)], prefix) {
		return 0
	}
	// Of several the last one counts: a loop here, so that none is needed above.
	n := len(prefix)
	for len(s)-n >= len(prefix) && strings.EqualFold(s[n:n+len(prefix)], prefix) {
		n += len(prefix)
	}
	return n
}

// hasControl reports whether s has an escape of a C0 control or of DEL.
func hasControl(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0 && i+2 < len(s); { // each turn goes on behind a '%'
		if escapeAt(s, i) && (s[i+1] <= '1' || s[i+1] == '7' && s[i+2]|0x20 == 'f') {
			return true
		}
		n := strings.IndexByte(s[i+1:], '%')
		if n < 0 {
			return false
		}
		i += 1 + n
	}
	return false
}

// number returns the value of s and whether it is all digits; a value over limit
// is some number over limit.
func number(s string, limit int) (v int, ok bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		v = min(v*10+int(s[i]-'0'), limit+1)
	}
	return v, true
}

// canBeHost reports whether there may be such a host: an IP literal or address
// that is one, or a name that the domain name system can hold (RFC 1123, section
// 2.1). The name may have '_', which real ones have, and bytes that are not
// ASCII, escaped or not, which stand for labels with other spellings. A scheme
// that is not known to name hosts (isNet is false) may have anything that does
// not pose as an address.
func canBeHost(host string, isNet bool) bool {
	if host == "" {
		return !isNet
	}
	if host[0] == '[' {
		have, _ := literalIn(host)
		return have != 0
	}
	name := strings.TrimSuffix(host, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if _, ok := number(last, 0); ok && last != "" { // 2002, section 3.2.2: no name ends so
		return ip4(name) < 0 || !isNet && strings.Count(name, ".") != 3
	}
	if !isNet {
		return true
	}
	total := 0
	for label := range strings.SplitSeq(name, ".") {
		n, ok := labelLen(label)
		if total += n + 1; !ok || total > 254 {
			return false
		}
	}
	return true
}

// labelLen returns the length of a label in bytes, escapes undone, and whether
// it can be one. A label with non-ASCII bytes has a length of its own in the
// domain name system, which is not worked out here: it counts as 1.
func labelLen(label string) (n int, ok bool) {
	foreign := false
	for i := 0; i < len(label); i++ {
		b := label[i]
		if escapeAt(label, i) {
			b = unhex(label[i+1])<<4 | unhex(label[i+2])
			i += 2
		}
		if b == '-' && (n == 0 || i == len(label)-1) {
			return 0, false
		}
		foreign = foreign || b >= 0x80
		if b < 0x80 && !isAlpha(b) && !isDigit(b) && b != '-' && b != '_' {
			return 0, false
		}
		n++
	}
	if foreign {
		return 1, true
	}
	return n, 0 < n && n <= 63
}

func unhex(b byte) byte {
	if b <= '9' {
		return b - '0'
	}
	return b&0x0f + 9
}

// appendLower appends s with its ASCII letters in lower case.
func appendLower(dst []byte, s string) []byte {
	for i := range len(s) {
		b := s[i]
		if class[b]&upper != 0 {
			b |= 0x20
		}
		dst = append(dst, b)
	}
	return dst
}
