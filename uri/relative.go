package uri

import "strings"

// Relative references, the inverse of resolution.
//
// Plan: a reference that leads to a target has one of a few shapes. It begins with the
// fragment, the query, a relative path, the path or the authority of the target, or with
// its scheme. Each shape is written and resolved, and the shortest one that leads back to
// the target is chosen. So no rule of resolution is stated twice: a shape that a grammar
// resolves to another target is not chosen.

// A shape is a way to write a reference to a target.
type shape uint8

const (
	fromFragment  shape = iota // "" or "#f"
	fromQuery                  // "?q#f"
	fromSegment                // "../g"
	fromGuarded                // "./g:h", "./" and ".//g", which would be read as something else without "./"
	fromDots                   // "..", the directory itself
	fromPath                   // "/g"
	fromRoot                   // "/.//g", where "//g" would be an authority
	fromAuthority              // "//h/g"
	fromScheme                 // the target itself
)

// Relative returns the shortest reference that [Base.Resolve] resolves to target, in a new
// string; see [AppendRelative].
func (b Base) Relative(target Ref) Ref {
	var room [256]byte // so that most results need one allocation
	s := string(AppendRelative(room[:0], b, target.text, target.parts.pack()))
	return Ref{s, split(s)}
}

// AppendRelative appends the shortest reference that [AppendTarget] resolves to target,
// relative to b, to dst and returns the extended slice. p is [Split] of target.
//
// A first segment with a colon, and an empty one, are written after "./" (RFC 3986, section
// 4.2; 1997 and 2002, section 5: "./this:that"). Of two references of the same length, the
// one with a relative path is chosen. If the grammar of b accepts target, it accepts the
// reference, too. The target itself is appended if no shorter reference leads to it:
//
//   - its scheme is not that of b, byte for byte;
//   - 1994 has no relative references, and 1996, 1997 and 2002 have them only for
//     hierarchical bases (2002, section 5);
//   - target has no scheme, or b is the zero Base;
//   - resolution changes target, as RFC 3986 removes its dot segments.
//
// By the documents before RFC 3986 an empty reference has no target (2002, section 4.2), so that
// it is never chosen; by RFC 3986 it is the reference to the base itself.
//
// dst must not overlap target. AppendRelative does not allocate if dst has room for the
// base and three times the target, or four bytes for each byte of the base, if that is more.
func AppendRelative[T Text](dst []byte, b Base, target T, p Parts) []byte {
	q := p.unpack()
	return b.appendRelative(dst, view(target), &q)
}

// appendRelative tries each shape and appends the shortest reference that the grammar accepts
// and that resolves to t again. If no shape is shorter than t, it appends t.
func (b *Base) appendRelative(dst []byte, t string, p *offsets) []byte {
	if !b.relatesTo(t, p) {
		return append(dst, t...)
	}
	accepted, _ := Accepts(t, p.pack(), b.rules)
	start, best, size := len(dst), fromScheme, len(t)
	for s := fromFragment; s < fromScheme; s++ {
		made, ok := b.appendShape(dst, s, t, p)
		if dst = made[:start]; !ok || len(made)-start >= size {
			continue
		}
		ref := view(made[start:])
		parts := split(ref)
		if accepted != 0 {
			if got, _ := Accepts(ref, parts.pack(), b.rules); got == 0 {
				continue
			}
		}
		// appendTarget writes the target after the reference. If it allocates new
		// memory for made, ref stays valid, because it refers to the old memory.
		whole, bad := appendTarget(made, b, ref, parts)
		if bad == nil && string(whole[len(made):]) == t {
			best, size = s, len(ref)
		}
	}
	dst, _ = b.appendShape(dst, best, t, p)
	return dst
}

// relatesTo reports whether a relative reference may lead to t.
func (b *Base) relatesTo(t string, p *offsets) bool {
	base, bp := b.ref.text, &b.ref.parts
	return b.rules != 0 && b.rules&onlyAbsolute == 0 && p.scheme != 0 && len(t) <= MaxLen &&
		t[:p.scheme] == base[:bp.scheme] && (b.rules&hierarchical == 0 || !bp.isOpaque(base))
}

// appendShape appends the reference of the shape s to the target t. It reports false if
// there is none.
func (b *Base) appendShape(dst []byte, s shape, t string, p *offsets) ([]byte, bool) {
	path := t[p.path:p.query]
	switch s {
	case fromFragment:
		return append(dst, t[p.frag:]...), true
	case fromQuery:
		return append(dst, t[p.query:]...), p.query != p.frag
	case fromSegment, fromGuarded, fromDots:
		dst, ok := b.appendSteps(dst, s, path)
		return append(dst, t[p.query:]...), ok
	case fromPath:
		return append(dst, t[p.path:]...), strings.HasPrefix(path, "/")
	case fromRoot:
		return append(append(dst, "/."...), t[p.path:]...), strings.HasPrefix(path, "//")
	case fromAuthority:
		return append(dst, t[p.schemeEnd():]...), p.hasAuthority()
	}
	return append(dst, t...), true
}

// appendSteps appends the path that leads from the directory of b to path: ".." for each
// segment of the directory that is not at the beginning of path, and then the rest of path.
func (b *Base) appendSteps(dst []byte, s shape, path string) ([]byte, bool) {
	bp := &b.ref.parts
	dir := b.ref.text[bp.path:b.dir]
	if b.mergesAtRoot() {
		dir = "/"
	}
	if s == fromDots && b.rules&dotsTakeSlash != 0 { // "..", the target of which has no slash
		if rest, ok := strings.CutPrefix(dir, path); ok && strings.HasPrefix(rest, "/") {
			return appendUps(dst, strings.Count(rest, "/")-1, true), true
		}
		return dst, false
	}
	same := 0 // length of the directories that both paths begin with
	for i := 0; i < min(len(dir), len(path)) && dir[i] == path[i]; i++ {
		if dir[i] == '/' {
			same = i + 1
		}
	}
	ups, rest := strings.Count(dir[same:], "/"), path[same:]
	switch s {
	case fromDots:
		return appendUps(dst, ups, true), rest == ""
	case fromGuarded:
		return append(append(dst, "./"...), rest...), ups == 0
	}
	return append(appendUps(dst, ups, false), rest...), rest != "" || ups > 0
}

// appendUps appends n steps upwards. If bare is true, the last one has no slash, and "." is
// appended if n is 0.
func appendUps(dst []byte, n int, bare bool) []byte {
	for range n { // at most one for each slash of the base
		dst = append(dst, "../"...)
	}
	switch {
	case bare && n == 0:
		return append(dst, '.')
	case bare:
		return dst[:len(dst)-1]
	}
	return dst
}
