package delimit

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A trait is how prose uses a scheme. Traits are bits and can be combined; the higher
// bits are the need of an opaque scheme.
type trait uint16

const (
	isRegistered trait = 1 << iota // registered, or in wide use
	hosts                          // a host must follow "//"
	opaque                         // prose uses it without "//"
	wraps                          // it may be in front of another reference (rule 22)
)

// SchemesDate is a date of the registry of IANA: each scheme that was registered then is known here, except
// "ms-settings-" and a word, which Windows uses without "//" and nobody writes in text. It is the date of
// mvdan.cc/xurls/v2 v2.6.0, which has the registry and with which the names below were compared.
const SchemesDate = "2025-01-02"

// The schemes, by how prose uses them. They come from the registry of IANA; those that
// are common but not registered are marked.
const (
	// A host must follow "//".
	hosted = "http https ftp telnet gopher wais nntp prospero rlogin tn3270 " + // of the old documents
		"acap afp coap coap+tcp coap+ws coaps coaps+tcp coaps+ws dict dns dtn finger fish git gtalk " +
		"imap ipp ipps irc irc6 ircs iris iris.beep iris.lwz iris.xpc iris.xpcs ldaps mongodb msrp msrps " +
		"mtqp mumble mupdate mvrp mvrps nfs nntps pop redis rediss reload rmi rsync rtmfp rtmp rtsp rtsps " +
		"rtspu secondlife sftp shttp sieve smb smtp snmp soap.beep soap.beeps ssh svn teamspeak tftp " +
		"tip udp ventrilo vemmi vnc webcal ws wss xftp xmlrpc.beep xmlrpc.beeps xrcp z39.50 z39.50r z39.50s " +
		"ftps imaps pops smtps git+http git+https git+ssh svn+http svn+https svn+ssh hg+http hg+https hg+ssh " + // not registered
		"bzr+http bzr+https bzr+ssh"

	// "//" follows, but not always a host.
	slashed = "file afs ldap jdbc postgresql postgres mysql " +
		"aaa aaas acd acr adiumxtra adt ahp aim amss android appdata apt ar at attachment aw barion bb beshare " +
		"blob bluetooth bolo brid browserext cabal calculator cast casts chrome chrome-extension " +
		"com-eventbrite-attendee content-type crid cstr cvs dab dat dav dhttp diaspora dis dlna-playcontainer " +
		"dlna-playsingle dntp dpp drm dtmi dvb dvx dweb ed2k eid elsi embedded ens feedready fido filesystem " +
		"first-run-pen-experience fm fuchsia-pkg gg gitoid gizmoproject graph grd ham hcap hcp hs20 hxxp hxxps " +
		"hydrazone hyper icap icon iotdisco ipfs ipn ipns isostore itms jabber jms keyparc lastfm lbry " +
		"leaptofrogans lid lorawan lpa lvlt machineprovisioningprogressreporter mailserver market microsoft.windows.camera " +
		"microsoft.windows.camera.multipicker microsoft.windows.camera.picker mms modem moz ms-access ms-appinstaller " +
		"ms-browser-extension ms-calculator ms-drive-to ms-enrollment ms-excel ms-eyecontrolspeech ms-gamebarservices " +
		"ms-gamingoverlay ms-getoffice ms-help ms-infopath ms-inputapp ms-launchremotedesktop ms-lockscreencomponent-config " +
		"ms-media-stream-id ms-meetnow ms-mixedrealitycapture ms-mobileplans ms-newsandinterests ms-officeapp ms-people " +
		"ms-personacard ms-powerpoint ms-project ms-publisher ms-recall ms-remotedesktop ms-remotedesktop-launch " +
		"ms-restoretabcompanion ms-screenclip ms-screensketch ms-search ms-search-repair ms-secondary-screen-controller " +
		"ms-secondary-screen-setup ms-settings ms-spd ms-stickers ms-sttoverlay ms-transit-to ms-useractivityset " +
		"ms-virtualtouchpad ms-visio ms-walk-to ms-whiteboard ms-whiteboard-cmd ms-word msnim mss mt mvn " +
		"nih ocf onenote onenote-cmd opaquelocktoken openid otpauth palm paparazzi payto pkcs11 platform " +
		"psyc pttp pwid qb quic-transport res sarif secret-token sgn shc shelter simpleledger simplex smp " +
		"snews soldat spiffe ssb starknet steam submit swid swidpath taler teapot teapots teliaeid " +
		"things thismessage thzp tool unreal upt ut2004 uuid-in-package v-event ves videotex view-source vscode " +
		"vscode-insiders vsls w3 wcr web+ap web3 wifi wpid wtai wyciwyg xcon xcon-userid xfire xri ymsgr " +
		"hdfs s3 s3a s3n gs abfs abfss wasb akka akka.tcp bolt amqp amqps kafka mqtt mqtts nats tcp tls unix zmq gemini " + // not registered
		"spdy docker x-coredata rtp srt tg ssl"
)

// opaques are the schemes that prose uses without "//": those of the old documents, and
// those that occur in mail, news and logs.
var opaques = []struct {
	names string
	need  need
}{
	{"mailto", needMail}, // of the old documents, like the next five
	{"mid", needAt},
	{"cid acct", needAt},
	{"news", needGroup},
	{"nntp", needArticle}, // nntp:group/number; a host follows "//"
	{"urn", needColon},    // urn:isbn:0451450523; "urn:" alone is a word
	{"tel sms", needDigits},
	{"callto facetime", needNumber},
	{"sip sips xmpp im pres", needAtOrDot},
	{"h323 iax", needAny},
	{"info", needNamespace}, // info:doi/10.1000/182 (RFC 4452)
	{"skype", needQuery},    // skype:name?call
	{"about", needBlank},    // about:blank
	{"stun stuns turns", needDot},
	{"magnet", needQuestion},
	{"data", needComma}, // data:text/plain,x; prose has "data:" as a word
	{"tag", needComma},  // tag:example.org,2001:x
	{"geo", needPair},   // geo:48.2,16.37
	{"doi", needTen},    // doi:10.1000/182
	{"bitcoin bitcoincash ethereum monero litecoin dogecoin openpgp4fpr", needAddress},
	{"did swh ni spotify lbry matrix", needColonOrSlash},
}

// leftOut are registered schemes that programs use without "//", but that do not count
// here: in running text the word before the colon is far more often an ordinary word.
// With "//", or after "URL:", they count like any other.
var leftOut = []struct{ names, why string }{
	{"app cap content drop example graph go maps market message notes num pack payment " +
		"proxy query resource service session target things turn view tool", "an English word that introduces a list, a label or a remark"},
	{"dns dict dis drm icon java javascript p1 pop sieve smtp snmp ssh submit svn tip tv udp upt ws", "a name that logs and code put before a colon"},
	{"fax modem phone", "a label before a number in signatures"},
	{"ark ham hcp lid oid res aim bb at gg dat dab", "a short word or abbreviation"},
	{"http https ftp telnet gopher wais prospero rlogin tn3270 ldap rsync irc nfs imap", "without \"//\" it names no host, and prose writes it only by mistake"},
	{wrapping, "another reference follows, and they are found together"},
}

// wrapping are the schemes that may be in front of another reference (rule 22):
// jdbc:mysql://host/, view-source:http://a/.
const wrapping = "jdbc view-source feed blob jar"

// maxWrapping is how many schemes may be in front of another reference, as in
// jar:jdbc:mysql:tcp://a/.
const maxWrapping = 4

// A need is what must follow the colon of an opaque scheme, so that an ordinary word does
// not count. Text that has it meets the need.
type need uint8

const (
	needAny          need = iota // a letter or digit
	needColon                    // a second colon
	needNumber                   // + ( - or a digit first
	needDot                      // a dot
	needQuestion                 // ? first
	needComma                    // a comma
	needTen                      // "10." first
	needColonOrSlash             // a second colon, slash or semicolon
	needMail                     // "@" or "?"
	needAt                       // "@", if it is bare; otherwise as needAny
	needGroup                    // a dot, "@" or "*", if it is bare; otherwise as needAny, or "*"
	needArticle                  // a slash and a digit
	needQuery                    // "?"
	needPair                     // a number first, and a comma
	needBlank                    // the word "blank"
	needDigits                   // three digits, if it is bare; otherwise as needNumber
	needAtOrDot                  // "@" or a dot, if it is bare; otherwise as needAny
	needAddress                  // 20 letters and digits, if it is bare; otherwise as needAny
	needNamespace                // a registered namespace and a slash
)

// needShift is the position of the need in a trait.
const needShift = 8

// needLen is how many bytes after the colon are examined for a need.
const needLen = 128

// lookup maps each scheme, in lower case, to its traits.
var lookup = func() map[string]trait {
	m := make(map[string]trait, 512) // slightly more than there are
	add := func(names string, h trait) {
		for name := range strings.FieldsSeq(names) {
			m[name] |= h | isRegistered
		}
	}
	add(hosted, hosts)
	add(slashed, 0)
	for _, o := range opaques {
		add(o.names, opaque|trait(o.need)<<needShift)
	}
	for _, l := range leftOut {
		add(l.names, 0)
	}
	add(wrapping, wraps)
	return m
}()

// A schemeTable is lookup for the hot path: consecutive buckets of schemes, by their
// length and three of their letters. Bucket k is all[from[k]:from[k+1]].
type schemeTable struct {
	from [1<<10 + 1]uint16
	all  []tableScheme
}

type tableScheme struct {
	name  string
	trait trait
}

var table = func() (t schemeTable) {
	var buckets [1 << 10][]tableScheme
	for name, h := range lookup {
		k := bucketOf([]byte(name))
		buckets[k] = append(buckets[k], tableScheme{name, h})
	}
	for k, b := range buckets {
		t.all = append(t.all, b...)
		t.from[k+1] = uint16(len(t.all))
	}
	return t
}()

// bucketOf returns the number of the bucket of scheme, in any case. scheme is not empty.
func bucketOf(scheme []byte) uint {
	n := len(scheme)
	return (uint(scheme[0]&31)<<5 ^ uint(scheme[n-1]&31) ^ uint(scheme[n/2]&31)<<3 ^ uint(n)<<6) & (1<<10 - 1)
}

// traitsOf returns the traits of scheme, in any case.
func traitsOf(scheme []byte) trait {
	switch n := len(scheme); { // nine of ten schemes are one of these
	case n == 4 && foldEqual(scheme, "http"), n == 5 && foldEqual(scheme, "https"):
		return hosts | isRegistered
	case n == 6 && foldEqual(scheme, "mailto"):
		return opaque | isRegistered | trait(needMail)<<needShift
	case n > maxScheme || n == 0:
		return 0
	}
	k := bucketOf(scheme)
	for _, e := range table.all[table.from[k]:table.from[k+1]] { // a few
		if foldEqual(scheme, e.name) {
			return e.trait
		}
	}
	return 0
}

// registered reports whether scheme is registered or in wide use.
func registered(scheme []byte) bool { return traitsOf(scheme)&isRegistered != 0 }

// need returns what must follow the colon of an opaque scheme with these traits.
func (h trait) need() need { return need(h >> needShift) }

// metBy reports whether rest, the text after the colon, meets the need of the scheme. bare
// says that the reference is not in a wrapper. It examines needLen bytes. If bare is set, a need
// that some bytes meet is also met with more bytes. In a run of schemes metBy is called for each
// colon, so most searches use vector instructions.
func (n need) metBy(rest []byte, bare bool) bool {
	if len(rest) > needLen {
		rest = rest[:needLen]
	}
	if len(rest) == 0 {
		return false
	}
	first := rest[0]
	switch n {
	case needColon:
		return bytes.IndexByte(rest[1:], ':') >= 0
	case needColonOrSlash:
		return bytes.IndexByte(rest[1:], ':') >= 0 || bytes.IndexByte(rest[1:], '/') >= 0 || bytes.IndexByte(rest[1:], ';') >= 0
	case needNumber:
		return roles[first].has(digit) || (len(rest) > 1 && (first == '+' || first == '(' || first == '-'))
	case needDot:
		return bytes.IndexByte(rest[1:], '.') >= 0
	case needQuestion:
		return first == '?' && len(rest) > 1
	case needComma:
		return bytes.IndexByte(rest, ',') >= 0
	case needTen:
		return len(rest) > 3 && string(rest[:3]) == "10."
	case needMail:
		return hasWord(rest) && (bytes.IndexByte(rest, '@') >= 0 || bytes.IndexByte(rest, '?') >= 0)
	case needAt:
		return hasWord(rest) && (!bare || bytes.IndexByte(rest, '@') >= 0)
	case needGroup:
		if bare {
			return hasWord(rest) && (bytes.IndexByte(rest, '.') >= 0 || bytes.IndexByte(rest, '@') >= 0 || bytes.IndexByte(rest, '*') >= 0)
		}
		return hasWord(rest) || first == '*' && len(rest) == 1
	case needDigits:
		if bare {
			return count(rest, digit, 3)
		}
		return needNumber.metBy(rest, false)
	case needAtOrDot:
		return hasWord(rest) && (!bare || bytes.IndexByte(rest, '.') >= 0 || bytes.IndexByte(rest, '@') >= 0)
	case needAddress:
		return hasWord(rest) && (!bare || count(rest, alnum, 20))
	case needNamespace:
		n := bytes.IndexByte(rest, '/')
		return n > 0 && n+1 < len(rest) && isOneOf(rest[:n], namespaces[:])
	case needArticle:
		return hasArticle(rest)
	case needQuery:
		return hasWord(rest) && bytes.IndexByte(rest, '?') >= 0
	case needPair:
		if first == '-' || first == '+' {
			first = rest[min(1, len(rest)-1)]
		}
		return roles[first].has(digit) && bytes.IndexByte(rest, ',') >= 0
	case needBlank:
		return len(rest) >= len("blank") && foldEqual(rest[:len("blank")], "blank")
	}
	return hasWord(rest)
}

// namespaces are the registered namespaces of info.
var namespaces = [...]string{
	"arxiv", "bibcode", "bnf", "ddc", "dlf", "doi", "eu-repo", "fedora", "hdl", "inchi", "lanl-repo", "lc", "lccn", "netref", "nla",
	"ofi", "oclcnum", "pmid", "pronom", "refseq", "rfa", "rlgid", "sici", "sid", "srw", "ugent-repo", "wgs84",
}

// count reports whether b has n bytes of the role r.
func count(b []byte, r role, n int) bool {
	for _, c := range b {
		if roles[c].has(r) {
			n--
		}
	}
	return n <= 0
}

// hasArticle reports whether rest has a slash, not at its beginning, with a digit
// directly after it.
func hasArticle(rest []byte) bool {
	for i := 1; i+1 < len(rest); i++ {
		if rest[i] == '/' && roles[rest[i+1]].has(digit) {
			return true
		}
	}
	return false
}

// hasWord reports whether b has a letter or a digit.
func hasWord(b []byte) bool {
	for i, c := range b {
		if roles[c].has(alnum) {
			return true
		}
		if c >= 0xC0 {
			if r, _ := utf8.DecodeRune(b[i:]); unicode.IsLetter(r) || unicode.IsDigit(r) {
				return true
			}
		}
	}
	return false
}

// Whether a text counts as a reference (rule 2) is decided on the whole text, after wrappers, white
// space, quote prefixes and the tail are removed. So the result is also correct if the scheme was
// broken over two lines, or if an Extra has added it.
//
// Only a scheme and something after it are required. The caller may also check the text
// by a grammar. Some schemes are in prose far more often a word and a colon; for these,
// schemes.go lists what else must follow.

// rules say which schemes count without "//". The zero Rules are those of [Known].
type rules struct {
	Known func(scheme []byte) bool // if not nil, it decides
}

// A schemeSet says which schemes count in a context.
type schemeSet uint8

const (
	usual  schemeSet = iota // "scheme://", and the schemes that prose uses without slashes
	quoted                  // the same in quotation marks, where some need less after the colon
	angled                  // experimental schemes ("x-") too, as in angle brackets
	any                     // every scheme, as after the prefix "URL:"
)

// begins reports whether t, which is complete, counts as a reference by its beginning (rule 2):
// a scheme that counts in this context, and something after it. colon is the length of the
// scheme. begins examines the authority, or needLen bytes.
func (l rules) begins(t []byte, set schemeSet) (colon int, ok bool) {
	n := schemeLen(t)
	if n < 2 || n+1 == len(t) {
		return n, false
	}
	scheme, rest := t[:n], t[n+1:]
	if set == any && isPrefix(scheme) {
		return n, false // of two prefixes the last one counts
	}
	h := traitsOf(scheme)
	// "://" counts for every scheme. But if a host is required, dots, quotes and the like
	// are placeholders in a text about URLs.
	if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' {
		switch after := rest[2:]; {
		case h&hosts != 0:
			return n, hasHost(after)
		case h&isRegistered != 0 && len(after) > 0 && after[0] == '/': // file:///
			return n, true
		case set == usual && isLabel(scheme) && !bytes.ContainsAny(after, "./"):
			return n, false
		default:
			return n, hasWord(after)
		}
	}
	switch {
	case foldEqual(scheme, "file") && rest[0] == '/':
		return n, len(rest) > 1
	case h&wraps != 0 && set != any:
		for range maxWrapping {
			if _, ok = l.begins(rest, set); ok {
				return n, true
			}
			k := schemeLen(rest)
			if k < 2 || isPrefix(rest[:k]) {
				break
			}
			rest = rest[k+1:]
		}
		return n, false
	case l.knows(scheme, h):
		return n, h&opaque == 0 || h.need().metBy(rest, set == usual) || set == any && hasWord(rest)
	case set == any, set == angled && foldEqual(t[:2], "x-"):
		return n, hasWord(rest)
	}
	return n, false
}

// isLabel reports whether scheme is a word that programs put in front of a colon, where a comment may
// follow: "default://nothing".
func isLabel(scheme []byte) bool {
	return isOneOf(scheme, []string{"default", "else", "public", "private", "protected", "try", "finally"})
}

// knows reports whether scheme counts without "//".
func (l rules) knows(scheme []byte, h trait) bool {
	if l.Known != nil {
		return l.Known(scheme)
	}
	return h&opaque != 0
}

// hasHost reports whether the text in after begins with an authority that has something like a host:
// a letter or digit, or a literal in brackets.
func hasHost(after []byte) bool {
	host, end := 0, 0
	for ; end < len(after); end++ {
		switch after[end] {
		case '/', '?', '#':
			return isHost(after[host:end])
		case '@':
			host = end + 1
		}
	}
	return isHost(after[host:])
}

// isHost reports whether hostport, a host and perhaps a port, begins with a host.
func isHost(hostport []byte) bool {
	if len(hostport) > 0 && (roles[hostport[0]].has(alnum) || hostport[0] == '[') {
		return true
	}
	if i := bytes.IndexByte(hostport, ':'); i >= 0 {
		hostport = hostport[:i]
	}
	return hasWord(hostport)
}

// isRelative reports whether t is plausible as a relative reference, after a prefix in
// angle brackets. A mail address is not, and neither are dots as a placeholder.
func isRelative(t []byte) bool {
	if len(t) == 0 {
		return false
	}
	first := t
	if i := bytes.IndexAny(t, "/?#"); i >= 0 {
		first = t[:i]
	}
	if bytes.IndexByte(first, ':') >= 0 {
		return false
	}
	if bytes.IndexByte(t, '@') >= 0 && bytes.IndexByte(t, '/') < 0 {
		return false
	}
	return hasWord(t) || bytes.ContainsAny(t, "#?") || isDots(t)
}

// isMessageID reports whether t is plausible as the identifier of an article: a word on each
// side of one "@", and nothing that separates components.
func isMessageID(t []byte) bool {
	i := bytes.IndexByte(t, '@')
	return i > 0 && hasWord(t[:i]) && hasWord(t[i+1:]) && bytes.IndexByte(t[i+1:], '@') < 0 &&
		!bytes.ContainsAny(t, "/?#:<>\"")
}

// isDots reports whether all segments of t are "." or "..".
func isDots(t []byte) bool {
	run := 0
	for _, c := range t {
		switch c {
		case '.':
			run++
		case '/':
			run = 0
		default:
			return false
		}
		if run > 2 {
			return false
		}
	}
	return true
}

// mayBeEscaped reports whether rest, which does not meet n, might meet n after the escapes in rest
// and, if defanged is set, its defanged spellings are decoded. These can become a dot, a colon, a
// slash or, if defanged is set, an "@".
func (n need) mayBeEscaped(rest []byte, defanged bool) bool {
	switch n {
	case needNumber, needQuestion, needPair, needBlank:
		return false
	case needQuery:
		return false
	case needMail, needAt: // of the defanged spellings, only (at) and [at] make an "@"
		for _, end := range defangedAt {
			if defanged && bytes.Contains(rest, end) {
				return true
			}
		}
		return false
	case needTen:
		return rest[0] == '1' && rest[1] == '0'
	case needComma:
		return bytes.IndexByte(rest, ',') >= 0
	case needDot:
		return bytes.IndexByte(rest, '.') >= 0 || defanged && (bytes.IndexByte(rest, 'd') >= 0 || bytes.IndexByte(rest, 'D') >= 0)
	}
	return true // not decided here: it depends on the next colon, or on a letter
}

// hasEscape reports whether b has a byte with which an escape of JSON, or if defanged is
// set a defanged spelling, may begin.
func hasEscape(b []byte, defanged bool) bool {
	return bytes.IndexByte(b, '\\') >= 0 ||
		defanged && (bytes.IndexByte(b, '[') >= 0 || bytes.IndexByte(b, '(') >= 0 || bytes.IndexByte(b, '{') >= 0)
}

// maxEscape is the length of the longest escape of one byte: \u0026.
const maxEscape = 6

// defangedAt has the ends of the defanged spellings that mean "@".
var defangedAt = [...][]byte{[]byte("t)"), []byte("t]"), []byte("T)"), []byte("T]")}

// opaqueIn searches b[lo:i] for a scheme that counts without "//" and ends at i. It returns where
// the scheme begins: at lo, or later, after a "+", "-" or "."; or -1 if there is none.
func (l rules) opaqueIn(b []byte, lo, i int) int {
	for k := lo; i-k >= 2; k++ {
		if (k == lo || !roles[b[k-1]].has(alnum)) && roles[b[k]].has(alpha) {
			if scheme := b[k:i]; l.knows(scheme, traitsOf(scheme)) {
				return k
			}
		}
	}
	return -1
}

// Adjacent references (rule 14): a registered scheme with "://" begins a new reference,
// even without white space in front of it.

// startsAdjacent reports whether t begins with a registered scheme and "://". Then a new
// reference begins there, and white space in front of it is not a line break within a
// reference.
func startsAdjacent(t []byte) bool {
	n := schemeLen(t)
	return n > 1 && hasSlashes(t[n:]) && registered(t[:n])
}

// adjacent decides whether the colon at b[i] belongs to the current reference, whose body is
// b[body:]. If the answer is yes, the colon does, and n is 1. If the answer is no, the colon
// belongs to the scheme of a new reference, which begins at b[i+n]; n is negative.
func adjacent(b []byte, i, body int, atEOF bool) (n int, v answer) {
	slashes := "//"
	if i+1 < len(b) && b[i+1] == '\\' {
		slashes = `\/\/`
	}
	k := min(len(slashes), len(b)-i-1)
	switch {
	case string(b[i+1:i+1+k]) != slashes[:k]:
		return 1, yes
	case k < len(slashes):
		if atEOF {
			return 1, yes
		}
		return 0, more
	}
	if at := adjacentStart(b[:i], body); at >= 0 {
		return at - i, no
	}
	return 1, yes
}

// adjacentStart returns where the registered scheme begins that b ends with, if a new
// reference begins there, otherwise -1. body is where the current reference continues
// after its own scheme. It searches back at most maxScheme bytes.
func adjacentStart(b []byte, body int) int {
	lo := max(body, len(b)-maxScheme)
	k := len(b)
	for k > lo && roles[b[k-1]].has(inScheme) {
		k--
	}
	escaped := -1 // the end of an escape whose letters look like part of the scheme
	if k > lo && b[k-1] == '%' && k+1 < len(b) && isHex(b[k]) && isHex(b[k+1]) {
		k += 2
		lo, escaped = k, k
	} else if k > lo && b[k-1] == '\\' && bytes.HasPrefix(b[k:], escapedAmp) { // "&" in JSON
		k += len(escapedAmp)
		lo, escaped = k, k
	}
	at := -1
	for first := true; k < len(b) && at < 0; k++ {
		switch r := roles[b[k]]; {
		case !r.has(alnum):
			first = true // a part begins after + - and .
		case first && r.has(alpha):
			first = false
			if registered(b[k:]) {
				at = k
			}
		}
	}
	if at < 0 {
		at = schemeAfterWord(b, lo)
	}
	if at <= body || at == escaped || bytes.IndexByte(continues, b[at-1]) >= 0 {
		return -1
	}
	return at
}

// continues has the characters after which a scheme continues the same reference, as in
// http://archive.example/2001/http://a/. A "%" represents any escape.
var continues = []byte("/?=&:%#([*_-~@!")

// schemeAfterWord returns where http, https or ftp begins, if b[lo:] ends with one of them, as in
// "fromhttp"; otherwise -1. The caller has found that b ends with no registered scheme longer than
// these.
func schemeAfterWord(b []byte, lo int) int {
	if len(b) == 0 {
		return -1
	}
	last := lower(b[len(b)-1])
	for _, name := range [...]string{"https", "http", "ftp"} {
		if at := len(b) - len(name); last == name[len(name)-1] && at >= lo && foldSuffix(b, name) {
			return at
		}
	}
	return -1
}

// endings is a filter for colons that no slash follows. It knows with which three bytes a prefix,
// or a scheme that counts without "//", may end. It has a bit for each such ending, at the index
// that ending returns. A colon after any other ending is text.
var endings = func() (t [1 << 15 / 64]uint64) {
	add := func(a, b, c byte) {
		k := ending(a, b, c)
		t[k/64] |= 1 << (k % 64)
	}
	for name, h := range lookup {
		n := len(name)
		switch {
		case h&opaque == 0:
		case n > 2:
			add(name[n-3], name[n-2], name[n-1])
		default: // any byte may precede two letters
			for first := range byte(32) {
				add(first, name[0], name[1])
			}
		}
	}
	for _, name := range [...]string{"url", "uri", "ttp", "tps", "ftp"} { // http:&#x2F;&#x2F;
		add(name[0], name[1], name[2])
	}
	return t
}()

// fourths is a filter for the fourth byte in front of a colon. Its index is made of the low five
// bits of the two bytes directly in front of the colon. An entry has a bit for each fourth byte
// that may precede an ending with these two bytes.
var fourths = func() (t [1 << 10]uint32) {
	add := func(name string, most uint32) {
		n := len(name)
		if n > 3 {
			most = 1 << (name[n-4] & 31)
		}
		t[ending(0, name[n-2], name[n-1])] |= most
	}
	for name, h := range lookup {
		if h&opaque != 0 {
			add(name, 1<<32-1) // any byte may precede three letters
		}
	}
	add("url", 1<<32-1)
	add("uri", 1<<32-1)
	add("http", 0)
	add("https", 0)
	add("ftp", 1<<32-1)
	return t
}()

// noLetter represents a byte in an ending that is neither letter nor digit.
const noLetter = 31

// ending returns the index in endings of three bytes: the low five bits of each. They are the same
// for capital and small letters.
func ending(a, b, c byte) uint { return uint(a&31)<<10 | uint(b&31)<<5 | uint(c&31) }

// isEnding reports whether e is one of endings.
func isEnding(e uint) bool { return endings[e/64]>>(e%64)&1 != 0 }
