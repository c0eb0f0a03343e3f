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
	slowAfterStringRE = regexp.MustCompile(`^[+,;)]`)
	slowDriveRE       = regexp.MustCompile(`(?i)^file:(//[^/|]*)?/[A-Z]$`) // file:///C|/x
)

// bare reads the bare reference at lo, up to the next character that ends a reference (rule 6),
// without the punctuation of the sentence (rule 7).
func (f *slow) bare(lo int, o slowOpening, kind slowRefKind) (c slowCandidate, end int, ok bool) {
	ends := func(whole bool) []slowUnit {
		units := f.run(lo, kind, whole)
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
		return slowCutAtBrackets(units, f.grouped)
	}
	units := ends(false)
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
	// trimmed returns where the first units end without the marks of the sentence.
	trimmed := func(units []slowUnit) int {
		text := slowJoined(units)
		end := lo
		if len(units) > 0 {
			end = units[len(units)-1].hi
		}
		stem := text
		if end < len(f.text) && f.text[end] == '>' { // the end of a comment (rule 20), or an arrow (31)
			if stem = strings.TrimSuffix(text, "--"); stem == text {
				stem = strings.TrimRight(text[len(text)-1:], "-=")
				stem = text[:len(text)-1] + stem
			}
		}
		next := "\n"
		if end < len(f.text) {
			next = string(f.text[end : end+1])
		}
		n := slowTrimmed(stem, f.earlier(o.prefix), next, keep)
		hi := lo
		for _, u := range units {
			if n <= 0 {
				break
			}
			n -= len(u.s)
			hi = u.hi
		}
		return hi
	}
	var readings []slowElsewhere
	// Letters of a script without spaces, and symbols in a host (rules 24, 25).
	if r, _ := utf8.DecodeRune(f.text[end:]); end < len(f.text) && r >= utf8.RuneSelf && (slowBelongs(r, false) || strings.ContainsRune(slowDots, r) && slowInHost(whole, kind)) {
		longer := ends(true)
		switch stop := longer[len(longer)-1].hi; {
		case stop <= end:
		case slowInHost(whole, kind) && strings.ContainsRune(slowDots, r):
			readings = append(readings, slowElsewhere{IDNADot, trimmed(longer)})
		case slowInHost(whole, kind):
			readings = append(readings, slowElsewhere{InHost, trimmed(longer)})
		case f.framed(o.prefix, stop):
			readings = append(readings, slowElsewhere{Script, trimmed(units)})
			units, end = longer, stop
		default:
			readings = append(readings, slowElsewhere{Script, trimmed(longer)})
		}
	}
	// A group in brackets that ends it (rule 34).
	if end < len(f.text) && f.text[end] == '[' && slowInPathRE.Match(f.text[lo:end]) {
		f.grouped = true
		if longer := ends(false); len(longer) > 0 && longer[len(longer)-1].hi > end {
			readings = append(readings, slowElsewhere{Bracket, trimmed(longer)})
		}
		f.grouped = false
	}
	hi := trimmed(units)
	stop, why := f.cutShort(units, lo, hi, o.prefix, kind)
	if why != 0 {
		readings = append(readings, slowElsewhere{why, hi})
	}
	if stop < end {
		for len(units) > 0 && units[len(units)-1].hi > stop {
			units = units[:len(units)-1]
		}
		end = stop
	}
	hi = trimmed(units)
	if before := f.text[:o.prefix]; len(before) > 0 && slowCellMark(before[len(before)-1]) && why == 0 && (end == len(f.text) || slowCellMark(f.text[end])) {
		hi = end // a cell that is one reference keeps its marks
	}
	c = slowCandidate{Form: Bare, Prefixed: o.prefixed, Inner: Span{int64(lo), int64(hi)}, Outer: Span{int64(o.prefix), int64(hi)},
		Tail: string(f.text[hi:end])}
	c.Text = f.undone(&c, units, hi)
	if !f.finish(&c, kind) {
		return c, 0, false
	}
	f.rejoined(&c)
	f.bracketed(&c, lo, end)
	f.elsewhere(&c, units, lo, hi, readings)
	return c, end, true
}

// A slowElsewhere is a reading that ends elsewhere.
type slowElsewhere struct {
	why Reading
	end int
}

// undone returns the text of the units up to hi, and sets what was undone.
func (f *slow) undone(c *slowCandidate, units []slowUnit, hi int) string {
	text := ""
	for _, u := range units {
		if u.hi > hi {
			break
		}
		if c != nil {
			c.By |= u.by
		}
		if u.by == Repaired && u.s == "/" {
			text = regexp.MustCompile(`(?i)(^|:)(file://)([A-Z][:|])$`).ReplaceAllString(text, "$1$2/$3")
		}
		text += u.s
	}
	return text
}

// run returns the characters from lo to the end of a bare reference: a character of rule 6, an
// escape, or an adjacent reference (rule 14). whole says that no letter or symbol ends it for what
// is in front of it.
func (f *slow) run(lo int, kind slowRefKind, whole bool) (units []slowUnit) {
	for i := lo; i < len(f.text); {
		r, size := utf8.DecodeRune(f.text[i:])
		u := f.unit(i)
		text := slowJoined(units)
		var before rune // the character in front of this one
		if i > 0 {
			before, _ = utf8.DecodeLastRune(f.text[:i])
		}
		host := slowInHost(text, kind)
		if e, ends, ok := f.escaped(lo, i, text, kind); ends {
			return units
		} else if ok {
			units = append(units, e)
			i = e.hi
			continue
		}
		drive := r == '|' && slowDriveRE.MatchString(slowInner(text))
		bar := r == '|' && strings.Contains(text, "?") && !strings.Contains(text, "#") && slowBarRE.Match(f.text[i:])
		asciiBefore := before < utf8.RuneSelf && slowIsAlnum(byte(before))
		switch {
		case f.white(i) > 0, unicode.IsControl(r), strings.ContainsRune("<>\"`", r), r == '|' && !drive && !bar:
			return units
		case strings.ContainsRune(slowJoiners, r):
			if !f.joins(i, r, host) {
				return units
			}
		case strings.ContainsRune(slowTildes, r):
			if before != '/' || !slowWordRE.Match(f.text[i+size:]) {
				return units
			}
			u.s, u.by = "~", Repaired
		case r == utf8.RuneError && !host && i > 0 && slowOctet(f.text[i-1:]):
		case whole && host && strings.ContainsRune(slowDots, r) && slowWordRE.MatchString(string(before)) && slowWordRE.Match(f.text[i+size:]) && !(slowAnotherRE.Match(f.text[i+size:]) && registered(slowSchemeName(f.text[i+size:]))):
		case r >= utf8.RuneSelf && !slowBelongs(r, false):
			return units
		case host && unicode.IsSymbol(r) && r >= utf8.RuneSelf, slowSpaceless(r) && asciiBefore:
			if !(host && f.goesOnInHost(i, text, kind)) && !whole { // text in a script without spaces between words
				return units
			}
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
var slowDefangAtRE = regexp.MustCompile(`(?i)^(\[(\.|dot|:|://|/|@|at)\]|\((\.|dot|:|at)\)|\{(\.|dot)\}|\\\.|\[\.[a-z0-9])`)

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
	return !host && unicode.IsSymbol(r) && !slowEnder(r) && !strings.ContainsRune(slowTildes, r)
}

func slowSpaceless(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// slowEscapeRE matches a percent-encoded byte.
var slowEscapeRE = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)

// gluedAt reports whether the reference at lo ends at s because another reference begins there
// (rule 14).
func (f *slow) gluedAt(lo, s int) bool {
	if strings.IndexByte("/?=&:%#([*_-~@!", f.text[s-1]) >= 0 || !slowIsAlpha(f.text[s]) {
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
func slowCutAtBrackets(units []slowUnit, grouped bool) []slowUnit {
	for {
		text := make([]string, len(units))
		for i, u := range units {
			if text[i] = u.s; u.mark { // with a backslash in front, a bracket has no partner
				text[i] = "\\" + u.s
			}
		}
		bad := slowBadBracket(text, grouped)
		if bad < 0 {
			return units
		}
		units = units[:bad]
	}
}

// slowGroup returns how many units the group in brackets has that begins at i in a path or fragment, if it
// belongs to it (rule 34); otherwise 0.
func slowGroup(units []string, i int, all bool) int {
	rest, front := strings.Join(units[i:], ""), strings.Join(units[:i], "")
	if m := slowAddressRE.FindString(rest); m != "" && strings.HasSuffix(front, "@") && !strings.Contains(front, "/") {
		return len(strings.Split(m, ""))
	}
	group, open := "", 0
	for i, c := range slowGroupRE.FindString(rest) {
		if c == '[' {
			open++
		}
		if c == ']' {
			if open--; open == 0 {
				group = rest[:i+1]
				break
			}
		}
	}
	if len(group) < len("[x]") || len(group) > len("[]")+255 || group[1] == '/' || group[1] == '^' || strings.Contains(group, "://") {
		return 0
	}
	after := rest[len(group):]
	if all || strings.HasSuffix(strings.Join(units[:i], ""), "_") || strings.HasSuffix(strings.Join(units[:i], ""), "-") || strings.HasSuffix(strings.Join(units[:i], ""), ".") ||
		slowGoesOn(after) || len(after) > 1 && strings.ContainsAny(after[:1], ".,;:!'") && slowIsAlnum(after[1]) {
		n := 0
		for k := len(group); k > 0; n++ {
			k -= len(units[i+n])
		}
		return n
	}
	return 0
}

var slowAddressRE = regexp.MustCompile(`^\[([0-9][0-9.]*[0-9]|[^\]\[@/?#\\\x00-\x20\x7f<>"\x80-\x{10FFFF}]*:[^\]\[@/?#\\\x00-\x20\x7f<>"\x80-\x{10FFFF}]*)\]`)

var slowLiteralRE = regexp.MustCompile(`^[^:/?#]*://([^/?#@\[\]]*@)*\[[^\[\]/?#]*\]`)

func slowBadBracket(units []string, all bool) int {
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
	at, grouped := 0, 0
	for i, u := range units {
		switch {
		case front <= at && at < literal: // brackets within an IP literal belong to it
		case (u == "?" || u == `\?`) && !fragment:
			query = true
		case u == "#" || u == `\#`:
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
		case i < grouped:
		case u == "[" && !query && !slowInHost(strings.Join(units[:i], ""), slowRefScheme) && slowGroup(units, i, all) > 0:
			grouped = i + slowGroup(units, i, all)
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
