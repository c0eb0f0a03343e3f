package uri

// AppendData appends data to dst, escaped for component c, and returns the extended slice.
// It escapes '%', the bytes that the newest member of g does not allow in c, and those that this
// grammar reserves in c (1994, BNF, "reserved"; 1997, section 2.2; 2002, sections 3.2 to 3.4; RFC
// 3986, section 2.2). So in a query "$" and "," remain by 1997, "&" by 1994, and "!" by 2002, which
// do not reserve them. By RFC 3986 only unreserved characters remain, except in a fragment. What
// data is depends on c:
//
//   - Userinfo: one user or one password (2002, section 3.2.1).
//   - Host: a name (3.2.2). Do not escape an IP literal.
//   - Path: one segment (3.3). Slashes are escaped, and colons, because in a first
//     segment they would end a scheme. "." and ".." cannot be data of a path, because
//     they mean the same when escaped; see [Builder.Join].
//   - Query: one name, value or word (3.4).
//   - Fragment: all of it (4.1).
//
// Data are octets, in every grammar: the text "é" becomes "%C3%A9". For 1993, whose escapes
// are codes of ISO Latin 1, give a text as its ISO Latin 1 octets; [AppendEscaped] converts.
//
// Scheme, authority and port have no escapes; for these, data is appended unchanged.
// [AppendUnescaped] is the inverse. dst must not overlap data. AppendData does not
// allocate if dst has room for three times len(data).
func AppendData[T Text](dst []byte, c Component, data T, g Grammar) []byte {
	s := view(data)
	if c > Fragment {
		return append(dst, s...)
	}
	g = g.Newest()
	escape := &mustEscape[c]
	for i := range len(s) {
		if b := s[i]; escape[b]&g != 0 {
			dst = appendEscape(dst, b)
		} else {
			dst = append(dst, b)
		}
	}
	return dst
}

// A Builder makes a reference from components. The zero Builder is ready to use and
// makes the empty reference. It may be changed and used again after Ref. A copy is
// independent of the original.
type Builder struct {
	Grammar Grammar // some member must accept the reference; the empty set means [Default]

	text [Fragment + 1]string
	has  [Fragment + 1]bool
	dots bool // the path has "." or ".." as data, which cannot be written
}

// Builder returns a Builder with the components of r, which share the text of r. If no component is
// changed, the Builder makes r again. The Grammar of the Builder is [Default]; set it if another
// grammar has accepted r.
func (r Ref) Builder() Builder {
	var b Builder
	for c := Scheme; c <= Fragment; c++ {
		if text, ok := r.Get(c); ok && c != Authority {
			b.Set(c, text)
		}
	}
	return b
}

// Set sets component c to text and returns b. The text is escaped already, and may
// be empty. Setting the authority sets userinfo, host and port. Setting one of these
// three defines an authority. Another value of c is ignored.
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
	if int(p.path) != len(s) { // text has a byte that ends an authority: Ref reports it
		return b.Set(Host, text)
	}
	for c := Userinfo; c <= Port; c++ {
		if lo, hi, ok := p.Span(c); ok {
			b.Set(c, s[lo:hi])
		}
	}
	return b
}

// SetData sets component c to data, escaped by [AppendData] for b.Grammar, and
// returns b. Data of a path becomes its only segment; see [Builder.Join] for several segments, and
// for "." and "..", which cannot be data of a path.
func (b *Builder) SetData(c Component, data string) *Builder {
	b.Set(c, string(AppendData(nil, c, data, b.Grammar)))
	b.dots = b.dots || c == Path && isDotSegment(data)
	return b
}

// Join appends segments to the path, each after a slash and escaped by
// [AppendData], and returns b. It adds no slash in front of the first segment if the
// path ends in one. An empty segment counts as a segment. The segments "." and ".."
// have a meaning in resolution (RFC 3986, section 3.3), even if they are escaped,
// and cannot be data: with one of them, Ref returns an error.
func (b *Builder) Join(segments ...string) *Builder {
	path := []byte(b.text[Path])
	unwritable := b.dots
	for i, s := range segments {
		if i > 0 || len(path) == 0 || path[len(path)-1] != '/' {
			path = append(path, '/')
		}
		path = AppendData(path, Path, s, b.Grammar)
		unwritable = unwritable || isDotSegment(s)
	}
	b.Set(Path, string(path))
	b.dots = unwritable
	return b
}

// Unset makes component c undefined and returns b. The path becomes empty instead.
// Unsetting the authority or the host unsets userinfo, host and port.
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

// Ref returns the reference of the components, in a new string. The error is an
// [*Error]. Its Reason is "misread part" if parsing the text would find other components
// (a path that begins with "//" without an authority, a host with an '@'), or if "."
// or ".." is data of the path. Otherwise it is the error of [Parse] for b.Grammar.
func (b *Builder) Ref() (Ref, error) {
	var text []byte
	var at [Fragment + 1]int // where each component begins
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
	// Parsing must find each component where it was written. Together the components are the whole
	// text, so there can be no other component.
	p := split(s)
	if b.dots {
		return Ref{}, &Error{Text: s, Offset: at[Path], Component: Path, Reason: misread.String(), Grammar: g}
	}
	for c := Scheme; c <= Fragment; c++ {
		if lo, hi, ok := p.Span(c); b.has[c] && (!ok || s[lo:hi] != b.text[c]) {
			return Ref{}, &Error{Text: s, Offset: at[c], Component: c, Reason: misread.String(), Grammar: g}
		}
	}
	return Parse(s, g)
}
