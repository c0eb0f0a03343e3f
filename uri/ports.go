package uri

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
var others = map[string]bool{
	"mailto": true, "file": true, "afs": true, "mid": true, "cid": true,
	"urn": true, "tel": true, "sip": true, "sips": true, "geo": true,
}

// A scheme is a known scheme.
type scheme struct {
	name      string // in lower case; "" for an unknown scheme
	port      int    // the default port, or 0
	usesNames bool   // whether hosts are looked up in the DNS

	own *schemeRule // the scheme's own rule of equivalence; nil if there is none
}

// schemes is ports and others together. Each value has the name of its scheme, so that the result of
// a lookup is a text that does not refer to the caller's.
var schemes = func() map[string]scheme {
	all := make(map[string]scheme, len(ports)+len(others))
	for name, port := range ports {
		all[name] = scheme{name: name, port: port, usesNames: true}
	}
	for name := range others {
		all[name] = scheme{name: name, own: schemeRules[name]}
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
	return knownScheme(view(scheme), &offsets{scheme: uint32(len(scheme))}).port
}

// knownScheme returns the entry for the scheme of s, in any case.
func knownScheme(s string, p *offsets) scheme {
	if p.scheme == 0 || p.scheme > longestScheme {
		return scheme{}
	}
	var low [longestScheme]byte
	return schemes[string(appendLower(low[:0], s[:p.scheme]))]
}

// appendLower appends s, with ASCII letters in lower case.
func appendLower(dst []byte, s string) []byte {
	for i := range len(s) {
		b := s[i]
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
		}
		dst = append(dst, b)
	}
	return dst
}
