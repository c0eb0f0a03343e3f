package uri

import (
	"strings"
)

// A Base is an absolute reference against which others are resolved, with the rules
// of one grammar. Make it with [NewBase]. It is a value and cheap to copy. The fields
// may be set at any time; their zero values are the rules that the documents prefer.
// By the zero Base relative references have no target.
type Base struct {
	Excess Excess // what to do with excess ".." where the grammar leaves it open
	Lax    bool   // whether a relative reference may have the scheme of its base, as in "http:g"

	ref   Ref
	rules Grammar // a set of one
	dir   uint32  // offset in ref after the last slash of the path, or of the path itself if it has no slash
}

// NewBase returns a Base for the references in the document that r refers to. The
// rules of resolution are those of the newest member of g, or of [Default] if g is
// empty. A fragment of r is ignored. If r has no scheme, the error is an [*Error] with
// the Reason "missing part" (2002 and 3986, section 5.2: only the scheme is required).
func NewBase(r Ref, g Grammar) (Base, error) {
	if r.parts.scheme == 0 {
		return Base{}, &Error{Text: r.text, Component: Scheme, Reason: missing.String(), Grammar: g.Newest()}
	}
	path, _ := r.Get(Path)
	dir := r.parts.path + uint32(strings.LastIndexByte(path, '/')+1)
	return Base{ref: r, rules: g.Newest(), dir: dir}, nil
}

// Ref returns the reference that was passed to [NewBase].
func (b Base) Ref() Ref { return b.ref }

// Resolve returns the target of r, in a new string. If r refers to the current
// document and the grammar defines no target for that, it returns r itself; see
// [SameDocument]. If [AppendTarget] returns an error, Resolve returns that error and r.
func (b Base) Resolve(r Ref) (Ref, error) {
	out, err := AppendTarget(nil, b, r.text, r.parts.pack())
	if err != nil || out == nil {
		return r, err
	}
	s := string(out)
	return Ref{s, split(s)}, nil
}

// SameDocument reports whether s refers to the document whose base is b. p is [Split]
// of s. By the documents before RFC 3986 s does so if it is empty or only a fragment (2002, section
// 4.2). By RFC 3986, section 4.4, s does so if its target and the base are the same apart from
// fragments.
func SameDocument[T Text](b Base, s T, p Parts) bool {
	q := p.unpack()
	if b.rules&emptyIsBase == 0 {
		return b.isEmpty(view(s), q)
	}
	var room [512]byte // so that most targets need no allocation
	target, err := appendTarget(room[:0], &b, view(s), q)
	if err != nil {
		return false
	}
	end := split(view(target)).frag
	return string(target[:end]) == b.ref.text[:b.ref.parts.frag]
}

// isEmpty reports whether s has no authority, path or query, and no scheme that makes
// it absolute.
func (b *Base) isEmpty(s string, p offsets) bool {
	return p.path == p.frag && !p.hasAuthority() && !b.counts(s, p)
}

// counts reports whether s has a scheme that makes it absolute. If b is lax, the scheme
// of the base, in any case (section 3.1), does not make s absolute.
func (b *Base) counts(s string, p offsets) bool {
	if p.scheme == 0 {
		return false
	}
	lax := b.Lax && b.rules&laxGrammars != 0
	return !lax || !strings.EqualFold(s[:p.scheme], b.ref.text[:b.ref.parts.scheme])
}

// AppendTarget appends the target of s, relative to b, to dst and returns the extended
// slice (2002, section 5.2; RFC 3986, section 5.2). p is [Split] of s. AppendTarget works on text:
// nothing is escaped, unescaped or validated. If s refers to the current document and the grammar
// of b defines no target for that, nothing is appended; see [SameDocument].
//
// A path never becomes an authority. Without its dot segments, the path of a target without an
// authority may begin with "//", which no such path can (RFC 3986, section 3.3). "/." is written
// in front of it, as [AppendNormal] does: file:/a/b with /.//etc gives file:/.//etc, and a:/b/c with
// ..//g gives a:/.//g. The algorithms of the documents would give file://etc and a://g.
//
// The error is an [*Error]. Its Reason is `excess ".."` if ".." goes above the root and
// b.Excess is [RaiseError], and "missing part" if s is relative and the grammar has no
// relative references or b is the zero Base. With an error dst is returned, but bytes
// after its end may have been written. dst must not overlap s. AppendTarget does not
// allocate if dst has room for the base and s together.
func AppendTarget[T Text](dst []byte, b Base, s T, p Parts) (target []byte, err error) {
	target, bad := appendTarget(dst, &b, view(s), p.unpack())
	if bad != nil {
		bad.Text = string(s)
		return dst, bad
	}
	return target, nil
}

// appendTarget follows the pseudocode of section 5.2 (2002) or 5.2.2 (3986). A named set stands for
// each difference between the documents. The Error has no Text.
func appendTarget(dst []byte, b *Base, s string, p offsets) ([]byte, *Error) {
	base, bp, rules := b.ref.text, b.ref.parts, b.rules
	absolute := b.counts(s, p)
	if !absolute && (rules == 0 || rules&onlyAbsolute != 0) {
		return dst, &Error{Component: Scheme, Reason: missing.String(), Grammar: rules}
	}
	if rules&emptyIsBase == 0 && b.isEmpty(s, p) {
		return dst, nil
	}

	// The target ends with s, from the first component of s on. The components in front of
	// these come from the base.
	own := p.schemeEnd() // offset in s after the scheme
	if absolute {
		dst = append(dst, s[:own]...)
	} else {
		dst = append(dst, base[:bp.scheme+1]...)
	}
	start := len(dst) + int(p.path-own) // offset of the path in dst
	if absolute || p.hasAuthority() {
		dst = append(dst, s[own:p.query]...)
		if rules&dotsEverywhere != 0 {
			dst = removeDots(dst, start)
			dst = guardPath(dst, start, p.hasAuthority())
		}
		return append(dst, s[p.query:]...), nil
	}
	dst = append(dst, base[bp.scheme+1:bp.path]...)
	start = len(dst)
	path := s[p.path:p.query]

	switch {
	case path == "" && (rules&queryKeepsPath != 0 || p.query == p.frag):
		dst = append(dst, base[bp.path:bp.query]...)
		if p.query == p.frag { // s is empty, and the grammar is in emptyIsBase: the query comes from the base, too
			dst = append(dst, base[bp.query:bp.frag]...)
		}
		return append(dst, s[p.query:]...), nil
	case path != "" && path[0] == '/':
		dst = append(dst, path...)
		if rules&dotsEverywhere != 0 {
			dst = removeDots(dst, start)
			dst = guardPath(dst, start, bp.hasAuthority())
		}
		return append(dst, s[p.query:]...), nil
	}
	return b.merge(dst, start, s, p)
}

// mergesAtRoot reports whether the path of b is empty and a merge with it starts at "/".
func (b *Base) mergesAtRoot() bool {
	p := &b.ref.parts
	return p.path == p.query && (b.rules&slashAlways != 0 || b.rules&slashWithAuthority != 0 && p.hasAuthority())
}

// merge appends the path of s, merged with the base's, at dst[start:], and then the
// rest of s.
func (b *Base) merge(dst []byte, start int, s string, p offsets) ([]byte, *Error) {
	base, bp, rules := b.ref.text, b.ref.parts, b.rules
	dst = append(dst, base[bp.path:b.dir]...)
	if b.mergesAtRoot() {
		dst = append(dst, '/')
	}
	end := p.query
	if rules&queryMerges != 0 {
		end = p.frag
	}
	dst = append(dst, s[p.path:end]...)
	excess := 0 // segments ".." that remain because no segment is in front of them
	switch {
	case rules&dotsEverywhere != 0:
		dst = removeDots(dst, start)
	case rules&dotsTakeSlash != 0:
		dst = removeElements(dst, start)
	default:
		dst, excess = removeSegments(dst, start)
	}
	if excess > 0 && rules&excessOptional != 0 {
		switch b.Excess {
		case RaiseError:
			return dst, &Error{Offset: int(p.path), Component: Path, Reason: badExcess.String(), Grammar: rules}
		case Remove:
			dst = dropExcess(dst, start, excess)
		}
	}
	dst = guardPath(dst, start, bp.hasAuthority())
	return append(dst, s[end:]...), nil
}

// guardPath writes "/." in front of the path at dst[start:] if there is no authority and the path
// begins with "//", which would be read as an authority (3986, section 3.3). A path begins so only
// where dot segments were removed from it: [Split] reads any other such path as an authority.
func guardPath(dst []byte, start int, hasAuthority bool) []byte {
	if hasAuthority || !strings.HasPrefix(view(dst[start:]), "//") {
		return dst
	}
	dst = append(dst, "/."...)
	copy(dst[start+2:], dst[start:])
	dst[start+1] = '.'
	return dst
}

// An Excess says what to do with the ".." of a relative path that go above the root
// of the base, where the grammar leaves it open (2002, section 5.2, step 7).
type Excess uint8

const (
	Retain     Excess = iota // "retain": leave them in the target
	Remove                   // "remove": remove them
	RaiseError               // "error": return an [*Error] with the Reason `excess ".."`
)

var excessNames = [...]string{"retain", "remove", "error"}

// String returns "retain", "remove" or "error", and "" for other values.
func (x Excess) String() string {
	if int(x) >= len(excessNames) {
		return ""
	}
	return excessNames[x]
}

// MarshalText returns the text of [Excess.String] in a new slice. The error is always
// nil.
func (x Excess) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// UnmarshalText sets x to the value with the given name, as [Excess.String] writes it.
// For another name it returns an error and leaves x unchanged.
func (x *Excess) UnmarshalText(name []byte) error {
	for i, n := range excessNames {
		if n == string(name) {
			*x = Excess(i)
			return nil
		}
	}
	return &nameError{"treatment of excess \"..\"", string(name), excessNames[:]}
}
