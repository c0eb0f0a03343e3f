package delimit

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// slowPairs has the quotation marks of rule 4 that are not wrappers, with the marks that may close
// each. Any of them ends a bare reference (rule 6).
var slowPairs = map[string]string{
	"“": "”", "„": "“”", "‟": "”", "«": "»", "»": "«»", "‹": "›", "›": "‹", "‘": "’", "「": "」", "『": "』", "”": "”", "’": "’",
}

const slowQuotes = "“”„‟«»‹›‘’「」『』"

// paired reads a reference directly between a pair of typographic quotation marks or apostrophes on
// one line. The reference is all of the text between them (rules 4, 7).
func (f *slow) paired(lo int, o slowOpening, kind slowRefKind) (c slowCandidate, end int, ok bool) {
	start := lo
	if o.prefixed {
		start = o.prefix
		if start+4 != lo {
			return c, 0, false // not directly around it
		}
	}
	open, _ := utf8.DecodeLastRune(f.text[:start])
	closers := slowPairs[string(open)]
	if open == '\'' {
		closers = "'"
	}
	if closers == "" {
		return c, 0, false
	}
	var units []slowUnit
	for i := lo; i < len(f.text); {
		r, n := utf8.DecodeRune(f.text[i:])
		u := f.unit(i)
		switch {
		case f.white(i) > 0, unicode.IsControl(r), strings.ContainsRune(`<>"\`, r), i-lo > f.maxLen:
			return c, 0, false
		case strings.ContainsRune(closers, r) && (r != '\'' || !f.wordAt(i+n)):
			c = slowCandidate{Text: slowJoined(units), Form: Bare, Prefixed: o.prefixed,
				Inner: Span{int64(lo), int64(i)}, Outer: Span{int64(start), int64(i)}}
			return c, i + n, f.finish(&c, kind)
		}
		units = append(units, u)
		i = u.hi
	}
	return c, 0, false
}

// wordAt reports whether a letter or digit stands at i.
func (f *slow) wordAt(i int) bool {
	r, _ := utf8.DecodeRune(f.text[i:])
	return i < len(f.text) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

var (
	slowEndEntityRE   = regexp.MustCompile(`(?i)^&(lt|gt|quot|nbsp|#0*(60|62|34|160)|#[xX]0*(3[cCeE]|22|[aA]0));`)
	slowAfterStringRE = regexp.MustCompile(`^[+,;)]`)
	slowDriveRE       = regexp.MustCompile(`(?i)^file:(//[^/|]*)?/[A-Z]$`) // file:///C|/x
)

// bare reads the bare reference at lo, up to the next character that ends a reference (rule 6),
// without the punctuation of the sentence (rule 7).
func (f *slow) bare(lo int, o slowOpening, kind slowRefKind) (c slowCandidate, end int, ok bool) {
	units := f.run(lo, kind)
	if kind == slowRefAbbreviated { // a comma in the host separates two references
		for i, u := range units {
			if strings.ContainsAny(u.s, "/?#") {
				break
			}
			if u.s == "," || u.s == ";" {
				units = units[:i]
				break
			}
		}
	}
	units = slowCutAtPartner(units, f.text[:o.prefix])
	units = slowCutAtBrackets(units)
	if len(units) == 0 {
		return c, 0, false
	}
	end = units[len(units)-1].hi
	if end-lo > f.maxLen {
		f.skipped++
		f.floor = end
		return c, end, false
	}
	whole := slowJoined(units)
	if f.extras&Defanged == 0 && slowInHost(whole, kind) && slowDefangAtRE.Match(f.text[end:]) {
		return c, 0, false // half the host of a defanged reference is no reference
	}
	keep := strings.IndexByte(whole, ':') + 1
	if kind != slowRefScheme {
		keep = 0
	}
	stem := whole
	if end < len(f.text) && f.text[end] == '>' { // the end of a comment (rule 20)
		stem = strings.TrimSuffix(whole, "--")
	}
	n := slowTrimmed(stem, string(f.text[:o.prefix]), keep)
	hi := lo
	for _, u := range units {
		if n <= 0 {
			break
		}
		n -= len(u.s)
		hi = u.hi
	}
	c = slowCandidate{Form: Bare, Prefixed: o.prefixed, Inner: Span{int64(lo), int64(hi)}, Outer: Span{int64(o.prefix), int64(hi)},
		Tail: string(f.text[hi:end])}
	c.Text = whole[:slowTrimmed(stem, string(f.text[:o.prefix]), keep)]
	if !f.finish(&c, kind) {
		return c, 0, false
	}
	f.rejoined(&c)
	f.bracketed(&c, lo, end)
	return c, end, true
}

// run returns the characters from lo to the end of a bare reference: a character of rule 6, an
// entity of rule 11, or an adjacent reference (rule 14).
func (f *slow) run(lo int, kind slowRefKind) (units []slowUnit) {
	for i := lo; i < len(f.text); {
		r, _ := utf8.DecodeRune(f.text[i:])
		u := f.unit(i)
		text := slowJoined(units)
		var before rune // the ASCII character in front of this one
		if len(text) > 0 {
			before = rune(text[len(text)-1])
		}
		drive := r == '|' && slowDriveRE.MatchString(slowInner(text))
		switch {
		case f.white(i) > 0, unicode.IsControl(r), strings.ContainsRune("<>\"`", r), r == '|' && !drive:
			return units
		case r == '\\' && u.hi-u.lo == 1: // not one of the escapes of rule 12
			return units
		case r >= utf8.RuneSelf && !slowBelongs(r, slowInHost(text, kind)):
			return units
		case slowSpaceless(r) && before < utf8.RuneSelf && slowIsAlnum(byte(before)):
			return units // text in a script without spaces between words
		case u.s == "&" && slowEndEntityRE.MatchString("&"+string(f.text[u.hi:min(len(f.text), u.hi+16)])):
			return units
		case u.s == "$" && strings.HasPrefix(string(f.text[u.hi:]), "{"), u.s == "'" && slowAfterStringRE.Match(f.text[u.hi:]):
			return units // program source (rule 20)
		case strings.Contains(text, ":") && f.gluedAt(lo, i):
			return units
		}
		units = append(units, u)
		i = u.hi
	}
	return units
}

// slowDefangAtRE matches the replacements of characters in defanged references.
var slowDefangAtRE = regexp.MustCompile(`(?i)^(\[(\.|dot|:|://|/|@|at)\]|\((\.|dot|:|at)\)|\{(\.|dot)\}|\\\.)`)

// slowInHost reports whether the character after text is in the host.
func slowInHost(text string, kind slowRefKind) bool {
	if kind == slowRefScheme {
		_, rest, _ := strings.Cut(slowInner(text), ":")
		rest, ok := strings.CutPrefix(rest, "//")
		if !ok {
			return false
		}
		text = rest
	}
	return !strings.ContainsAny(text, "/?#")
}

// slowBelongs reports whether r, which is not ASCII, can be part of a bare reference (rule 6).
func slowBelongs(r rune, host bool) bool {
	if r == utf8.RuneError || strings.ContainsRune(slowQuotes, r) {
		return false
	}
	if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
		return true
	}
	if r == 0x200C || r == 0x200D { // the joiners are part of words
		return true
	}
	return !host && unicode.IsSymbol(r)
}

func slowSpaceless(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// slowEscapeRE matches a percent-encoded byte.
var slowEscapeRE = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)

// gluedAt reports whether the reference at lo ends at s because another reference begins there
// (rule 14).
func (f *slow) gluedAt(lo, s int) bool {
	if strings.IndexByte("/?=&:%#([*", f.text[s-1]) >= 0 || !slowIsAlpha(f.text[s]) {
		return false
	}
	if strings.HasSuffix(string(f.text[:s]), `\u0026`) { // "&amp;" is read as "&"
		return false
	}
	// No scheme begins in a percent-encoded byte, or directly after one.
	for back := 1; back <= 3 && s-back >= 0; back++ {
		if slowEscapeRE.Match(f.text[s-back:]) {
			return false
		}
	}
	end := s
	for end < len(f.text) && slowIsSchemeByte(f.text[end]) {
		end++
	}
	if !slowSlashesRE.Match(f.text[end:]) || end-s < 2 {
		return false
	}
	front := lo
	if i := bytes.LastIndex(f.text[lo:end], []byte(`\u0026`)); i >= 0 {
		front += i + len(`\u0026`)
	}
	run, _ := f.schemeRun(end, front)
	for at := run; at < end-1; at++ {
		if registered(f.text[at:end]) && (at == run || strings.IndexByte("+-.", f.text[at-1]) >= 0) {
			return at == s
		}
	}
	at, ok := f.glued(run, end)
	return ok && at == s
}

// slowCutAtPartner ends a reference that follows an opening bracket directly at
// the bracket that closes it (rule 7).
func slowCutAtPartner(units []slowUnit, before []byte) []slowUnit {
	if len(before) == 0 {
		return units
	}
	open := string(before[len(before)-1:])
	shut := map[string]string{"(": ")", "[": "]", "{": "}"}[open]
	depth := 1
	for i, u := range units {
		switch {
		case shut == "":
		case u.s == open:
			depth++
		case u.s == shut:
			if depth--; depth == 0 {
				return units[:i]
			}
		}
	}
	return units
}

// slowCutAtBrackets ends a reference at the first bracket that cannot belong to it (rule 6), and
// repeats that until there is none. { } have to balance. [ ] also have to balance, and may only be
// in a query or around an IP literal.
func slowCutAtBrackets(units []slowUnit) []slowUnit {
	for {
		text := make([]string, len(units))
		for i, u := range units {
			text[i] = u.s
		}
		bad := slowBadBracket(text)
		if bad < 0 {
			return units
		}
		units = units[:bad]
	}
}

var slowLiteralRE = regexp.MustCompile(`^[^:/?#]*://([^/?#@\[\]]*@)*\[[^\[\]/?#]*\]`)

func slowBadBracket(units []string) int {
	text := strings.Join(units, "")
	literal, front := 0, 0
	if n := len(slowLiteralRE.FindString(slowInner(text))); n > 0 {
		literal = n + len(text) - len(slowInner(text))
	}
	if literal > 0 {
		front = strings.IndexByte(text, '[')
	}
	var open []int
	var openSquare []int
	query, fragment := false, false
	at := 0
	for i, u := range units {
		switch {
		case front <= at && at < literal: // brackets within an IP literal belong to it
		case u == "?" && !fragment:
			query = true
		case u == "#":
			query, fragment = false, true
			if len(openSquare) > 0 { // the opening bracket is not in the query
				return openSquare[0]
			}
		case u == "{":
			open = append(open, i)
		case u == "}":
			if len(open) == 0 {
				return i
			}
			open = open[:len(open)-1]
		case u == "[" && query:
			openSquare = append(openSquare, i)
		case u == "]" && query && len(openSquare) > 0:
			openSquare = openSquare[:len(openSquare)-1]
		case u == "[" || u == "]":
			return i
		}
		at += len(u)
	}
	if len(open) > 0 || len(openSquare) > 0 {
		first := len(units)
		for _, o := range [][]int{open, openSquare} {
			if len(o) > 0 {
				first = min(first, o[0])
			}
		}
		return first
	}
	return -1
}
