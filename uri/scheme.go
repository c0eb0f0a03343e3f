package uri

import "strings"

// This file has what is known of schemes independently of grammars: names, default
// ports, and other defaults.

// ports has the default ports of schemes whose references name a host in the DNS. The
// schemes of the old documents come first.
var ports = map[string]int{
	"http": 80, "ftp": 21, "gopher": 70, "telnet": 23, "nntp": 119, "wais": 210, "prospero": 1525,
	"rlogin": 513, "tn3270": 23, "news": 119, "snews": 563, "nntps": 563, "whois": 43, "whois++": 63,
	"https": 443, "ws": 80, "wss": 443, "ftps": 990, "ssh": 22, "sftp": 22, "rsync": 873, "git": 9418,
	"svn": 3690, "ldap": 389, "ldaps": 636, "imap": 143, "imaps": 993, "pop": 110, "pops": 995,
	"smtp": 25, "smtps": 465, "irc": 194, "ircs": 994, "rtsp": 554, "finger": 79, "dict": 2628,
	"z39.50r": 210, "z39.50s": 210, "ipp": 631, "nfs": 2049, "smb": 445, "afp": 548, "xmpp": 5222,
	"acap": 674, "cvs": 2401, "dns": 53, "snmp": 161, "tftp": 69, "vnc": 5900, "gemini": 1965,
}

// longestScheme is the length of the longest name in ports and others.
const longestScheme = 8

// others are the schemes without a default port for which this package has rules.
var others = map[string]bool{"mailto": true, "file": true, "afs": true, "mid": true, "cid": true}

// A scheme is a known scheme.
type scheme struct {
	name      string // in lower case; "" for an unknown scheme
	port      int    // the default port, or 0
	usesNames bool   // whether hosts are looked up in the DNS
}

// schemes is ports and others together. The values have the names, so that the result
// of a lookup does not refer to the caller's text.
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

// DefaultPort returns the port of references with the given scheme that have no port of
// their own, or 0 if it is not known. The scheme is written without a colon, in any
// case. The table has the schemes of the six documents, and about fifty in all.
func DefaultPort[T Text](scheme T) int {
	if len(scheme) > longestScheme {
		return 0
	}
	return knownScheme(view(scheme), &parts{scheme: uint32(len(scheme))}).port
}

// knownScheme returns the entry for the scheme of s, in any case.
func knownScheme(s string, p *parts) scheme {
	if p.scheme == 0 || p.scheme > longestScheme {
		return scheme{}
	}
	var low [longestScheme]byte
	return schemes[string(appendLower(low[:0], s[:p.scheme]))]
}

// isScheme reports whether s has only bytes of a scheme. In the grammars of colonFirst,
// what is in front of a colon may also be the beginning of a first segment.
func isScheme(s string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && !isDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// hostDefaults removes defaults from the host at dst[start:]. With statedDefaults that is
// "localhost" of file (2002, section 3.2.2; 3986, section 3.2.2). With otherDefaults it is
// the dot of the DNS root, too, and an IPv6 address is written as its eight groups.
func hostDefaults(dst []byte, start int, scheme string, do step) []byte {
	host := dst[start:]
	if do&otherDefaults != 0 && len(host) > 1 && host[len(host)-1] == '.' {
		dst = dst[:len(dst)-1]
		host = dst[start:]
	}
	if do&statedDefaults != 0 && scheme == "file" && string(host) == "localhost" {
		return dst[:start]
	}
	if do&otherDefaults != 0 && len(host) > 2 && host[0] == '[' {
		if groups, ok := groupsOf(view(host[1 : len(host)-1])); ok {
			dst = dst[:start]
			for _, n := range groups { // eight
				dst = append(dst, ':', byte(n>>8), byte(n))
			}
		}
	}
	return dst
}

// pathDefaults adds or removes defaults of the path at dst[start:]. With statedDefaults
// that is the type 1 (menu) of gopher (1993, "Gopher"), with otherDefaults ";type=" of
// ftp. rooted is whether there is an authority.
func pathDefaults(dst []byte, start int, rooted bool, scheme string, do step) []byte {
	path := view(dst[start:])
	switch {
	case do&statedDefaults != 0 && scheme == "gopher" && rooted && len(path) <= 1: // "" or "/"
		return append(dst[:start], "/1"...)
	case do&otherDefaults != 0 && scheme == "ftp":
		if i := strings.LastIndex(path, ";type="); i >= 0 {
			return dst[:start+i]
		}
	}
	return dst
}
