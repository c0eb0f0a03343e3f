package uri

import "strings"

// A HostKind is what a host is by its looks.
type HostKind uint8

const (
	NoHost     HostKind = iota // there is no authority, or brackets that hold no literal
	HostName                   // "name": a name as the DNS has them (2002, section 3.2.2), or none at all
	HostIPv4                   // "ipv4": four numbers up to 255
	HostIPv6                   // "ipv6": in brackets
	HostFuture                 // "ipvfuture": in brackets, of a version to come (3986, section 3.2.2)
	Registry                   // "registry": any other name (2002, section 3.2.1; 3986, reg-name)
)

var hostKindNames = [...]string{"", "name", "ipv4", "ipv6", "ipvfuture", "registry"}

// String returns the name that stands beside the kind's constant, or "".
func (k HostKind) String() string {
	if int(k) >= len(hostKindNames) {
		return ""
	}
	return hostKindNames[k]
}

// KindOfHost returns the kind of the host of s, split as p. It says nothing of
// whether there is such a host (see [Warnings]), and little for texts that no
// grammar takes. It does not allocate and keeps nothing of s.
func KindOfHost[T Text](s T, p Parts) HostKind {
	lo, hi, ok := p.Span(Host)
	if !ok {
		return NoHost
	}
	host := view(s)[lo:hi]
	switch {
	case host == "":
		return HostName
	case host[0] == '[':
		switch have, _ := literalIn(host); {
		case have == 0:
			return NoHost
		case host[1]|0x20 == 'v':
			return HostFuture
		}
		return HostIPv6
	case ip4(host) < 0:
		return HostIPv4
	case isHostname(host, Default):
		return HostName
	}
	return Registry
}

// isHostname reports whether s is a hostname of g, a set of one: labels of
// letters, digits and inner hyphens. Either the last begins with a letter always
// (1997), or it must if there is a dot behind it, and then a label before it
// (2002).
func isHostname(s string, g Grammar) bool {
	name := s
	if g&alphaTop == 0 {
		name = strings.TrimSuffix(s, ".")
	}
	start, first := 0, true
	for i := 0; i <= len(name); i++ {
		if i < len(name) && (isAlpha(name[i]) || isDigit(name[i]) || name[i] == '-') {
			continue
		}
		if i < len(name) && name[i] != '.' {
			return false
		}
		label := name[start:i]
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' || len(label) > 63 && g&shortLabels != 0 {
			return false
		}
		if i == len(name) && !isAlpha(label[0]) && (g&alphaTop != 0 || len(name) != len(s)) {
			return false
		}
		if i == len(name) && first && len(name) != len(s) {
			return false // a dot behind a name of one label
		}
		start, first = i+1, false
	}
	return true
}

// Account parts the userinfo of s, split as p, into user and password at its first
// colon, as 1994 (login) and 1997 (section 4.3.1) do and the later documents
// describe. has is 0 if there is no userinfo, 1 if there is a user alone, and 2 if
// there is a password as well; each may be empty. Both are stretches of s, with
// their escapes, and good as long as s is.
func Account[T Text](s T, p Parts) (user, password T, has int) {
	lo, hi, ok := p.Span(Userinfo)
	if !ok {
		return user, password, 0
	}
	if n := strings.IndexByte(view(s)[lo:hi], ':'); n >= 0 {
		return s[lo : lo+n], s[lo+n+1 : hi], 2
	}
	return s[lo:hi], password, 1
}
