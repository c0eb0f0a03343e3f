package uri

import (
	"strings"
	"unsafe"
)

// Text is a string or a []byte with the text of a reference. Functions that take a Text
// neither keep nor change it.
type Text interface{ ~string | ~[]byte }

// view returns s as a string, so that each function body is compiled once, for strings. A
// conversion would copy s: with it, access logs take 1.38 times the processor time, and 1.48 times
// with --format jsonl. The string is valid until the bytes change, so no function stores it or
// returns a part of it.
//
// This is possible because the header of a slice begins like that of a string: with
// pointer and length.
func view[T Text](s T) string { return *(*string)(unsafe.Pointer(&s)) }

// A Component is a part of a reference (RFC 3986, section 3). The zero Component is none
// of them.
type Component uint8

const (
	Scheme Component = iota + 1
	Authority
	Userinfo // inside Authority
	Host     // inside Authority
	Port     // inside Authority
	Path     // always there, often empty
	Query
	Fragment
)

// MaxLen is the length in bytes of the longest text that can be split, so that offsets
// have 32 bits.
const MaxLen = 1<<31 - 1

// Parts are the offsets of the components in one text, as [Split] returns them. They
// have 32 bytes and do not contain the text. They remain valid for a copy of the text,
// and are invalid when the text changes. The zero Parts are those of the empty text.
type Parts struct{ a, b, c, d uint64 }

// Parts are four words with two offsets each. The compiler keeps four words in
// registers. A larger struct is kept in memory: with one field for each offset, access logs and
// lists of URLs take 1.2 times the processor time.

// offsets are Parts, one offset in each field.
//
// Invariants: scheme < user <= host <= path <= query <= frag <= end, except that scheme
// and user may both be 0.
type offsets struct {
	scheme uint32 // of the ':' after the scheme, or 0
	user   uint32 // after the '@' of the userinfo, or where a userinfo would begin
	host   uint32 // end of the host, where the ':' of a port is
	path   uint32 // beginning of the path and end of the authority
	query  uint32 // of the '?', or end of the path
	frag   uint32 // of the '#', or end of the query
	end    uint32 // length of the text
	marks  uint32 // properties found by the scan, see acceptbytes.go
}

// unpack returns p with one offset in each field.
func (p Parts) unpack() offsets {
	return offsets{
		uint32(p.a), uint32(p.a >> 32), uint32(p.b), uint32(p.b >> 32),
		uint32(p.c), uint32(p.c >> 32), uint32(p.d), uint32(p.d >> 32),
	}
}

// pack is the inverse of [Parts.unpack].
func (p offsets) pack() Parts {
	return packed(int(p.scheme), int(p.user), int(p.host), int(p.path), int(p.query), int(p.frag), int(p.end), p.marks)
}

// packed returns Parts with the given offsets and marks.
func packed(scheme, user, host, path, query, frag, end int, marks uint32) Parts {
	return Parts{
		uint64(scheme) | uint64(user)<<32, uint64(host) | uint64(path)<<32,
		uint64(query) | uint64(frag)<<32, uint64(end) | uint64(marks)<<32,
	}
}

// IsPlain reports whether the text is "http://" or "https://", a host and a path, of which both have
// only letters, digits and "-./_". Split finds that on its way; for some texts of this form IsPlain is
// false.
func (p Parts) IsPlain() bool {
	return uint32(p.d>>32)&(plainHTTP|oddPath) == plainHTTP && uint32(p.c) == uint32(p.d)
}

// schemeEnd returns the offset after the scheme's colon, or 0.
func (p *offsets) schemeEnd() uint32 {
	if p.scheme == 0 {
		return 0
	}
	return p.scheme + 1
}

// hasAuthority reports whether there is an authority, which may be empty.
func (p *offsets) hasAuthority() bool { return p.path != p.schemeEnd() }

// isOpaque reports whether the path follows a scheme and does not begin with a slash.
// The documents call it opaque or rootless.
func (p *offsets) isOpaque(s string) bool {
	return p.scheme != 0 && !p.hasAuthority() && (p.path == p.query || s[p.path] != '/')
}

// Span returns the bounds of component c, in bytes: text[lo:hi] is the component without
// its delimiters. ok is false if c is undefined, and then lo and hi are 0. A component
// can be defined and empty. The path is always defined.
func (p Parts) Span(c Component) (lo, hi int, ok bool) {
	q := p.unpack()
	return q.Span(c)
}

// Span is [Parts.Span].
func (p *offsets) Span(c Component) (lo, hi int, ok bool) {
	auth := p.schemeEnd() + 2 // offset of the authority, if there is one
	var l, h uint32
	switch c {
	case Scheme:
		l, h, ok = 0, p.scheme, p.scheme != 0
	case Authority:
		l, h, ok = auth, p.path, p.hasAuthority()
	case Userinfo:
		l, h, ok = auth, p.user-1, p.hasAuthority() && p.user != auth
	case Host:
		l, h, ok = p.user, p.host, p.hasAuthority()
	case Port:
		l, h, ok = p.host+1, p.path, p.hasAuthority() && p.host != p.path
	case Path:
		l, h, ok = p.path, p.query, true
	case Query:
		l, h, ok = p.query+1, p.frag, p.query != p.frag
	case Fragment:
		l, h, ok = p.frag+1, p.end, p.frag != p.end
	}
	if !ok {
		return 0, 0, false
	}
	return int(l), int(h), true
}

// at returns the component that contains offset i. A delimiter belongs to the
// component after it, except the scheme's colon and the '@' of the userinfo.
func (p *offsets) at(i int) Component {
	n := uint32(i)
	switch {
	case n >= p.frag && p.frag != p.end:
		return Fragment
	case n >= p.query && p.query != p.frag:
		return Query
	case n <= p.scheme && p.scheme != 0:
		return Scheme
	case !p.hasAuthority() || n > p.path || n == p.path && p.path != p.query:
		return Path
	case n < p.schemeEnd()+2:
		return Authority
	case n < p.user:
		return Userinfo
	case n >= p.host && p.host != p.path:
		return Port
	}
	return Host
}

// portOf returns the port without leading zeros, or "".
func (p *offsets) portOf(s string) string {
	lo, hi, _ := p.Span(Port)
	return strings.TrimLeft(s[lo:hi], "0")
}

// password returns the bounds of the password in s: the text between the first ':'
// of the userinfo and its '@'.
func (p *offsets) password(s string) (lo, hi int) {
	i, hi, _ := p.Span(Userinfo)
	for ; i < hi; i++ {
		if s[i] == ':' {
			return i + 1, hi
		}
	}
	return 0, 0
}

// String returns the component's name in lower case, as in "userinfo", or "reference"
// for a value that is not a component.
func (c Component) String() string {
	if c == 0 || int(c) >= len(componentNames) {
		return "reference"
	}
	return componentNames[c]
}

var componentNames = [...]string{
	Scheme: "scheme", Authority: "authority", Userinfo: "userinfo", Host: "host",
	Port: "port", Path: "path", Query: "query", Fragment: "fragment",
}
