package uri

import "strings"

// A Base is an absolute reference that others are resolved against, by the rules
// of one grammar. It is a value; copies are cheap. The fields may be set at any
// time; the zero of each is what the documents describe first. The zero Base is
// none: relative references have no target by it.
type Base struct {
	Excess Excess // what becomes of excess ".." where the grammar leaves it open
	Lax    bool   // a reference may repeat the scheme of its base ("http:g")

	ref   Ref
	rules Grammar // one bit
	dir   uint32  // end of the path's last slash in ref, or the path's begin
}

// NewBase returns a Base for references that stand in what r refers to. The
// rules of resolution are those of the newest member of g, or of [Default] for
// the empty set. A fragment of r is of no account. If r has no scheme the error
// is an [*Error] (2002 and 3986, section 5.2: only the scheme is required).
func NewBase(r Ref, g Grammar) (Base, error) {
	if r.parts.scheme == 0 {
		return Base{}, &Error{Text: r.text, Component: Scheme, Reason: Missing, Grammar: g.newest()}
	}
	path, _ := r.Get(Path)
	dir := r.parts.path + uint32(strings.LastIndexByte(path, '/')+1)
	return Base{ref: r, rules: g.newest(), dir: dir}, nil
}

// Ref returns the reference that b was made of.
func (b Base) Ref() Ref { return b.ref }

// Resolve returns the target of r, or r itself if it refers to the current
// document and the grammar has no target for that. It is [AppendTarget] for
// those who need no speed, and returns its errors.
func (b Base) Resolve(r Ref) (Ref, error) {
	out, err := AppendTarget(nil, b, r.text, r.parts.pack())
	if err != nil || out == nil {
		return r, err
	}
	s := string(out)
	return Ref{s, split(s)}, nil
}

// SameDocument reports whether s, split as p, refers to the document whose base
// is b: by the drafts if it has nothing but perhaps a fragment (2002, section
// 4.2), by RFC 3986, section 4.4, if its target is the base, fragments apart.
func SameDocument[T Text](b Base, s T, p Parts) bool {
	q := p.open()
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

// isEmpty reports whether s has no path, query or authority, and no scheme that
// counts.
func (b *Base) isEmpty(s string, p parts) bool {
	return p.path == p.frag && !p.hasAuthority() && !b.counts(s, p)
}

// counts reports whether s has a scheme that makes it absolute. A lax reader
// ignores one that is the base's; that case is no difference, as in section 3.1.
func (b *Base) counts(s string, p parts) bool {
	if p.scheme == 0 {
		return false
	}
	lax := b.Lax && b.rules&laxAllowed != 0
	return !lax || !strings.EqualFold(s[:p.scheme], b.ref.text[:b.ref.parts.scheme])
}

// AppendTarget appends to dst the target of s, split as p, and returns the grown
// slice. It works on text: nothing is escaped, unescaped or checked, and by the
// letter of the documents a base without an authority can give a target that
// seems to have one (a:/b with ..//g gives a://g). For a
// reference to the current document nothing is appended, if the grammar of b
// gives it no target; see [SameDocument].
//
// The error is an [*Error]: [BadExcess] if ".." goes above the root and b.Excess
// is [RaiseError], [Missing] if s is relative and the grammar has no relative
// forms. dst is returned as it was then, though bytes behind its end may have
// been written. dst must not overlap s, which is neither kept nor changed; with
// room in dst for base and s together nothing is allocated.
func AppendTarget[T Text](dst []byte, b Base, s T, p Parts) (target []byte, err error) {
	target, bad := appendTarget(dst, &b, view(s), p.open())
	if bad != nil {
		bad.Text = string(s)
		return dst, bad
	}
	return target, nil
}

// appendTarget follows the pseudocode of section 5.2 (2002) or 5.2.2 (3986); the
// named sets stand where they and the older documents part. The Error lacks its
// Text.
func appendTarget(dst []byte, b *Base, s string, p parts) ([]byte, *Error) {
	base, bp, rules := b.ref.text, b.ref.parts, b.rules
	absolute := b.counts(s, p)
	if !absolute && (rules == 0 || rules&onlyAbsolute != 0) {
		return dst, &Error{Component: Scheme, Reason: Missing, Grammar: rules}
	}
	if rules&emptyIsBase == 0 && b.isEmpty(s, p) {
		return dst, nil
	}

	// The scheme, and after it the authority, are the reference's from where it
	// has one and the base's before that.
	own := p.schemeEnd() // of s, where its own part begins
	if absolute {
		dst = append(dst, s[:own]...)
	} else {
		dst = append(dst, base[:bp.scheme+1]...)
	}
	start := len(dst) + int(p.path-own) // of the path in dst
	if absolute || p.hasAuthority() {
		dst = append(dst, s[own:p.query]...)
		if rules&dotsEverywhere != 0 {
			dst, _ = squeeze(dst, start, rules)
		}
		return append(dst, s[p.query:]...), nil
	}
	dst = append(dst, base[bp.scheme+1:bp.path]...)
	start = len(dst)
	path := s[p.path:p.query]

	switch {
	case path == "" && (rules&queryKeepsPath != 0 || p.query == p.frag):
		dst = append(dst, base[bp.path:bp.query]...)
		if p.query == p.frag { // so emptyIsBase: it has the query as well
			dst = append(dst, base[bp.query:bp.frag]...)
		}
		return append(dst, s[p.query:]...), nil
	case path != "" && path[0] == '/':
		dst = append(dst, path...)
		if rules&dotsEverywhere != 0 {
			dst, _ = squeeze(dst, start, rules)
		}
		return append(dst, s[p.query:]...), nil
	}
	return b.merge(dst, start, s, p)
}

// merge appends the path of s merged with that of the base, at start of dst, and
// what follows it in s.
func (b *Base) merge(dst []byte, start int, s string, p parts) ([]byte, *Error) {
	base, bp, rules := b.ref.text, b.ref.parts, b.rules
	dst = append(dst, base[bp.path:b.dir]...)
	if bp.path == bp.query && (rules&slashAlways != 0 || rules&slashWithAuthority != 0 && bp.hasAuthority()) {
		dst = append(dst, '/')
	}
	end := p.query
	if rules&queryMerges != 0 {
		end = p.frag
	}
	dst = append(dst, s[p.path:end]...)
	dst, excess := squeeze(dst, start, rules)
	if excess > 0 && rules&excessOptional != 0 {
		switch b.Excess {
		case RaiseError:
			return dst, &Error{Offset: int(p.path), Component: Path, Reason: BadExcess, Grammar: rules}
		case Remove:
			dst = dropExcess(dst, start, excess)
		}
	}
	return append(dst, s[end:]...), nil
}
