// Package unwrap finds the reference inside one that a rewriting service has made: mail filters that
// check links, sites that count the clicks on them, and web archives.
//
//	s := "https://l.facebook.com/l.php?u=http%3A%2F%2Fa.example%2F&h=AT0"
//	for _, inner := range unwrap.All(s, uri.RFC3986) {
//		fmt.Println(inner.By, inner.URL) // facebook http://a.example/
//	}
//
// What each service does is a row of a table (services.go), with the description that it follows.
// Besides, a parameter whose value is a whole URL is an inner reference too, by [Parameter]. Nothing
// says that such a parameter is where the reference leads.
//
// All functions take time linear in the length of the reference. They ask no service: what a service
// keeps to itself is [Opaque].
package unwrap

import (
	"bytes"
	"slices"

	"github.com/urlsift/urlsift/uri"
)

// Depth is how many references inside one another are found.
const Depth = 8

// An Inner is a reference inside another one.
type Inner struct {
	URL string // absolute, and accepted by the grammar, with what that does not accept escaped
	By  By     // how the reference around it was made
}

// A By says how a reference holds another one.
type By uint8

const (
	Safelinks  By = iota + 1 // Microsoft Defender for Office 365
	URLDefense               // Proofpoint URL Defense
	Google                   // results of a search, and links in Google's services
	Facebook                 // Facebook, Instagram and Messenger
	Barracuda                // Barracuda Link Protection
	Cisco                    // Cisco Secure Email
	Archive                  // a web archive
	Parameter                // the value of a parameter of the query, which no rule of a service describes
)

// names are the names of the constants of type By, in their order.
var names = []string{"safelinks", "urldefense", "google", "facebook", "barracuda", "cisco", "archive", "parameter"}

// String returns the name of b, "" for any other value.
func (b By) String() string {
	if 0 < b && int(b) <= len(names) {
		return names[b-1]
	}
	return ""
}

// All returns the references inside ref, the outermost first: at most [Depth], each inside the one
// before it. g is the grammar that has to accept them; 0 means [uri.Default].
func All(ref string, g uri.Grammar) (all []Inner) {
	for text := []byte(ref); len(all) < Depth; {
		inner, by := Append(nil, text, g)
		if by == 0 {
			break
		}
		all = append(all, Inner{string(inner), by})
		text = inner
	}
	return all
}

// AppendTarget appends to dst what is inside ref after all services are undone, one inside the other. It
// returns the extended slice, and false and dst if no service has made ref. dst must not overlap ref.
func AppendTarget(dst, ref []byte, g uri.Grammar) ([]byte, bool) {
	start := len(dst)
	end := start
	for range Depth {
		inner, by := Append(dst[:end], ref, g) // after what ref is now
		if by == 0 || by == Parameter {
			break
		}
		dst, ref = inner, inner[end:]
		end = len(dst)
	}
	if start == end {
		return dst, false
	}
	return append(dst[:start], ref...), true // the innermost
}

// Append appends to dst the reference directly inside ref, and returns the extended slice; dst and 0 if
// there is none. dst must not overlap ref. Append does not allocate if dst has room for four times
// len(ref).
func Append(dst, ref []byte, g uri.Grammar) ([]byte, By) {
	if len(ref) > uri.MaxLen {
		return dst, 0
	}
	if g == 0 {
		g = uri.Default
	}
	p := uri.Split(ref)
	lo, hi, _ := p.Span(uri.Scheme)
	if scheme := ref[lo:hi]; !bytes.EqualFold(scheme, []byte("http")) && !bytes.EqualFold(scheme, []byte("https")) {
		return dst, 0
	}
	lo, hi, _ = p.Span(uri.Host)
	_, end, ok := p.Span(uri.Authority)
	if !ok || lo == hi {
		return dst, 0
	}
	host, rest := bytes.TrimSuffix(ref[lo:hi], []byte(".")), ref[end:]
	for i := range services {
		s := &services[i]
		if !slices.ContainsFunc(s.hosts, func(n name) bool { return n.matches(host) }) && (s.also == nil || !s.also(host)) {
			continue
		}
		if inner, ok := appendWhole(s.find(dst, rest), len(dst), g); ok {
			return inner, s.by
		}
	}
	for rest := query(rest); len(rest) > 0; {
		var name, value []byte
		name, value, rest = parameter(rest)
		if inner, ok := appendWhole(uri.AppendUnescaped(dst, value), len(dst), g); ok && len(name) > 0 {
			return inner, Parameter
		}
	}
	return dst, 0
}

// Opaque reports whether ref was made by a rewriting service that keeps to itself what is inside. p is
// [uri.Split] of ref.
func Opaque(ref []byte, p uri.Parts) bool {
	lo, hi, _ := p.Span(uri.Host)
	path := opaquePath(ref[lo:hi])
	if path == "" {
		return false
	}
	_, end, _ := p.Span(uri.Authority)
	return len(ref) > end+len(path) && string(ref[end:end+len(path)]) == path
}

// OpaqueHost reports whether there are references to host for which [Opaque] is true.
func OpaqueHost(host []byte) bool { return opaquePath(host) != "" }

// opaquePath returns how the paths begin that a service at host makes, or "".
func opaquePath(host []byte) string {
	for i := range opaque {
		if s := &opaque[i]; s.host.matches(host) {
			return s.path
		}
	}
	return ""
}

// May reports whether a reference may be inside ref: whether a ':' after its authority is in front of a
// slash, or is escaped. It is false for most references, and costs little. p is [uri.Split] of ref.
func May(ref []byte, p uri.Parts) bool {
	if p.IsPlain() {
		return false
	}
	_, end, _ := p.Span(uri.Authority)
	rest := ref[end:]
	for s := rest; ; {
		i := bytes.IndexByte(s, ':')
		if i < 0 {
			break
		}
		if s = s[i+1:]; len(s) > 0 && (s[0] == '/' || s[0] == '%') {
			return true
		}
	}
	for s := rest; ; {
		i := bytes.IndexByte(s, '%')
		if i < 0 {
			break
		}
		if s = s[i+1:]; len(s) > 1 && s[0] == '3' && s[1]|0x20 == 'a' {
			return true
		}
	}
	return bytes.HasPrefix(rest, []byte(secondForm))
}

// appendWhole reports whether text[start:] is a whole absolute URL with a host that g accepts. It returns
// text with that URL, in which what g does not accept is escaped.
func appendWhole(text []byte, start int, g uri.Grammar) ([]byte, bool) {
	colon := bytes.IndexByte(text[start:], ':')
	if colon < 0 || !isKnown(text[start:start+colon]) {
		return text, false
	}
	if after := text[start+colon+1:]; len(after) > 0 && after[0] == '/' && !bytes.HasPrefix(after, []byte("//")) {
		text = slices.Insert(text, start+colon+1, '/') // services join slashes in paths
	}
	url := text[start:]
	p := uri.Split(url)
	if lo, hi, ok := p.Span(uri.Host); !ok || lo == hi {
		return text, false
	}
	if got, _ := uri.Accepts(url, p, g); got != 0 {
		return text, true
	}
	end := len(text)
	text = uri.AppendEscaped(text, url, g)
	text = append(text[:start], text[end:]...)
	got, _ := uri.Accepts(text[start:], uri.Split(text[start:]), g)
	return text, got != 0
}

// isKnown reports whether references of this scheme name a host.
func isKnown(scheme []byte) bool { return uri.DefaultPort(scheme) > 0 }

// query returns the query in rest, the path and what follows it.
func query(rest []byte) []byte {
	rest, _, _ = bytes.Cut(rest, []byte("#"))
	_, query, _ := bytes.Cut(rest, []byte("?"))
	return query
}

// parameter returns the first parameter of a query, and the parameters after it. A '+' in its value is no
// blank, since a URL has none.
func parameter(query []byte) (name, value, rest []byte) {
	pair, rest, _ := bytes.Cut(query, []byte("&"))
	name, value, _ = bytes.Cut(pair, []byte("="))
	return bytes.TrimPrefix(name, []byte("amp;")), value, rest // "&amp;" of a page that was read as plain text
}
