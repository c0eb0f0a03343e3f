package uri

// NormalBySyntax is the normal form of 3986, section 6.2.2, without 6.2.3.
func NormalBySyntax(s string) string {
	p := split(s)
	return string(appendForm(nil, s, &p, normOf(Every).in, syntaxSteps))
}
