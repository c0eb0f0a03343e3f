package uri

import (
	"strings"
	"unsafe"
)

// Text is what the parser reads: bytes that still lie in a caller's buffer, or
// a string. No function of this package keeps or changes the bytes it is given.
type Text interface{ ~string | ~[]byte }

// view looks at s as a string without copying it, so that each body below is
// compiled once. The string is good as long as the bytes are left alone, which
// no function here outlives; none returns it or stores it.
//
// A string's header is the first two words of a slice's: pointer and length.
func view[T Text](s T) string { return *(*string)(unsafe.Pointer(&s)) }

// A Component is a named piece of a reference.
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

// MaxLen is the length in bytes of the longest text that is split. It keeps all
// offsets within 32 bits on every machine.
const MaxLen = 1<<31 - 1

// Parts says where the components of one text lie. It is 28 bytes of offsets
// and holds no text, so it stays true when the text is copied elsewhere. The
// zero Parts are those of the empty text.
//
// Invariants: scheme < user <= host <= path <= query <= frag <= end, but for a
// missing scheme, which is 0.
type Parts struct {
	scheme uint32 // of the ':' behind the scheme; 0: there is none
	user   uint32 // behind the '@' of the userinfo, or where it would begin
	host   uint32 // end of the host; a port's ':' is there
	path   uint32 // begin of the path, end of the authority
	query  uint32 // of the '?', or end of the path
	frag   uint32 // of the '#', or end of the query
	end    uint32 // length of the text
}

// Roles that four bytes play in the regular expression of appendix B.
const (
	endsScheme    = 1 << iota // : / ? #
	endsAuthority             // / ? #
	inAuthority               // @ :
)

var role = [256]uint8{
	':': endsScheme | inAuthority, '/': endsScheme | endsAuthority, '@': inAuthority,
	'?': endsScheme | endsAuthority, '#': endsScheme | endsAuthority,
}

// Split finds the components of s as the regular expression of RFC 3986,
// appendix B, would; it is the same in the documents of 1997 and 2002. Every
// text splits; whether it is a reference is for [Accepts] to say. Of a text
// longer than [MaxLen] nothing is found: its first MaxLen bytes are a path. Split
// does not allocate and keeps nothing of s.
func Split[T Text](s T) Parts { return split(view(s)) }

// split passes over s at most twice, once for '#' and once for all the rest, and
// over the host once more.
func split(s string) (p Parts) {
	if len(s) > MaxLen {
		return Parts{query: MaxLen, frag: MaxLen, end: MaxLen}
	}
	i := 0
	for i < len(s) && role[s[i]]&endsScheme == 0 {
		i++
	}
	if i > 0 && i < len(s) && s[i] == ':' { // with nothing before it a colon is data
		p.scheme = uint32(i)
		i++
	}
	from := p.schemeEnd()
	if strings.HasPrefix(s[from:], "//") {
		i = p.authority(s, int(from)+2)
	} else {
		p.user, p.host, p.path = from, from, from
	}
	p.rest(s, i)
	return p
}

// authority splits what begins at lo into userinfo, host and port and returns
// where it ends. The last '@' ends the userinfo, as no host can hold one; the
// first ':' behind it, or behind the bracket of an IP literal, ends the host.
func (p *Parts) authority(s string, lo int) int {
	i, at := lo, lo
	colon := -1
	for i < len(s) && role[s[i]]&endsAuthority == 0 {
		if role[s[i]]&inAuthority != 0 {
			switch {
			case s[i] == '@':
				at, colon = i+1, -1
			case s[i] == ':' && colon < 0:
				colon = i
			}
		}
		i++
	}
	if at < i && s[at] == '[' { // colons inside the brackets are the literal's
		colon = -1
		if n := strings.IndexByte(s[at:i], ']'); n >= 0 {
			if m := strings.IndexByte(s[at+n:i], ':'); m >= 0 {
				colon = at + n + m
			}
		}
	}
	if colon < 0 {
		colon = i
	}
	p.user, p.host, p.path = uint32(at), uint32(colon), uint32(i)
	return i
}

// rest finds the ends of path, query and fragment; nothing before i ends a path.
func (p *Parts) rest(s string, i int) {
	frag := len(s)
	if n := strings.IndexByte(s[i:], '#'); n >= 0 {
		frag = i + n
	}
	query := frag
	if n := strings.IndexByte(s[i:frag], '?'); n >= 0 {
		query = i + n
	}
	p.query, p.frag, p.end = uint32(query), uint32(frag), uint32(len(s))
}

// schemeEnd returns the offset behind the scheme's colon, or 0.
func (p *Parts) schemeEnd() uint32 {
	if p.scheme == 0 {
		return 0
	}
	return p.scheme + 1
}

// hasAuthority reports whether "//" stands before the path.
func (p *Parts) hasAuthority() bool { return p.path != p.schemeEnd() }

// isOpaque reports whether the path stands behind a scheme and does not begin
// with a slash: what the documents call opaque or rootless.
func (p *Parts) isOpaque(s string) bool {
	return p.scheme != 0 && !p.hasAuthority() && (p.path == p.query || s[p.path] != '/')
}

// Span returns the bounds of c in the text, in bytes: c is text[lo:hi], without
// the marks around it. An empty component is there (ok is true); one whose
// delimiter is missing is not, and its bounds are 0. A path is always there.
func (p Parts) Span(c Component) (lo, hi int, ok bool) {
	auth := p.schemeEnd() + 2 // of the authority, if there is one
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
