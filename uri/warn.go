package uri

import (
	"iter"
	"slices"
	"strings"
)

// A Warning is a set of properties that the security considerations of the documents
// advise against (1997 and 2002, section 7). A reference with warnings is valid. The zero
// Warning is the empty set. The properties are, by their names,
//
//	password  a password that is not empty
//	port      0, or above 65535, or below 1024 and not the scheme's default
//	control   an escaped control character, such as CR, LF or NUL
//	host      a host that cannot exist
//
// and two more that deceive readers:
//
//	mixed-script  a label of the host with letters of several scripts, as Latin and Cyrillic; not
//	              those that Japanese, Korean and Chinese mix
//	ip-decimal    a host that programs read as an IPv4 address and people do not: 3232235777,
//	              0x7f.1, 0177.0.0.1 (RFC 3986, section 7.4)
type Warning uint8

// The bits of a Warning.
const (
	hasPassword Warning = 1 << iota
	oddPort
	hasControlEscape
	oddHost
	mixedScript
	ipDecimal
)

var warningNames = [...]string{"password", "port", "control", "host", "mixed-script", "ip-decimal"}

// Warnings returns the warnings for s. p is [Split] of s. A scheme that [DefaultPort]
// does not know is treated as one without a default port. After a prefix "URL:" (1994)
// the warnings are those of the rest. Warnings does not allocate.
func Warnings[T Text](s T, p Parts) (w Warning) {
	t := view(s)
	if noWarnings(t, p) || len(t) > MaxLen { // p has no components of such a text
		return 0
	}
	q := p.unpack()
	if n := prefixLen(t, &q); n > 0 {
		w = Warnings(t[n:], Split(t[n:]))
	}
	if lo, hi := q.password(t); lo != hi {
		w |= hasPassword
	}
	if hasControl(t) {
		w |= hasControlEscape
	}
	if !q.hasAuthority() {
		return w
	}
	kind := knownScheme(t, &q)
	if lo, hi, ok := p.Span(Port); ok {
		port, ok := number(t[lo:hi], 65535)
		if hi > lo && ok && (port == 0 || port > 65535 || port < 1024 && port != kind.port) {
			w |= oddPort
		}
	}
	lo, hi, _ := p.Span(Host)
	host := t[lo:hi]
	if why, _ := hostFault(host, kind.usesNames); why != "" {
		w |= oddHost
	}
	if mixesScripts(host) {
		w |= mixedScript
	}
	if kind.usesNames && isOddIPv4(host) {
		w |= ipDecimal
	}
	return w
}

// hasControl reports whether s has an escape of a C0 control or DEL.
func hasControl(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0 && i+2 < len(s); { // each iteration continues after a '%'
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

// HostFault says why no host of the name in s can exist, in words that do not change, and where, as an
// offset in s. It returns "" if a host can. p is [Split] of s. A host is a valid IP literal or address, or a
// name that the DNS can have (RFC 1123, section 2.1). The name may contain '_', which is in use, and non-ASCII
// bytes, escaped or not, which are converted for the DNS. If the scheme is not known to use the DNS, every name
// is possible, unless it looks like an address. The words are
//
//	no host       the host is empty
//	bad literal   brackets without an IP literal between them
//	bad address   the last label is a number, and the host no IPv4 address (2002, section 3.2.2)
//	empty label   a label is empty
//	first hyphen  a label begins with '-'
//	last hyphen   a label ends with '-'
//	bad byte      a byte that no label has
//	long label    a label has more than 63 bytes
//	long name     the name has more than 253 bytes
//	bad A-label   a label begins with "xn--", and what follows encodes nothing (RFC 5890, section 2.3.2.1)
func HostFault[T Text](s T, p Parts) (why string, at int) {
	t := view(s)
	q := p.unpack()
	if !q.hasAuthority() {
		return "", 0
	}
	lo, hi, _ := p.Span(Host)
	why, at = hostFault(t[lo:hi], knownScheme(t, &q).usesNames)
	return why, lo + at
}

// hostFault is HostFault for a host. isNet says that the scheme uses the DNS.
func hostFault(host string, isNet bool) (why string, at int) {
	switch {
	case host == "" && isNet:
		return "no host", 0
	case host == "":
		return "", 0
	case host[0] == '[':
		if have, _ := literalIn(host); have == 0 {
			return "bad literal", 0
		}
		return "", 0
	}
	name := strings.TrimSuffix(host, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if _, ok := number(last, 0); ok && last != "" {
		if ip4(name) >= 0 && (isNet || strings.Count(name, ".") == 3) {
			return "bad address", 0
		}
		return "", 0
	}
	if !isNet {
		return "", 0
	}
	total := 0
	for label := range strings.SplitSeq(name, ".") {
		n, why, bad := labelFault(label)
		if why != "" {
			return why, at + bad
		}
		if total += n + 1; total > 254 {
			return "long name", 0
		}
		at += len(label) + 1
	}
	return "", 0
}

// labelFault returns the length of a label in bytes, without escapes, and why the DNS cannot have it. For a
// label with non-ASCII bytes the length is 1, because its length in the DNS is not computed here.
func labelFault(label string) (n int, why string, at int) {
	foreign := false
	for i := 0; i < len(label); i++ {
		b, begin := label[i], i
		if escapeAt(label, i) {
			b = unhex(label[i+1])<<4 | unhex(label[i+2])
			i += 2
		}
		switch {
		case b == '-' && n == 0:
			return 0, "first hyphen", begin
		case b == '-' && i == len(label)-1:
			return 0, "last hyphen", begin
		case b < 0x80 && !isAlpha(b) && !isDigit(b) && b != '-' && b != '_':
			return 0, "bad byte", begin
		}
		foreign = foreign || b >= 0x80
		n++
	}
	switch {
	case foreign:
		return 1, "", 0
	case n == 0:
		return 0, "empty label", 0
	case n > 63:
		return 0, "long label", 0
	case isALabel(label):
		if runes := [maxLabel]rune{}; decodePunycode(&runes, label[4:]) == 0 {
			return 0, "bad A-label", 0
		}
	}
	return n, "", 0
}

// bitNames returns the names of the bits in set, lowest first.
func bitNames(set uint8, names []string) []string {
	var out []string
	for i, n := range names {
		if set&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// String returns the names of the warnings in w, joined with ',', as in
// "password,port". It returns "" for 0.
func (w Warning) String() string { return strings.Join(bitNames(uint8(w), warningNames[:]), ",") }

// WarningNames returns the names of all warnings, in the order of their bits. The slice is new.
func WarningNames() []string { return slices.Clone(warningNames[:]) }

// Each returns an iterator over the names of the warnings in w, in the order of the
// list above. The sequence may be ranged over more than once.
func (w Warning) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, n := range warningNames {
			if w&(1<<i) != 0 && !yield(n) {
				return
			}
		}
	}
}

// noWarnings returns true only if [Warnings] has none for s. It scans the host and the
// bytes that are not plain once.
func noWarnings(s string, p Parts) bool {
	marks, lo, path := uint32(p.d>>32), int(p.a>>32), int(p.b>>32)
	if marks&plainHTTP == 0 {
		return marks&plainMail != 0 && !hasControl(s[uint32(p.c):])
	}
	if host := s[lo:path]; isDigit(host[0]) { // a host number
		if ip4(host) >= 0 {
			return false
		}
	} else if !isAlpha(host[len(host)-1]) || len(host) > 63 || hasPair(s, lo, path) {
		return false
	}
	if marks&oddPath != 0 {
		return !hasControl(s[path:])
	}
	return !hasControl(s[uint32(p.c):])
}
