package uri

import "strings"

// AppendData appends data, escaped so that it is read as data of c and nothing
// else, and returns the grown slice. Bytes that the newest member of g has not in
// c are escaped, '%' is, and so are the bytes that c reserves for delimiters:
//
//   - userinfo: one user or one password (2002, section 3.2.1)
//   - host: a name; an IP literal needs no escaping and is broken by it (3.2.2)
//   - path: one segment, its slashes escaped, and colons, which in a first segment
//     would end a scheme (3.3); "." and ".." are steps however they are written, and
//     no data: see [Builder.Join]
//   - query: one name, value or word (3.4)
//   - fragment: all of it (4.1)
//
// Nothing can be escaped in scheme, authority and port: data is appended as it is.
// [AppendUnescaped] is the inverse. dst must not overlap data, which is neither
// kept nor changed; with room in dst for three times data nothing is allocated.
func AppendData[T Text](dst []byte, c Component, data T, g Grammar) []byte {
	s := view(data)
	if c > Fragment || dataPlace[c] == inScheme {
		return append(dst, s...)
	}
	g = g.newest()
	at, not := &allowed[dataPlace[c]], reserved[c]
	for i := range len(s) {
		if b := s[i]; b == '%' || at[b]&g == 0 || strings.IndexByte(not, b) >= 0 { // at most ten
			dst = appendEscape(dst, b)
		} else {
			dst = append(dst, b)
		}
	}
	return dst
}

// A Builder puts a reference together from components. The zero Builder has an
// empty path and nothing else, and so makes the empty reference. It may go on
// being used after a Ref was made.
type Builder struct {
	Grammar Grammar // that has to take the reference; none means [Default]

	text [Fragment + 1]string
	has  [Fragment + 1]bool
	dots bool // data of the path is "." or "..", which nothing can escape
}

// Builder returns a Builder that holds the components of r, so that its Ref is r
// until something is set.
func (r Ref) Builder() Builder {
	var b Builder
	for c := Scheme; c <= Fragment; c++ {
		if text, ok := r.Get(c); ok && c != Authority {
			b.Set(c, text)
		}
	}
	return b
}

// Set defines c as text, which has its escapes already and may be empty, and
// returns b. Setting the authority sets userinfo, host and port; setting one of
// these makes an authority.
func (b *Builder) Set(c Component, text string) *Builder {
	switch {
	case c == 0 || c > Fragment:
		return b
	case c != Authority:
		b.text[c], b.has[c] = text, true
		b.dots = b.dots && c != Path
		return b
	}
	b.Unset(Authority)
	s := "//" + text
	p := split(s)
	if int(p.path) != len(s) { // it ends too soon, which Ref will find
		return b.Set(Host, text)
	}
	for c := Userinfo; c <= Port; c++ {
		if lo, hi, ok := p.Span(c); ok {
			b.Set(c, s[lo:hi])
		}
	}
	return b
}

// SetData defines c as data, escaped by [AppendData], and returns b. Data of a
// path becomes its one and only segment; see [Builder.Join] for more, and for what
// a path cannot hold.
func (b *Builder) SetData(c Component, data string) *Builder {
	b.Set(c, string(AppendData(nil, c, data, b.Grammar)))
	b.dots = b.dots || c == Path && isDots(data)
	return b
}

// Join adds segments to the path, each behind a slash and with its data escaped,
// and returns b. The first needs no slash where one ends the path; an empty
// segment is one all the same. The segments "." and ".." mean steps to whoever
// resolves or normalizes the reference, escaped or not, and can be no data: with
// one of them, Ref returns an error.
func (b *Builder) Join(segments ...string) *Builder {
	path := []byte(b.text[Path])
	dots := b.dots
	for i, s := range segments {
		if i > 0 || len(path) == 0 || path[len(path)-1] != '/' {
			path = append(path, '/')
		}
		path = AppendData(path, Path, s, b.Grammar)
		dots = dots || isDots(s)
	}
	b.Set(Path, string(path))
	b.dots = dots
	return b
}

// isDots reports whether a segment of a path is a step and no name.
func isDots(segment string) bool { return segment == "." || segment == ".." }

// Unset makes c undefined, the path empty, and returns b. Without an authority
// there is no userinfo, host or port; without a host there is none of these.
func (b *Builder) Unset(c Component) *Builder {
	switch c {
	case Authority, Host:
		for c := Userinfo; c <= Port; c++ {
			b.text[c], b.has[c] = "", false
		}
	default:
		if c <= Fragment {
			b.text[c], b.has[c] = "", false
			b.dots = b.dots && c != Path
		}
	}
	return b
}

// Ref puts the components together. The error is an [*Error]: [Misread] if the
// text would be split in another way (a path that begins with "//" and has no
// authority before it, a host with an '@') or data of the path is a step, or that
// of [Parse] if Grammar does not take it.
func (b *Builder) Ref() (Ref, error) {
	var text []byte
	var at [Fragment + 1]int // where each begins
	put := func(c Component, before, after string) {
		if !b.has[c] {
			return
		}
		text = append(text, before...)
		at[c] = len(text)
		text = append(text, b.text[c]...)
		text = append(text, after...)
	}
	put(Scheme, "", ":")
	if b.has[Userinfo] || b.has[Host] || b.has[Port] {
		text = append(text, "//"...)
		put(Userinfo, "", "@")
		put(Host, "", "")
		put(Port, ":", "")
	}
	put(Path, "", "")
	put(Query, "?", "")
	put(Fragment, "#", "")
	s := string(text)
	g := b.Grammar
	if g&Every == 0 {
		g = Default
	}
	// What was put in must be what is found. If all of that is, there is nothing
	// left that could be something else.
	p := split(s)
	if b.dots {
		return Ref{}, &Error{Text: s, Offset: at[Path], Component: Path, Reason: Misread, Grammar: g}
	}
	for c := Scheme; c <= Fragment; c++ {
		if lo, hi, ok := p.Span(c); b.has[c] && (!ok || s[lo:hi] != b.text[c]) {
			return Ref{}, &Error{Text: s, Offset: at[c], Component: c, Reason: Misread, Grammar: g}
		}
	}
	return Parse(s, g)
}
