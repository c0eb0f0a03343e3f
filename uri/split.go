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

// Parts says where the components of one text lie, and a little of what is in
// them. It is 32 bytes without any text, so it stays true when the text is copied
// elsewhere, and is wrong when the text is changed. The zero Parts are those of
// the empty text.
//
// They are four words, two offsets in each: the compiler keeps so many in
// registers, and what it does not is slower than all the rest of Split.
type Parts struct{ a, b, c, d uint64 }

// parts are Parts to work with.
//
// Invariants: scheme < user <= host <= path <= query <= frag <= end, but for a
// missing scheme, which is 0.
type parts struct {
	scheme uint32 // of the ':' behind the scheme; 0: there is none
	user   uint32 // behind the '@' of the userinfo, or where it would begin
	host   uint32 // end of the host; a port's ':' is there
	path   uint32 // begin of the path, end of the authority
	query  uint32 // of the '?', or end of the path
	frag   uint32 // of the '#', or end of the query
	end    uint32 // length of the text
	marks  uint32 // what was seen on the way, see quick.go
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
func Split[T Text](s T) Parts { return splitText(view(s)) }

// open returns p to be worked with.
func (p Parts) open() parts {
	return parts{
		uint32(p.a), uint32(p.a >> 32), uint32(p.b), uint32(p.b >> 32),
		uint32(p.c), uint32(p.c >> 32), uint32(p.d), uint32(p.d >> 32),
	}
}

// pack is the inverse of [Parts.open].
func (p parts) pack() Parts {
	return packed(int(p.scheme), int(p.user), int(p.host), int(p.path), int(p.query), int(p.frag), int(p.end), p.marks)
}

// packed returns Parts with these offsets and marks.
func packed(scheme, user, host, path, query, frag, end int, marks uint32) Parts {
	return Parts{
		uint64(scheme) | uint64(user)<<32, uint64(host) | uint64(path)<<32,
		uint64(query) | uint64(frag)<<32, uint64(end) | uint64(marks)<<32,
	}
}

// split is Split for strings, opened.
func split(s string) parts { return splitText(s).open() }

// splitText chooses the short way or the long one.
func splitText(s string) Parts {
	if len(s) > MaxLen {
		return packed(0, 0, 0, 0, MaxLen, MaxLen, MaxLen, 0)
	}
	if len(s) > len("https://") && s[:4] == "http" {
		lo := len("http")
		if s[lo] == 's' {
			lo++
		}
		if s[lo:lo+3] == "://" {
			return splitHTTP(s, lo+3)
		}
	} else if len(s) > len("mailto:") && s[:len("mailto:")] == "mailto:" {
		return splitMail(s)
	}
	return splitAny(s)
}

// splitAny passes over s at most twice, once for '#' and once for all the rest,
// and over the host once more. What it finds it keeps apart until the end, so that
// the Parts are made in registers.
func splitAny(s string) Parts {
	scheme, from := 0, 0
	for i := 0; i < len(s); i++ {
		if role[s[i]]&endsScheme != 0 {
			if i > 0 && s[i] == ':' { // with nothing before it a colon is data
				scheme, from = i, i+1
			}
			break
		}
	}
	user, host, path := from, from, from
	if len(s)-from >= 2 && s[from] == '/' && s[from+1] == '/' {
		user, host, path = authority(s, from+2)
	}
	frag := len(s)
	if n := strings.IndexByte(s[path:], '#'); n >= 0 {
		frag = path + n
	}
	query := frag
	if n := strings.IndexByte(s[path:frag], '?'); n >= 0 {
		query = path + n
	}
	return packed(scheme, user, host, path, query, frag, len(s), 0)
}

// authority splits what begins at lo into userinfo, host and port and returns
// where userinfo, host and all of it end. The last '@' ends the userinfo, as no
// host can hold one; the first ':' behind it, or behind the bracket of an IP
// literal, ends the host.
func authority(s string, lo int) (at, colon, end int) {
	at, colon = lo, -1
	i := lo
	for ; i < len(s); i++ {
		switch r := role[s[i]]; {
		case r == 0:
		case r&endsAuthority != 0:
			return authorityEnd(s, at, colon, i)
		case s[i] == '@':
			at, colon = i+1, -1
		case colon < 0:
			colon = i
		}
	}
	return authorityEnd(s, at, colon, i)
}

// authorityEnd is authority where the end has been found.
func authorityEnd(s string, at, colon, end int) (int, int, int) {
	if at < end && s[at] == '[' { // colons inside the brackets are the literal's
		colon = -1
		if n := strings.IndexByte(s[at:end], ']'); n >= 0 {
			if m := strings.IndexByte(s[at+n:end], ':'); m >= 0 {
				colon = at + n + m
			}
		}
	}
	if colon < 0 {
		colon = end
	}
	return at, colon, end
}

// schemeEnd returns the offset behind the scheme's colon, or 0.
func (p *parts) schemeEnd() uint32 {
	if p.scheme == 0 {
		return 0
	}
	return p.scheme + 1
}

// hasAuthority reports whether "//" stands before the path.
func (p *parts) hasAuthority() bool { return p.path != p.schemeEnd() }

// isOpaque reports whether the path stands behind a scheme and does not begin
// with a slash: what the documents call opaque or rootless.
func (p *parts) isOpaque(s string) bool {
	return p.scheme != 0 && !p.hasAuthority() && (p.path == p.query || s[p.path] != '/')
}

// Span returns the bounds of c in the text, in bytes: c is text[lo:hi], without
// the marks around it. An empty component is there (ok is true); one whose
// delimiter is missing is not, and its bounds are 0. A path is always there.
func (p Parts) Span(c Component) (lo, hi int, ok bool) {
	q := p.open()
	return q.Span(c)
}

// Span is that of Parts.
func (p *parts) Span(c Component) (lo, hi int, ok bool) {
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
