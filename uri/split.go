package uri

import (
	"math/bits"
	"strings"
)

// Each constant is a set of bytes in the regular expression of RFC 3986, appendix B.
const (
	endsScheme    = 1 << iota // : / ? #
	endsAuthority             // / ? #
	inAuthority               // @ :
)

var role = [256]uint8{
	':': endsScheme | inAuthority, '/': endsScheme | endsAuthority, '@': inAuthority,
	'?': endsScheme | endsAuthority, '#': endsScheme | endsAuthority,
}

// Split returns the offsets of the components in s, as the regular expression of RFC
// 3986, appendix B, finds them; the documents of 1997 and 2002 have the same expression. Split also
// splits the authority (section 3.2). Every text can be split, even if it is not a reference; see
// [Accepts]. The Parts of a text longer than [MaxLen] have a path of MaxLen bytes and no other
// component. Split does not allocate.
func Split[T Text](s T) Parts { return splitText(view(s)) }

// split is Split and open, for strings.
func split(s string) offsets { return splitText(s).unpack() }

// splitText chooses the fast path or splitAny.
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

// splitAny splits any text. It scans s at most twice, for '#' and for the other
// delimiters, and the host once more. The offsets are variables until the end, so that
// the Parts are made in registers.
func splitAny(s string) Parts {
	scheme, from := 0, 0
	for i := 0; i < len(s); i++ {
		if role[s[i]]&endsScheme != 0 {
			if i > 0 && s[i] == ':' { // at offset 0 a colon is data
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

// authority splits the authority at s[lo:] and returns the offsets at which userinfo,
// host and authority end. The last '@' ends the userinfo, because a host contains none.
// The first ':' after the userinfo, or after the bracket of an IP literal, ends the host.
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

// authorityEnd is authority after the end has been found.
func authorityEnd(s string, at, colon, end int) (int, int, int) {
	if at < end && s[at] == '[' { // colons between the brackets belong to the literal
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

// splitHTTP is splitText for a text whose first lo bytes are "http://" or "https://". If a byte
// that is not plain may end a user or a host, it calls splitAny.
func splitHTTP(s string, lo int) Parts {
	if len(s) == lo || !isAlpha(s[lo]) && !isDigit(s[lo]) {
		return splitAny(s)
	}
	at, path, marks := lo, 0, uint32(plainHTTP)
	if hasAVX2 && len(s) >= 16 {
		at, path, marks = headMarks(s, lo)
	}
	if at == lo || at == headLen {
		at, path, marks = plainRun(s, at, path, marks)
	}
	query, frag := at, len(s)
	switch {
	case at >= len(s):
		query = len(s)
	case s[at] == '#':
		frag = at
	case s[at] != '?' && path == 0:
		return splitAny(s)
	default:
		if n := strings.IndexByte(s[at:], '#'); n >= 0 {
			frag = at + n
		}
		if s[at] != '?' { // the path continues with a byte that is not plain
			marks |= oddPath
			query = frag
			if n := strings.IndexByte(s[at:frag], '?'); n >= 0 {
				query = at + n
			}
		}
	}
	if path == 0 {
		path = query
	}
	if isDigit(s[lo]) && !isHostNumber(s[lo:path]) {
		marks = 0
	}
	return packed(lo-3, lo, path, path, query, frag, len(s), marks)
}

// splitMail is splitText for a text that begins with "mailto:". It sets plainMail if
// there are only plain bytes without slashes in front of '@' and after it, a letter
// follows the '@', the path ends at the end or at a query, and there is no fragment. acceptbytes.go
// says, above searchlessMail, how much time this saves.
func splitMail(s string) Parts {
	const lo = len("mailto:")
	if !hasAVX2 || len(s) < 16 {
		return splitAny(s)
	}
	odd, slash := headAVX2(s)
	odd = (odd | slash) >> lo << lo
	if len(s) < headLen { // a byte after the end is never plain
		odd |= ^uint64(0) << (len(s) & 63)
	}
	at := bits.TrailingZeros64(odd)
	end := bits.TrailingZeros64(odd & (odd - 1))
	if lo < at && at+1 < end && end <= len(s) && s[at] == '@' && isAlpha(s[at+1]) {
		if end == len(s) {
			return packed(lo-1, lo, lo, lo, end, end, end, plainMail)
		}
		if s[end] == '?' && strings.IndexByte(s[end:], '#') < 0 {
			return packed(lo-1, lo, lo, lo, end, len(s), len(s), plainMail)
		}
	}
	return splitAny(s)
}
