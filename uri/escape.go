package uri

import (
	"unicode"
	"unicode/utf8"
)

// AppendEscaped appends s with those bytes escaped that a reference cannot hold,
// so that [Default] may take it, and returns the grown slice. It is for text that
// people wrote, not for data: what might be a delimiter stays one.
//
//   - In path, query and fragment every byte that the component lacks becomes
//     %XX: space, quotes, "<>", the unwise, controls, the bytes of non-ASCII
//     characters, brackets (but not in an opaque part, which has them), and a
//     second '#' (2002, section 2.4.3).
//   - In an authority only non-ASCII letters, with their marks and digits, are
//     escaped, as UTF-8. Anything else there that is wrong stays wrong.
//   - A '%' stays, with two hexadecimal digits behind it or not: nobody knows
//     what a broken escape meant. The scheme stays as it is.
//
// What Default takes comes out unchanged, what is wrong and not mended stays
// refused, the components stay where they are, and escaping twice is the same as
// once. dst must not overlap s, which is neither kept nor changed; with room in
// dst for three times s nothing is allocated.
func AppendEscaped[T Text](dst []byte, s T) []byte { return appendEscaped(dst, view(s)) }

func appendEscaped(dst []byte, s string) []byte {
	if len(s) > MaxLen {
		return append(dst, s...)
	}
	p := split(s)
	path, query := &allowed[inPath], &allowed[inQuery]
	if p.isOpaque(s) {
		path, query = &allowed[inOpaque], &allowed[opaqueQuery]
	}
	from := p.schemeEnd()
	dst = append(dst, s[:from]...)
	dst = appendAuthority(dst, s[from:p.path])
	dst = appendPart(dst, s[p.path:p.query], path)
	if p.query != p.frag {
		dst = append(dst, '?')
		dst = appendPart(dst, s[p.query+1:p.frag], query)
	}
	if p.frag != p.end {
		dst = append(dst, '#')
		dst = appendPart(dst, s[p.frag+1:], &allowed[inFragment])
	}
	return dst
}

// appendPart appends part with what the Default grammar lacks at a place
// escaped. Stretches that need nothing are copied whole.
func appendPart(dst []byte, part string, at *[256]Grammar) []byte {
	done := 0
	for i := 0; i < len(part); i++ {
		if at[part[i]]&Default == 0 {
			dst = append(dst, part[done:i]...)
			dst = appendEscape(dst, part[i])
			done = i + 1
		}
	}
	return append(dst, part[done:]...)
}

// appendAuthority appends auth with its non-ASCII letters escaped.
func appendAuthority(dst []byte, auth string) []byte {
	done := 0
	for i := 0; i < len(auth); {
		if auth[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(auth[i:])
		if unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd) {
			dst = append(dst, auth[done:i]...)
			for _, b := range []byte(auth[i : i+n]) { // at most four
				dst = appendEscape(dst, b)
			}
			done = i + n
		}
		i += n
	}
	return append(dst, auth[done:]...)
}

func appendEscape(dst []byte, b byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[b>>4], digits[b&15])
}

// AppendUnescaped appends s with its escapes undone, each once: what "%2541"
// stands for is "%41". A '%' that begins no escape stays. Undo escapes only in a
// component, or a piece of one, that no delimiter has to be looked for in any
// more (2002, section 2.4.2). dst must not overlap s, which is neither kept nor
// changed; with room in dst for s nothing is allocated.
func AppendUnescaped[T Text](dst []byte, s T) []byte {
	t := view(s)
	for i := 0; i < len(t); i++ {
		if escapeAt(t, i) {
			dst = append(dst, unhex(t[i+1])<<4|unhex(t[i+2]))
			i += 2
		} else {
			dst = append(dst, t[i])
		}
	}
	return dst
}

// AppendRedacted appends s, split as p, with the password of its userinfo, if it
// has one that is not empty, replaced by "***", and returns the grown slice. dst
// must not overlap s, which is neither kept nor changed.
func AppendRedacted[T Text](dst []byte, s T, p Parts) []byte {
	t := view(s)
	q := p.open()
	lo, hi := q.password(t)
	if n := prefixLen(t, &q); n > 0 {
		behind := split(t[n:])
		lo, hi = behind.password(t[n:])
		lo, hi = lo+n, hi+n
	}
	if lo == hi {
		return append(dst, t...)
	}
	dst = append(dst, t[:lo]...)
	dst = append(dst, "***"...)
	return append(dst, t[hi:]...)
}

// password returns the bounds of the password in s: what stands between the
// first ':' of the userinfo and its '@'.
func (p *parts) password(s string) (lo, hi int) {
	i, hi, _ := p.Span(Userinfo)
	for ; i < hi; i++ {
		if s[i] == ':' {
			return i + 1, hi
		}
	}
	return 0, 0
}
