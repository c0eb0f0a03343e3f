package uri

import "strings"

// literalIn returns the grammars in which host, which begins with '[', is an IP
// literal (3986, section 3.2.2; 2002, section 3.2.2). If there is none, bad is the
// offset in host at which it is not an IP literal.
//
// For the IPv6address of 2002 the rule of 3986 is used. The rule that 2002 prints
// rejects "1:2:3:4:5:6:7::" and allows a trailing colon.
func literalIn(host string) (have Grammar, bad int) {
	end := strings.IndexByte(host, ']')
	if end < 0 {
		return 0, len(host)
	}
	if end+1 != len(host) {
		return 0, end + 1
	}
	if inside := host[1:end]; inside != "" && inside[0]|0x20 == 'v' {
		if bad = ipFuture(inside); bad < 0 {
			return futureLiterals, 0
		}
	} else if bad = ip6(inside); bad < 0 {
		return ipLiterals, 0
	}
	return 0, 1 + bad
}

// ipFuture returns -1 if s, which begins with 'v' or 'V', is an IPvFuture, and
// otherwise the offset at which it is not.
func ipFuture(s string) int {
	i := 1 // after the 'v'; strings in ABNF have no case
	for i < len(s) && isHex(s[i]) {
		i++
	}
	if i == 1 || i == len(s) || s[i] != '.' || i+1 == len(s) {
		return i
	}
	for i++; i < len(s); i++ {
		// 1*( unreserved / sub-delims / ":" ): the bytes of a userinfo,
		// without escapes.
		if s[i] == '%' || allowed[inUserinfo][s[i]]&futureLiterals == 0 {
			return i
		}
	}
	return -1
}

// ip6 returns -1 if s is an IPv6address, and otherwise the offset at which it is not.
// An IPv6address has eight groups of one to four hexadecimal digits. The last two may
// be an IPv4address, and "::" may stand for one or more groups.
func ip6(s string) int {
	groups, gap := 0, false // the number of groups so far; whether there was "::"
	i := 0
	if strings.HasPrefix(s, "::") {
		gap, i = true, 2
		if i == len(s) {
			return -1
		}
	}
	for {
		lo := i
		for i < len(s) && i < lo+4 && isHex(s[i]) {
			i++
		}
		if i == lo {
			return i
		}
		if i < len(s) && s[i] == '.' { // the group was the first of four numbers
			if n := ip4(s[lo:]); n >= 0 {
				return lo + n
			}
			groups, i = groups+2, len(s)
		} else {
			groups++
		}
		// A gap stands for at least one group, so there are at most seven others.
		switch {
		case groups > 8 || gap && groups > 7:
			return lo // one group too many
		case i == len(s) && !gap && groups < 8:
			return i
		case i == len(s):
			return -1
		case s[i] != ':':
			return i
		}
		// After a colon there is a group, or a second colon, which makes a gap. A gap
		// may be at the end.
		if i++; i < len(s) && s[i] == ':' && !gap {
			gap = true
			if i++; i == len(s) {
				if groups > 7 {
					return lo
				}
				return -1
			}
		}
	}
}

// ip4 returns -1 if s is an IPv4address (four numbers up to 255 without leading
// zeros), otherwise the offset of the first byte that does not fit.
func ip4(s string) int {
	i := 0
	for n := range 4 {
		if n > 0 {
			if i == len(s) || s[i] != '.' {
				return i
			}
			i++
		}
		lo, v := i, 0
		for i < len(s) && i < lo+3 && isDigit(s[i]) {
			v = v*10 + int(s[i]-'0')
			i++
		}
		// dec-octet: 0-9, or 10-255 without a leading zero.
		if i == lo || v > 255 || i > lo+1 && s[lo] == '0' {
			return lo
		}
	}
	if i < len(s) {
		return i
	}
	return -1
}

// groupsOf returns the eight groups of an IPv6address.
func groupsOf(s string) (groups [8]uint16, ok bool) {
	if ip6(s) >= 0 {
		return groups, false
	}
	head, tail, gap := strings.Cut(s, "::")
	fillGroups(groups[:], head)
	if !gap {
		return groups, true
	}
	var last [8]uint16
	n := fillGroups(last[:], tail)
	copy(groups[8-n:], last[:n])
	return groups, true
}

// fillGroups parses valid groups with colons between them and returns their number.
func fillGroups(to []uint16, s string) (n int) {
	for s != "" { // at most eight iterations
		var g string
		g, s, _ = strings.Cut(s, ":")
		if strings.IndexByte(g, '.') < 0 {
			for i := range len(g) {
				to[n] = to[n]<<4 | uint16(unhex(g[i]))
			}
			n++
			continue
		}
		for i := range 4 {
			var octet string
			octet, g, _ = strings.Cut(g, ".")
			v, _ := number(octet, 255)
			to[n+i/2] = to[n+i/2]<<8 | uint16(v)
		}
		n += 2
	}
	return n
}

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
