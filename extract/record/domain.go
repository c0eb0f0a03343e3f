package record

import (
	"bytes"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record/internal/suffix"
	"github.com/urlsift/urlsift/uri"
	"golang.org/x/net/idna"
)

// Scheme, host, domain and host_unicode are those of the target if there is one, otherwise those of
// the URL.
//
// A host beyond ASCII has several spellings: http://www.müller.de/, http://www.m%C3%BCller.de/ and
// http://www.xn--mller-kva.de/ name the same host. The fields have one of them, the A-labels, since
// these are what the DNS and the public suffix list have.

// hostProfile converts hosts beyond ASCII as browsers do: by UTS 46, non-transitional ("ß" stays a
// letter of its own), with its rules for joiners and for text from right to left. The profile Lookup of
// x/net/idna, which package uri uses for its normal form, differs in two ways. It refuses
// '_', and hyphens at the third and fourth place of a label. Both occur in names that people use.
var hostProfile = idna.New(
	idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(),
	idna.StrictDomainName(false), // also '_', and then any ASCII: see notInHost
	idna.CheckHyphens(false),
	idna.VerifyDNSLength(true), // what the DNS cannot have has no A-labels
)

// notInHost has the printable ASCII characters that no host has. The mapping of UTS 46 may make them:
// U+2100 is "a/c".
const notInHost = "%@:/?#[]<>\\^|\"{}`"

// longestName is the longest host in bytes that is converted. A name of the DNS has at most 253
// characters (RFC 1035, section 2.3.4), and a character has at most four bytes, which are twelve if they
// are escaped. The time for a label is quadratic in its length, so longestLabel bounds the labels,
// in characters.
const (
	longestName  = 12 * 253
	longestLabel = 63
)

// toASCII returns host, which is in lower case, with A-labels. ok is false if host has nothing
// beyond ASCII, escaped or not, or if UTS 46 gives no A-labels for it. latin says that escaped octets
// are ISO Latin 1 where they are not UTF-8.
func toASCII(host []byte, latin bool) (name string, ok bool) {
	if len(host) > longestName || !beyondASCII(host) {
		return "", false
	}
	octets := uri.AppendUnescaped(nil, host)
	name = string(octets)
	if !utf8.ValidString(name) {
		if !latin {
			return "", false
		}
		runes := make([]rune, len(octets))
		for i, b := range octets {
			runes[i] = rune(b)
		}
		name = string(runes)
	}
	for label := range strings.FieldsFuncSeq(name, isDot) {
		if utf8.RuneCountInString(label) > longestLabel {
			return "", false
		}
	}
	name, err := hostProfile.ToASCII(name)
	if err != nil || name == "" {
		return "", false
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] >= 0x7f || strings.IndexByte(notInHost, name[i]) >= 0 {
			return "", false
		}
	}
	return name, true
}

// isDot reports whether r separates labels (UTS 46, section 2.3).
func isDot(r rune) bool { return r == '.' || r == '\u3002' || r == '\uff0e' || r == '\uff61' }

// toUnicode returns host, which is in lower case and has no escapes, with U-labels. ok is false if
// it has no A-label, or one that stands for nothing.
func toUnicode(host string) (name string, ok bool) {
	if !strings.Contains(host, acePrefix) || len(host) > longestName {
		return "", false
	}
	name, err := hostProfile.ToUnicode(host)
	return name, err == nil && name != host
}

// acePrefix is what A-labels begin with (RFC 5890, section 2.3.2.1).
const acePrefix = "xn--"

// beyondASCII reports whether host has a byte beyond ASCII, escaped or not.
func beyondASCII(host []byte) bool {
	for i, b := range host {
		if b >= utf8.RuneSelf || b == '%' && i+1 < len(host) && host[i+1] >= '8' {
			return true
		}
	}
	return false
}

// HostNames returns the spellings of a host that the fields host and host_unicode have: with
// A-labels, and with U-labels. name may have either, and escapes, in any case. If it has no A-labels by
// UTS 46, ascii is name with escapes, in lower case. If it has no U-labels, unicode is ascii.
func HostNames(name string) (ascii, unicode string) {
	low := appendLower(nil, []byte(name))
	ascii, ok := toASCII(low, false)
	if !ok {
		var escaped []byte
		for _, b := range low {
			if b < utf8.RuneSelf {
				escaped = append(escaped, b)
			} else {
				escaped = append(escaped, '%', hexDigits[b>>4], hexDigits[b&15])
			}
		}
		ascii = string(escaped)
	}
	if unicode, ok = toUnicode(ascii); !ok {
		unicode = ascii
	}
	return ascii, unicode
}

const hexDigits = "0123456789abcdef"

// A splitText is a reference, and the positions of its scheme and host.
type splitText struct {
	text  []byte
	parts uri.Parts
	low   []byte // memory for what is in lower case
}

// lower returns a component in lower case, nil if it is undefined.
func (s *splitText) lower(c uri.Component) []byte {
	lo, hi, ok := s.parts.Span(c)
	if !ok {
		return nil
	}
	s.low = appendLower(s.low[:0], s.text[lo:hi])
	return s.low
}

// appendLower appends s, with ASCII letters in lower case.
func appendLower(dst, s []byte) []byte {
	for _, b := range s {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}

// readsLatin reports whether escapes are ISO Latin 1 in the newest grammar of g.
func readsLatin(g uri.Grammar) bool { return g.Newest().Rules().LatinEscapes != 0 }

// A hostNames is a host and the fields that are made of it.
type hostNames struct {
	written []byte
	grammar uri.Grammar // it says what escapes are

	host    []byte // in lower case, with A-labels if there are any
	domain  []byte // a slice of host
	unicode []byte // with U-labels; empty if that is host
}

// set makes the names of written, which is the host of s, by the grammar g.
func (n *hostNames) set(s *splitText, written []byte, g uri.Grammar) {
	n.written, n.grammar = append(n.written[:0], written...), g
	n.host, n.domain, n.unicode = appendLower(n.host[:0], written), nil, n.unicode[:0]
	kind := uri.KindOfHost(s.text, s.parts)
	if name, ok := toASCII(n.host, readsLatin(g)); ok {
		n.host = append(n.host[:0], name...)
		name = "//" + name
		kind = uri.KindOfHost(name, uri.Split(name))
	}
	if kind == uri.HostName {
		n.domain = suffix.Domain(n.host)
	}
	if bytes.Contains(n.host, []byte(acePrefix)) {
		if name, ok := toUnicode(string(n.host)); ok {
			n.unicode = append(n.unicode, name...)
		}
	}
}

// namesOf returns the names of the host of r.
func namesOf(r *extract.Result) (n hostNames) {
	v := view{r: r}
	s := v.reference()
	if lo, hi, _ := s.parts.Span(uri.Host); lo < hi {
		n.set(s, s.text[lo:hi], r.Grammar())
	}
	return n
}

// AppendHost appends the field host of r: its host in lower case, with A-labels if it has
// characters beyond ASCII and UTS 46 gives A-labels for them. It returns the grown slice. If there is
// no host, it appends nothing.
func AppendHost(dst []byte, r *extract.Result) []byte {
	n := namesOf(r)
	return append(dst, n.host...)
}

// AppendHostUnicode appends the field host_unicode of r: its host with U-labels. It returns the grown
// slice. If the host has no A-labels, it appends nothing.
func AppendHostUnicode(dst []byte, r *extract.Result) []byte {
	n := namesOf(r)
	return append(dst, n.unicode...)
}

// AppendDomain appends the field domain of r: the registrable domain of its host, in lower
// case. It returns the grown slice. If the host has no domain, it appends nothing.
func AppendDomain(dst []byte, r *extract.Result) []byte {
	n := namesOf(r)
	return append(dst, n.domain...)
}

// Domain returns the registrable domain of host by the public suffix list, in lower case and with
// A-labels: "example.co.uk" of "www.example.co.uk". host is a name, in any spelling of [HostNames], and
// no address. Domain returns "" if host is a public suffix itself or has one label.
func Domain(host string) string {
	ascii, _ := HostNames(host)
	return string(suffix.Domain([]byte(ascii)))
}

// SuffixDate is the date of the public suffix list that [Domain] and the field domain use: "2026-02-06".
const SuffixDate = suffix.Date

// SchemesDate is [delimit.SchemesDate].
const SchemesDate = delimit.SchemesDate

const domainSlots = 256 // number of hosts that a view remembers

// slotOf returns the slot of text, a number below slots.
func slotOf(text []byte, slots uint64) uint64 { return maphash.Bytes(hashSeed, text) % slots }

var hashSeed = maphash.MakeSeed()
