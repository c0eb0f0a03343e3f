package uri

// NormalBySyntax is the normal form of 3986, section 6.2.2, without 6.2.3.
func NormalBySyntax(s string) string {
	p := split(s)
	return string(appendForm(nil, s, &p, normOf(Every).in, syntaxSteps))
}

// ByKernel says whether the kernel is used, and sets it. It reports what was.
func ByKernel(use bool) (was bool) {
	was, hasAVX2 = hasAVX2, use
	return was
}

// HeadMarks is headMarks.
func HeadMarks(s string, lo int) (at, path int, marks uint32) { return headMarks(s, lo) }

// PlainHead is what headMarks says, byte by byte.
func PlainHead(s string, lo int) (at, path int, marks uint32) {
	marks = plainHTTP
	for at = lo; at < min(len(s), headLen); at++ {
		c := s[at]
		if !isAlpha(c) && !isDigit(c) && c != '-' && c != '.' && c != '/' && c != '_' {
			break
		}
		if c == '/' && path == 0 {
			path = at
		} else if c == '/' && s[at-1] == '/' {
			marks |= slashPair
		}
	}
	return at, path, marks
}
