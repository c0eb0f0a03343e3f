package delimit

import (
	"bytes"
	"slices"
)

// The reading SpaceEscaped (rule 10) says that the writer did not escape white space. Then
// other characters that no reference can hold were not escaped either (2002, section 2.4.3:
// "delims" and "unwise").

// appendEscaped escapes what no reference can hold in dst[start:], a reference without white
// space. It visits each byte twice.
func appendEscaped(dst []byte, start int) []byte {
	e := newExclusion(dst[start:])
	n := 0
	for i, c := range dst[start:] {
		if e.of(i, c, dst[start+i+1:]) {
			n++
		}
	}
	if n == 0 {
		return dst
	}
	const hex = "0123456789ABCDEF"
	end := len(dst)
	dst = slices.Grow(dst, 2*n)[:end+2*n]
	var next [2]byte // the bytes after dst[i], which may have been overwritten
	w := len(dst)
	for i := end - 1; i >= start; i-- {
		c := dst[i]
		if e.of(i-start, c, next[:min(end-1-i, 2)]) {
			w -= 3
			dst[w], dst[w+1], dst[w+2] = '%', hex[c>>4], hex[c&15]
		} else {
			w--
			dst[w] = c
		}
		next[0], next[1] = c, next[0]
	}
	return dst
}

// An exclusion knows where the components of a reference begin.
type exclusion struct {
	path int // brackets are excluded from here on; an opaque part may hold them
	hash int // the '#' of the fragment
}

// newExclusion finds in ref the end of the authority and the beginning of the fragment.
func newExclusion(ref []byte) (e exclusion) {
	if n := schemeLen(ref); n > 0 {
		if e.path = n + 1; e.path < len(ref) && ref[e.path] != '/' {
			e.path = len(ref)
		}
	}
	if bytes.HasPrefix(ref[e.path:], []byte("//")) {
		e.path += 2
		if n := bytes.IndexAny(ref[e.path:], "/?#"); n >= 0 {
			e.path += n
		} else {
			e.path = len(ref)
		}
	}
	if e.hash = bytes.IndexByte(ref, '#'); e.hash < 0 {
		e.hash = len(ref)
	}
	return e
}

// of reports whether the byte c at i is excluded. The slice next has the bytes after c: two or
// more, or fewer at the end.
func (e *exclusion) of(i int, c byte, next []byte) bool {
	switch c {
	case '"', '<', '>', '\\', '^', '`', '{', '|', '}', 0x7F:
		return true
	case '%':
		return len(next) < 2 || !isHex(next[0]) || !isHex(next[1])
	case '[', ']':
		return i >= e.path
	case '#':
		return i > e.hash
	}
	return c <= ' ' || c >= 0x80
}
