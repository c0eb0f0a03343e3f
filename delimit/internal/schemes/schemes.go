package schemes

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// A trait is how prose uses a scheme. Traits are bits and can be combined; the higher
// bits are the need of an opaque scheme.
type trait uint16

const (
	IsRegistered trait = 1 << iota // registered, or in wide use
	Hosts                          // a host must follow "//"
	Opaque                         // prose uses it without "//"
	Wraps                          // it may be in front of another reference (rule 22)
)

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
		"psyc pttp pwid qb quic-transport res sarif secret-token sgn shc shelter simpleledger simplex " +
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
	{"mailto", NeedMail}, // of the old documents, like the next five
	{"mid", needAt},
	{"cid", needAny},
	{"news", needGroup},
	{"nntp", needArticle}, // nntp:group/number; a host follows "//"
	{"urn", needColon},    // urn:isbn:0451450523; "urn:" alone is a word
	{"tel sms callto facetime", needNumber},
	{"sip sips xmpp im pres acct h323 iax", needAny},
	{"skype", needQuery}, // skype:name?call
	{"about", needBlank}, // about:blank
	{"stun stuns turns", needDot},
	{"magnet", needQuestion},
	{"data", needComma}, // data:text/plain,x; prose has "data:" as a word
	{"tag", needComma},  // tag:example.org,2001:x
	{"geo", needPair},   // geo:48.2,16.37
	{"doi", needTen},    // doi:10.1000/182
	{"bitcoin bitcoincash ethereum monero litecoin dogecoin openpgp4fpr", needAny},
	{"did swh ni spotify lbry matrix", needColonOrSlash},
}

// leftOut are registered schemes that programs use without "//", but that do not count
// here: in running text the word before the colon is far more often an ordinary word.
// With "//", or after "URL:", they count like any other.
var leftOut = []struct{ names, why string }{
	{"app cap content drop example graph go info maps market message notes num pack payment " +
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

// MaxWrapping is how many schemes may be in front of another reference, as in
// jar:jdbc:mysql:tcp://a/.
const MaxWrapping = 4

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
	NeedMail                     // "@" or "?"
	needAt                       // "@", if it is bare; otherwise as needAny
	needGroup                    // as needAny; in a wrapper also "*"
	needArticle                  // a slash and a digit
	needQuery                    // "?"
	needPair                     // a number first, and a comma
	needBlank                    // the word "blank"
)

// needShift is the position of the need in a trait.
const needShift = 8

// NeedLen is how many bytes after the colon are examined for a need.
const NeedLen = 128

// Lookup maps each scheme, in lower case, to its traits.
var Lookup = func() map[string]trait {
	m := make(map[string]trait, 512) // slightly more than there are
	add := func(names string, h trait) {
		for name := range strings.FieldsSeq(names) {
			m[name] |= h | IsRegistered
		}
	}
	add(hosted, Hosts)
	add(slashed, 0)
	for _, o := range opaques {
		add(o.names, Opaque|trait(o.need)<<needShift)
	}
	for _, l := range leftOut {
		add(l.names, 0)
	}
	add(wrapping, Wraps)
	return m
}()

// A schemeTable is Lookup for the hot path: consecutive buckets of schemes, by their
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
	for name, h := range Lookup {
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

// TraitsOf returns the traits of scheme, in any case.
func TraitsOf(scheme []byte) trait {
	switch n := len(scheme); { // nine of ten schemes are one of these
	case n == 4 && lex.FoldEqual(scheme, "http"), n == 5 && lex.FoldEqual(scheme, "https"):
		return Hosts | IsRegistered
	case n == 6 && lex.FoldEqual(scheme, "mailto"):
		return Opaque | IsRegistered | trait(NeedMail)<<needShift
	case n > lex.MaxScheme || n == 0:
		return 0
	}
	k := bucketOf(scheme)
	for _, e := range table.all[table.from[k]:table.from[k+1]] { // a few
		if lex.FoldEqual(scheme, e.name) {
			return e.trait
		}
	}
	return 0
}

// Registered reports whether scheme is registered or in wide use.
func Registered(scheme []byte) bool { return TraitsOf(scheme)&IsRegistered != 0 }

// Need returns what must follow the colon of an opaque scheme with these traits.
func (h trait) Need() need { return need(h >> needShift) }

// MetBy reports whether rest, the text after the colon, meets the need of the scheme. bare
// says that the reference is not in a wrapper. It examines NeedLen bytes. If bare is set, a need
// that some bytes meet is also met with more bytes. In a run of schemes MetBy is called for each
// colon, so most searches use vector instructions.
func (n need) MetBy(rest []byte, bare bool) bool {
	if len(rest) > NeedLen {
		rest = rest[:NeedLen]
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
		return lex.Roles[first].Has(lex.Digit) || (len(rest) > 1 && (first == '+' || first == '(' || first == '-'))
	case needDot:
		return bytes.IndexByte(rest[1:], '.') >= 0
	case needQuestion:
		return first == '?' && len(rest) > 1
	case needComma:
		return bytes.IndexByte(rest, ',') >= 0
	case needTen:
		return len(rest) > 3 && string(rest[:3]) == "10."
	case NeedMail:
		return hasWord(rest) && (bytes.IndexByte(rest, '@') >= 0 || bytes.IndexByte(rest, '?') >= 0)
	case needAt:
		return hasWord(rest) && (!bare || bytes.IndexByte(rest, '@') >= 0)
	case needGroup:
		return hasWord(rest) || !bare && first == '*' && len(rest) == 1
	case needArticle:
		return hasArticle(rest)
	case needQuery:
		return hasWord(rest) && bytes.IndexByte(rest, '?') >= 0
	case needPair:
		if first == '-' || first == '+' {
			first = rest[min(1, len(rest)-1)]
		}
		return lex.Roles[first].Has(lex.Digit) && bytes.IndexByte(rest, ',') >= 0
	case needBlank:
		return len(rest) >= len("blank") && lex.FoldEqual(rest[:len("blank")], "blank")
	}
	return hasWord(rest)
}

// hasArticle reports whether rest has a slash, not at its beginning, with a digit
// directly after it.
func hasArticle(rest []byte) bool {
	for i := 1; i+1 < len(rest); i++ {
		if rest[i] == '/' && lex.Roles[rest[i+1]].Has(lex.Digit) {
			return true
		}
	}
	return false
}

// hasWord reports whether b has a letter or a digit.
func hasWord(b []byte) bool {
	for i, c := range b {
		if lex.Roles[c].Has(lex.Alnum) {
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
