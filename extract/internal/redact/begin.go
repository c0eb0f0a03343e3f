package redact

// A reference begins at a scheme, or at a host for which no scheme is needed.

// schemes are those after which browsers expect an authority even without slashes, and
// their defanged spellings (hxxp).
var schemes = [...]string{
	"http", "https", "ftp", "ws", "wss",
	"hxxp", "hxxps", "hxtp", "hxtps", "htxp", "htxps", "hxp", "hxps", "fxp", "fxps", "fxtp",
}

// lenient reports whether view ends with one of schemes, as a whole word.
func lenient(view []glyph) bool {
	for _, name := range schemes {
		n := len(view) - len(name)
		if n >= 0 && spells(view[n:], name) && (n == 0 || !endsScheme(view[n-1].char) && view[n-1].char != '-' && view[n-1].char != '.' && view[n-1].char != '+') {
			return true
		}
	}
	return false
}

// endsScheme reports whether c may be the last character of a scheme, or of an escape in
// it.
func endsScheme(c byte) bool {
	return isWord(c) || c == '*'
}

// labels are first labels of hosts that mark a reference without a scheme. A digit may
// follow.
var labels = [...]string{"www", "web", "ftp", "gopher"}

// abbreviated reports whether a reference without a scheme, such as www.example.org, begins at
// r.glyphs[i]. Such a reference cannot begin within another one.
func (r *glyphView) abbreviated(i int) bool {
	view := r.glyphs
	if i > 0 && (r.single || endsHost(view[i-1].char)) {
		return false
	}
	for _, name := range labels {
		if !begins(view[i:], name) {
			continue
		}
		n := i + len(name)
		if n < len(view) && '0' <= view[n].char && view[n].char <= '9' {
			n++
		}
		return n < len(view) && view[n].char == '.'
	}
	return false
}

// labelEnds reports whether text may end in one of labels.
func labelEnds(text []byte) bool {
	n := len(text)
	if n > 0 && '0' <= text[n-1] && text[n-1] <= '9' {
		n--
	}
	if n == 0 {
		return false
	}
	switch lower(text[n-1]) {
	case 'w', 'b', 'p', 'r':
		return true
	}
	return false
}

// endsHost reports whether c cannot be directly in front of a host name. After '@', the
// host belongs to what is in front of the '@'.
func endsHost(c byte) bool {
	switch c {
	case '-', '+', '.', '_', '@', '%':
		return true
	}
	return isWord(c)
}

// inPath reports whether slashes after c continue a path.
func inPath(c byte) bool {
	switch c {
	case '-', '.', '_', '~':
		return true
	}
	return isWord(c) || c >= notASCII
}
