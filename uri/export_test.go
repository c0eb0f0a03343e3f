package uri

// NormalBySyntax is the normal form of 3986, section 6.2.2, without 6.2.3.
func NormalBySyntax(s string) string {
	p := split(s)
	return string(appendForm(nil, s, &p, normalFormOf(Every).in, syntaxSteps))
}

// ByKernel sets whether the kernel is used, and returns whether it was.
func ByKernel(use bool) (was bool) {
	was, hasAVX2 = hasAVX2, use
	return was
}

// HeadMarks is headMarks.
func HeadMarks(s string, lo int) (at, path int, marks uint32) { return headMarks(s, lo) }

// PlainHead is headMarks written byte by byte.
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

// MissingRules returns what g, a set of one, lacks in rules.go.
func MissingRules(g Grammar) (missing []string) {
	need := map[string]slot{
		"inScheme": inScheme, "inUserinfo": inUserinfo, "inHost": inHost, "inPort": inPort, "inPath": inPath,
		"inOpaque": inOpaque, "inQuery": inQuery, "opaqueQuery": opaqueQuery, "inData": inData,
	}
	if g&ipLiterals != 0 {
		need["byLiteral"], need["afterColon"] = byLiteral, afterColon
	}
	if g&withoutFragment == 0 {
		need["inFragment"] = inFragment
	}
	if g&perScheme != 0 {
		need["inName"] = inName
	}
	for name, at := range need {
		any := false
		for b := range allowed[at] {
			any = any || allowed[at][b]&g != 0
		}
		if !any {
			missing = append(missing, "rows: bytes for "+name)
		}
	}
	listed := 0
	for _, n := range normalForms {
		if n.in&g != 0 {
			listed++
		}
	}
	if listed != 1 {
		missing = append(missing, "normalForms: one row")
	}
	hasForm := false
	for _, f := range productions {
		hasForm = hasForm || f.in&g != 0
	}
	if g&perScheme != 0 != hasForm {
		missing = append(missing, "productions: rows, for a grammar of perScheme and for no other")
	}
	quotes, others := false, false // bytes that Rules.NoQuotes is about, and those that no grammar has
	for at := range allowed {
		for b := range allowed[at] {
			has := allowed[at][b]&g != 0
			quotes = quotes || has && b == '"'
			others = others || has && (b < ' ' || b == '\\')
		}
	}
	if quotes == (g&noQuotes != 0) || others {
		missing = append(missing, "noQuotes: g, if rows have no double quote; no control or backslash in rows")
	}
	return missing
}
