package uri

import "strings"

// A HostKind is the kind of a host by its syntax.
type HostKind uint8

const (
	NoHost     HostKind = iota // "": no authority, or brackets without an IP literal
	HostName                   // "name": a name in the syntax of the DNS (2002, section 3.2.2), or an empty host
	HostIPv4                   // "ipv4": four numbers up to 255
	HostIPv6                   // "ipv6": an IPv6 address in brackets
	HostFuture                 // "ipvfuture": an IP literal of a future version (3986, section 3.2.2)
	Registry                   // "registry": any other name (2002, section 3.2.1; 3986, reg-name)
)

var hostKindNames = [...]string{"", "name", "ipv4", "ipv6", "ipvfuture", "registry"}

// String returns the name of k: the quoted word in the comment of its constant.
func (k HostKind) String() string {
	if int(k) >= len(hostKindNames) {
		return ""
	}
	return hostKindNames[k]
}

// KindOfHost returns the kind of the host in s by its syntax. p is [Split] of s. It
// does not check whether such a host can exist; see [Warnings]. For a text that no
// grammar accepts, the result may be wrong. KindOfHost does not allocate.
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

// isHostname reports whether s is a hostname of g, a set of one: labels of letters,
// digits and inner hyphens. In 1997 the last label begins with a letter. In 2002 a
// dot may follow the last label; then the last label begins with a letter, and there
// is another in front of it.
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
			return false // a dot after a name of one label
		}
		start, first = i+1, false
	}
	return true
}

// Account splits the userinfo of s into user and password at its first colon (1994,
// login; 1997, section 4.3.1; RFC 3986, section 3.2.1). p is [Split] of s. has is 0 if
// there is no userinfo, 1 if there is only a user, and 2 if there is a password, too.
// Each may be empty. Both are parts of s, with their escapes, and share its memory.
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
