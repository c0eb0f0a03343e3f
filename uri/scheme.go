package uri

import "strings"

// This file holds what is known of schemes whatever the grammar: names, ports,
// and what their readers know of them.

// ports has the schemes that name a host of the Internet, with their default
// ports. Those of the old documents come first.
var ports = map[string]int{
	"http": 80, "ftp": 21, "gopher": 70, "telnet": 23, "nntp": 119, "wais": 210, "prospero": 1525,
	"rlogin": 513, "tn3270": 23, "news": 119, "snews": 563, "nntps": 563, "whois": 43, "whois++": 63,
	"https": 443, "ws": 80, "wss": 443, "ftps": 990, "ssh": 22, "sftp": 22, "rsync": 873, "git": 9418,
	"svn": 3690, "ldap": 389, "ldaps": 636, "imap": 143, "imaps": 993, "pop": 110, "pops": 995,
	"smtp": 25, "smtps": 465, "irc": 194, "ircs": 994, "rtsp": 554, "finger": 79, "dict": 2628,
	"z39.50r": 210, "z39.50s": 210, "ipp": 631, "nfs": 2049, "smb": 445, "afp": 548, "xmpp": 5222,
	"acap": 674, "cvs": 2401, "dns": 53, "snmp": 161, "tftp": 69, "vnc": 5900, "gemini": 1965,
}

// longestScheme bounds what is looked up in ports.
const longestScheme = 8

// others are schemes without a port of their own that something is known of. They
// and those of ports are the names that knownScheme gives.
var others = map[string]bool{"mailto": true, "file": true, "afs": true, "mid": true, "cid": true}

// A scheme is what is known of one.
type scheme struct {
	name      string // in lower case; "" if nothing is known
	port      int    // 0: none is known
	usesNames bool   // hosts are looked up in the DNS
}

// schemes is ports and others together, with the names as values, so that a
// lookup gives a string that outlives the text.
var schemes = func() map[string]scheme {
	all := make(map[string]scheme, len(ports)+len(others))
	for name, port := range ports {
		all[name] = scheme{name, port, true}
	}
	for name := range others {
		all[name] = scheme{name: name}
	}
	return all
}()

// DefaultPort returns the port that scheme, in any case, has if a reference names
// none, or 0 if none is known. It knows the schemes of the old documents and some
// fifty in all.
func DefaultPort[T Text](scheme T) int {
	if len(scheme) > longestScheme {
		return 0
	}
	return knownScheme(view(scheme), &parts{scheme: uint32(len(scheme))}).port
}

// knownScheme returns what is known of the scheme of s, in any case.
func knownScheme(s string, p *parts) scheme {
	if p.scheme == 0 || p.scheme > longestScheme {
		return scheme{}
	}
	var low [longestScheme]byte
	return schemes[string(appendLower(low[:0], s[:p.scheme]))]
}

// isScheme reports whether s is a scheme, and not what looks like one in a
// grammar where a first segment may hold a colon.
func isScheme(s string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && !isDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// The hunches: each takes away what only the scheme can say means nothing. No
// document has them as rules, so they make two texts no more than perhaps equal.

// hunchHost shortens the host at dst[start:]: the root's dot, and "localhost"
// where that is the default.
func hunchHost(dst []byte, start int, scheme string) []byte {
	host := dst[start:]
	if len(host) > 1 && host[len(host)-1] == '.' {
		dst = dst[:len(dst)-1]
		host = dst[start:]
	}
	if scheme == "file" && string(host) == "localhost" {
		return dst[:start]
	}
	if len(host) > 2 && host[0] == '[' {
		if groups, ok := groupsOf(view(host[1 : len(host)-1])); ok {
			dst = dst[:start]
			for _, n := range groups { // eight
				dst = append(dst, ':', byte(n>>8), byte(n))
			}
		}
	}
	return dst
}

// hunchPath puts in or leaves out defaults of the path at dst[start:]: the menu of
// a gopher, the type of a file.
func hunchPath(dst []byte, start int, scheme string) []byte {
	path := view(dst[start:])
	switch scheme {
	case "gopher":
		if path == "/" {
			return append(dst, '1')
		}
	case "ftp":
		if i := strings.LastIndex(path, ";type="); i >= 0 {
			return dst[:start+i]
		}
	}
	return dst
}
