package delimit

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The slow twin of rules 24 to 37: escapes, characters beyond ASCII, and what ends a bare reference by
// what stands in front of it.

var (
	slowGoesOnASCII   = regexp.MustCompile(`^[A-Za-z0-9/\\_%=&#?(+~@-]`)
	slowWordRE        = regexp.MustCompile(`^[\p{L}\p{N}\p{M}\x{200C}\x{200D}]`)
	slowColoursRE     = regexp.MustCompile(`^(\x1b\[[0-9;:]*[mK])+`)
	slowHexRE         = regexp.MustCompile(`^\\x([0-9A-Fa-f]{2})`)
	slowUnicodeRE     = regexp.MustCompile(`^\\u([0-9A-Fa-f]{4})`)
	slowBackslash     = regexp.MustCompile(`^\\+/`)
	slowEscapedMarkRE = regexp.MustCompile(`^\\[_*()\[\]{}~?=&#!$%+,-]`)
	slowEntityRE      = regexp.MustCompile(`^&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]+);`)
	slowTwiceRE       = regexp.MustCompile(`^&amp;(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]+);`)
	slowGroupRE       = regexp.MustCompile(`^\[[^\x00-\x20\x7f<>"` + "`" + `\\]*`)
	slowBarRE         = regexp.MustCompile(`^\|[A-Za-z0-9._+%,|-]*&[A-Za-z0-9._-]+=`)
	slowInDriveRE     = regexp.MustCompile(`(?i)^file:///?[A-Z][:|]`)
	slowParticleRE    = regexp.MustCompile(`[A-Za-z0-9](에서|으로|을|를|이|가|은|는|에|로|와|과|의|도)$`)
	slowNamedRE       = regexp.MustCompile(`,[A-Za-z0-9._-]{1,63}=`)
)

// slowEnders has the symbols that end a bare reference (rule 31).
func slowEnder(r rune) bool {
	return strings.ContainsRune("´↵⏎≪≫❝❞＜＞｜｀\uFFFC\uFFFD", r) || 0x2400 <= r && r <= 0x243F || 0x2500 <= r && r <= 0x259F
}

const (
	slowJoiners = "\u00B7\u05BE\u05F3\u05F4\u0F0B\u2010\u2011\u2013\u2019\u2027\u30FB"
	slowDots    = "\u3002\uFF0E\uFF61"
	slowTildes  = "\u203E\u301C\uFF5E"
	slowNothing = "\u00AD\u200B\u200C\u200D\u200E\u200F\u2060\uFEFF"
)

// slowEnds reports whether the character r, written as an escape, ends a bare reference.
func slowEnds(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r <= ' ' || r == 0x7f || strings.ContainsRune("<>\"`", r)
	case strings.ContainsRune(slowJoiners+slowTildes, r), slowEnder(r), r == utf8.RuneError:
		return true
	case r == 0x200C || r == 0x200D:
		return false
	}
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !unicode.IsSymbol(r)
}

// slowEntities are the entities by name that are recognised; others are text.
var slowEntities = strings.Fields(`lt gt quot nbsp ensp emsp emsp13 emsp14 numsp puncsp thinsp hairsp Tab NewLine
	ndash mdash horbar lsquo rsquo sbquo ldquo rdquo bdquo laquo raquo lsaquo rsaquo hellip mldr bull middot centerdot
	iexcl iquest sect para dagger Dagger permil prime Prime cedil acute shy zwnj zwj lrm rlm ZeroWidthSpace NoBreak lsquor ldquor
	colon sol amp apos num quest excl percnt period comma semi lowbar equals plus commat dollar lpar rpar lsqb rsqb lbrack rbrack lcub rcub ast`)

// slowEntity returns the character of an entity, without "&" and ";".
func slowEntity(name string) (r rune, ok bool) {
	if name[0] == '#' {
		digits, base := name[1:], 10
		if strings.ContainsAny(digits[:1], "xX") {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseInt(digits, base, 32)
		return rune(n), err == nil && 0 < n && n <= utf8.MaxRune
	}
	low := strings.ToLower(name)
	if slices.Contains([]string{"lt", "gt", "quot", "nbsp"}, low) {
		name = low
	}
	if !slices.Contains(slowEntities, name) {
		return 0, false
	}
	r, _ = utf8.DecodeRuneInString(html.UnescapeString("&" + name + ";"))
	return r, true
}

// escaped reads the escape at i of a bare reference, whose text so far is text. lo is where it begins.
// ends says that the reference ends there; ok is false if there is no escape.
func (f *slow) escaped(lo, i int, text string, kind slowRefKind) (u slowUnit, ends, ok bool) {
	rest := string(f.text[i:])
	host := slowInHost(text, kind)
	is := func(n int, s string) (slowUnit, bool, bool) {
		return slowUnit{lo: i, hi: i + n, s: s, escape: true}, false, true
	}
	char := func(n int, r rune) (slowUnit, bool, bool) {
		if slowEnds(r) {
			return u, true, true
		}
		return is(n, string(r))
	}
	end := func() (slowUnit, bool, bool) { return u, true, true }
	all := f.allEntities(lo)
	switch r, n := utf8.DecodeRuneInString(rest); {
	case r == 0x1B:
		m := slowColoursRE.FindString(rest)
		if after := rest[len(m):]; m != "" && (slowGoesOn(after) || len(after) > 0 && strings.ContainsAny(after[:1], ".:,") && slowWordRE.MatchString(after[1:])) {
			u, _, _ := is(len(m), "")
			u.by = Colour
			return u, false, true
		}
		return end()
	case r == 0xAD:
		if slowGoesOn(rest[n:]) {
			return is(n, "")
		}
		return end()
	case strings.HasPrefix(rest, "^G") && len(rest) > 2 && slowIsAlnum(rest[2]) && !strings.Contains(f.earlier(lo), "^["):
		return u, false, false
	case r == '^' && len(rest) > 1 && strings.ContainsAny(rest[1:2], "[G"):
		return end()
	case strings.HasPrefix(rest, "^&") && slowGoesOn(rest[2:]):
		u, _, _ := is(2, "&")
		u.by = Unescaped
		return u, false, true
	case r == '&':
		if m := slowTwiceRE.FindStringSubmatch(rest); m != nil && len(m[1]) < 20 && !all {
			if c, known := slowEntity(m[1]); known && !strings.ContainsRune(slowNothing, c) && slowEnds(c) {
				return end()
			}
			return u, false, false
		}
		m := slowEntityRE.FindStringSubmatch(rest)
		if m == nil || len(m[1]) >= 20 {
			return u, false, false
		}
		c, known := slowEntity(m[1])
		switch {
		case !known, c == '&' && !all:
			return u, false, false
		case strings.ContainsRune(slowNothing, c):
			if !slowGoesOn(rest[len(m[0]):]) {
				return end()
			}
			u, _, _ := is(len(m[0]), "")
			u.by = EntityUndone
			return u, false, true
		case slowEnds(c):
			return end()
		case all:
			u, _, _ := is(len(m[0]), string(c))
			u.by = EntityUndone
			return u, false, true
		}
		return u, false, false
	case r != '\\':
		return u, false, false
	}
	if f.extras&Defanged != 0 && slowDefangRE.MatchString(rest) {
		return u, false, false
	}
	if m := slowBackslash.FindString(rest); m != "" {
		return is(len(m), "/")
	}
	if m := slowHexRE.FindStringSubmatch(rest); m != nil {
		n, _ := strconv.ParseUint(m[1], 16, 8)
		if u, ends, ok = char(4, rune(n)); n >= utf8.RuneSelf && ok {
			u.s = string([]byte{byte(n)})
		}
		u.by = Unescaped
		return u, ends, ok
	}
	if m := slowUnicodeRE.FindStringSubmatch(rest); m != nil {
		n, _ := strconv.ParseUint(m[1], 16, 16)
		r, size := rune(n), 6
		if utf16.IsSurrogate(r) {
			low := slowUnicodeRE.FindStringSubmatch(rest[6:])
			if low == nil {
				return end()
			}
			k, _ := strconv.ParseUint(low[1], 16, 16)
			if r = utf16.DecodeRune(r, rune(k)); r == utf8.RuneError {
				return end()
			}
			size = 12
		}
		if u, ends, ok = char(size, r); r != '&' {
			u.by = Unescaped
		}
		return u, ends, ok
	}
	if slowInDriveRE.MatchString(slowInner(text)) {
		if len(rest) > 1 && strings.ContainsAny(rest[1:2], "\"'<>`") {
			return end()
		}
		u, _, _ := is(1, "/")
		u.by = Repaired
		return u, false, true
	}
	if host || !slowEscapedMarkRE.MatchString(rest) {
		return end()
	}
	mark := rest[1:2]
	u, _, _ = is(2, mark)
	u.by, u.mark = Unescaped, true
	raw := string(f.text[lo:i])
	switch mark {
	case ")", "]", "}":
		opener := map[string]string{")": "(", "]": "[", "}": "{"}[mark]
		near := raw[max(0, len(raw)-256):]
		if strings.Count(near, opener) > strings.Count(near, mark) {
			return u, false, true
		}
		return end()
	case "[":
		if !strings.Contains(text, "?") || strings.Contains(text, "#") {
			return end()
		}
	}
	if slowGoesOn(rest[2:]) {
		return u, false, true
	}
	return end()
}

const slowColons = `(&#0*58;|&#[xX]0*3[aA];|&colon;|\\u003[aA]|\\x3[aA])`

var (
	slowEntitySlashesRE = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*(&#0*58;|&#[xX]0*3[aA];|&colon;|(:|` + slowColons + `)(&#0*47;|&#[xX]0*2[fF];|&sol;){2})`)
	slowWrittenRE       = regexp.MustCompile(`^` + slowColons + `(//|\\+/\\+/|(&#0*47;|&#[xX]0*2[fF];|&sol;){2}|(\\u002[fF]|\\x2[fF]){2}|[^@]{0,64}(@|&#64;|\\u0040))?`)
)

// writtenColon finds where the scheme begins in front of a colon that is written as an escape or entity.
func (f *slow) writtenColon(i int) (lo int, ok bool) {
	m := slowWrittenRE.FindSubmatch(f.text[i:])
	run, clipped := f.schemeRun(i, f.front(i))
	if m == nil || len(m[2]) == 0 || clipped || i-run < 2 {
		return 0, false
	}
	if s := string(m[2]); strings.HasSuffix(s, "@") || strings.HasSuffix(s, "&#64;") || strings.HasSuffix(s, "\\u0040") {
		lo = i - len("mailto")
		return lo, lo >= run && strings.EqualFold(string(f.text[lo:i]), "mailto") && (lo == run || !slowIsAlnum(f.text[lo-1]))
	}
	if registered(f.text[run:i]) {
		return run, true
	}
	return f.glued(run, i)
}

// allEntities reports whether the slashes of the reference at lo are written as entities.
func (f *slow) allEntities(lo int) bool { return slowEntitySlashesRE.Match(f.text[lo:]) }

// slowGoesOn reports whether a reference goes on with s after one of its marks.
func slowGoesOn(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return slowGoesOnASCII.MatchString(s) || r >= utf8.RuneSelf && slowBelongs(r, false)
}

// goesOnInHost reports whether the symbol or letter at i belongs to the host, which has text so far
// (rule 24).
func (f *slow) goesOnInHost(i int, text string, kind slowRefKind) bool {
	host := text
	if kind == slowRefScheme {
		_, host, _ = strings.Cut(slowInner(text), "://")
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	run := strings.TrimRightFunc(host, func(r rune) bool { return r >= utf8.RuneSelf })
	if strings.Contains(host, ".") && !strings.HasSuffix(run, ".") {
		return false
	}
	for k := i; k < len(f.text); {
		r, n := utf8.DecodeRune(f.text[k:])
		switch {
		case f.white(k) > 0, strings.ContainsRune("/:?#", r), r < utf8.RuneSelf && slowEnds(r):
			return false
		case r == '.' && slowWordRE.Match(f.text[k+1:]):
			return true
		}
		k += n
	}
	return false
}

// joins reports whether the joiner r at i belongs to the reference (rule 26).
func (f *slow) joins(i int, r rune, host bool) bool {
	left, _ := utf8.DecodeLastRune(f.text[:i])
	after := f.text[i+utf8.RuneLen(r):]
	right, _ := utf8.DecodeRune(after)
	if !slowWordRE.MatchString(string(left)) || !slowWordRE.Match(after) || !slowOneWord(left, right) || slowAnotherRE.Match(after) && registered(slowSchemeName(after)) {
		return false
	}
	return !host || (r == 0xB7 || r == 0x30FB) && unicode.IsLetter(left) && unicode.IsLetter(right)
}

var slowAnotherRE = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

func slowSchemeName(b []byte) []byte {
	name, _, _ := strings.Cut(string(b), ":")
	return []byte(name)
}

// slowOneWord reports whether two letters or digits are of scripts that may stand in one word.
func slowOneWord(a, b rune) bool {
	if unicode.IsNumber(a) || unicode.IsNumber(b) || unicode.In(a, unicode.Common, unicode.Inherited) || unicode.In(b, unicode.Common, unicode.Inherited) {
		return true
	}
	for _, set := range [][]*unicode.RangeTable{{unicode.Han, unicode.Hiragana, unicode.Katakana}, {unicode.Han, unicode.Hangul}, {unicode.Han, unicode.Bopomofo}} {
		if unicode.In(a, set...) && unicode.In(b, set...) {
			return true
		}
	}
	for _, table := range unicode.Scripts {
		if unicode.Is(table, a) && unicode.Is(table, b) {
			return true
		}
	}
	return false
}

// earlier returns what is in front of i on its line, at most 1024 bytes.
func (f *slow) earlier(i int) string {
	line := string(f.text[max(0, i-1024):i])
	return line[strings.LastIndexByte(line, '\n')+1:]
}

// slowCellMark reports whether c separates the cells of a table.
func slowCellMark(c byte) bool { return 0x1C <= c && c <= 0x1F }

// framed reports whether the reference from outer to end reaches from one end of its frame to the
// other (rule 25).
func (f *slow) framed(outer, end int) bool {
	before, after := string(f.text[:outer]), string(f.text[end:])
	line, _, _ := strings.Cut(after[:min(len(after), 1024)], "\n")
	for _, frame := range [][2]string{{"(", ")"}, {"{", "}"}, {"`", "`"}, {"[", "]"}, {">", "</"}, {"（", "）"}} {
		if strings.HasSuffix(before, frame[0]) {
			return strings.HasPrefix(after, frame[1]) || frame[0] == "[" && strings.HasPrefix(after, " ") && strings.Contains(line, "]")
		}
	}
	if outer > 0 && slowCellMark(f.text[outer-1]) {
		return after != "" && slowCellMark(after[0])
	}
	if k := len("[url]"); outer > k && strings.EqualFold(before[outer-k:], "[url]") {
		return strings.HasPrefix(after, "[/")
	}
	if strings.Trim(line, " \t\r") != "" || len(line) >= 1024 {
		return false
	}
	head := f.earlier(outer)
	rest := head[slowLineMark(head):]
	if slowKeyedRE.MatchString(rest) {
		return true
	}
	if rest != "" || len(head) >= 1024 {
		return false
	}
	above := before[:outer-len(head)]
	if strings.HasSuffix(above, "\n") {
		above = above[:len(above)-1]
		above = above[max(0, len(above)-1024):]
		if slowAlone(above[strings.LastIndexByte(above, '\n')+1:]) {
			return true
		}
	}
	near := after[:min(len(after), 1024)]
	if len(line) == len(near) {
		return false
	}
	below, _, _ := strings.Cut(near[len(line)+1:], "\n")
	return slowAlone(below)
}

var (
	slowKeyedRE  = regexp.MustCompile(`^[A-Za-z0-9_.-]+:[ \t]+$`)
	slowMarkerRE = regexp.MustCompile(`^([*+-]|[0-9]+[.)])[ \t]+`)
)

// slowLineMark returns the length of the quote prefix and list marker at the beginning of a line.
func slowLineMark(line string) int {
	_, n := parseQuotePrefix([]byte(line[:min(len(line), headLen)]))
	return n + len(slowMarkerRE.FindString(line[n:]))
}

// slowAlone reports whether line holds a reference and nothing else.
func slowAlone(line string) bool {
	line = strings.TrimRight(line, "\r")
	line = strings.TrimPrefix(strings.TrimRight(line[slowLineMark(line):], " \t"), "\x00") // see isAlone
	m := slowAnotherRE.FindString(line)
	return m != "" && len(m) <= 64+3 && utf8.ValidString(line) && !strings.ContainsFunc(line, func(r rune) bool { return r < utf8.RuneSelf && slowEnds(r) })
}

// cutShort returns where the reference ends by what is in front of it or inside it (rules 33 to 35 and
// 37), and the reading that has the other text. hi is where it ends without its tail.
func (f *slow) cutShort(units []slowUnit, lo, hi, outer int, kind slowRefKind) (stop int, why Reading) {
	if stop = lo; len(units) > 0 {
		stop = units[len(units)-1].hi
	}
	raw := string(f.text[lo:stop])
	body := lo
	if kind == slowRefScheme {
		body = lo + len(slowBodyRE.FindString(raw))
	}
	if k := f.hostEnd(lo, body, hi, kind); k < hi {
		stop, why = k, Possessive
	}
	before := f.earlier(outer)
	open := 0
	for k := body; k < stop; k++ {
		if k > body && f.text[k-1] == '\\' {
			continue
		}
		if f.text[k] == '(' {
			open++
		}
		if f.text[k] == ')' {
			if open--; open < 0 {
				if k < hi && !strings.HasSuffix(string(f.text[:outer]), "(") && slowUnclosed(before) {
					stop, why = k, Bracket
				}
				break
			}
		}
	}
	for _, m := range [][2]string{{"/*", "*/"}, {"(*", "*)"}, {"{#", "#}"}} {
		k := strings.Index(string(f.text[body:min(stop+1, len(f.text))]), m[1])
		if k < 0 || body+k >= stop {
			continue
		}
		after := string(f.text[body+k+2:])
		direct := strings.HasSuffix(string(f.text[:outer]), m[0])
		earlier := regexp.MustCompile(`(^|[\s;{}])`+regexp.QuoteMeta(m[0])).MatchString(before) && !regexp.MustCompile(`^[A-Za-z0-9/\x80-\x{10FFFF}]`).MatchString(after) && (after == "" || after[0] < utf8.RuneSelf)
		if direct || earlier {
			stop = body + k
		}
	}
	rest := string(f.text[body:stop])
	for _, m := range slowNamedRE.FindAllStringIndex(rest, -1) {
		if next := []byte(rest[m[1]:]); slowAnotherRE.Match(next) && registered(slowSchemeName(next)) {
			return body + m[0], PastComma
		}
	}
	if k := strings.IndexByte(rest, ','); k >= 0 && strings.HasSuffix(string(f.text[:outer]), ",") && why == 0 {
		next := ""
		if stop < len(f.text) {
			next = string(f.text[stop : stop+1])
		}
		if slowField(rest[k+1:], next) {
			return body + k, PastComma
		}
	}
	return stop, why
}

var slowBodyRE = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*(:|` + slowColons + `))+?((//|\\+/\\+/|(&#47;|&#[xX]2[fF];|&sol;){2}|(\\u002[fF]){2}|(\\x2[fF]){2})|)`)

// slowUnclosed reports whether line has an opening parenthesis that is not closed.
func slowUnclosed(line string) bool {
	closed := 0
	for i := len(line) - 1; i >= 0; i-- {
		switch line[i] {
		case ')':
			closed++
		case '(':
			if closed--; closed < 0 {
				return true
			}
		}
	}
	return false
}

// hostEnd returns where the reference ends if its host or port has an ending of a word (rule 33).
func (f *slow) hostEnd(lo, body, end int, kind slowRefKind) int {
	if end < body || kind == slowRefScheme && !regexp.MustCompile(`(?i)^(https?|ftp)(:|`+slowColons+`)`).MatchString(slowInner(string(f.text[lo:end]))) {
		return end
	}
	host := string(f.text[body:end])
	if k := strings.IndexAny(host, "/?#\\"); k >= 0 {
		host = host[:k]
	}
	whole := len(host) == end-body
	from := strings.LastIndexByte(host, '@') + 1
	for i := from; i < len(host); i++ {
		if host[i] == '\'' {
			_, after, dot := strings.Cut(host[i:], ".")
			if !dot || !slowWordRE.MatchString(after) {
				return body + i
			}
		}
		if m := slowPortRE.FindString(host[i:]); m != "" && whole && m != ":" {
			rest := host[i+len(m):]
			if !strings.ContainsAny(rest, "0123456789-_") && strings.TrimRight(rest, ".,;:!?')]}\"") == "" && strings.ToUpper(m) != m {
				return body + i
			}
		}
	}
	return end
}

var slowPortRE = regexp.MustCompile(`^:[A-Za-z\x80-\x{10FFFF}]*`)

// elsewhere adds the readings that begin like c and end elsewhere.
func (f *slow) elsewhere(c *slowCandidate, units []slowUnit, lo, hi int, all []slowElsewhere) {
	for k, u := range units {
		if u.hi > hi {
			break
		}
		r, _ := utf8.DecodeRune(f.text[u.lo:])
		switch {
		case u.mark:
			all = append(all, slowElsewhere{Backslash, u.lo})
		case f.text[u.lo] == '[' && slowInPathRE.Match(f.text[lo:u.lo]): // the first one
			all = append(all, slowElsewhere{Bracket, u.lo})
		case u.by == Colour:
			all = append(all, slowElsewhere{AtColour, u.lo})
		case k > 0 && strings.ContainsRune(slowJoiners, r):
			all = append(all, slowElsewhere{Joiner, u.lo})
		case r == utf8.RuneError && u.hi == u.lo+1:
			if seen := slices.ContainsFunc(c.Readings, func(r slowReading) bool { return r.Reason == AtCharset }); !seen {
				c.Readings = append(c.Readings, slowReading{AtCharset, slowLatin(c.Text)})
			}
		case strings.ContainsRune(slowTildes, r):
			c.Readings = append(c.Readings, slowReading{RawTilde, string(f.text[lo:hi])})
		case u.s == ":" && u.hi < hi && f.text[u.hi] == '/':
			raw := string(f.text[lo:u.lo])
			if m := slowGluedRE.FindStringSubmatch(raw); m != nil && registered([]byte(m[1])) {
				all = append(all, slowElsewhere{Glued, u.lo - len(m[1])})
			}
		}
	}
	seen := map[Reading]bool{}
	for _, e := range all {
		if seen[e.why] || e.end == hi {
			seen[e.why] = true
			continue
		}
		seen[e.why] = true
		text := f.readTo(lo, e.end)
		if f.counts(string(f.text[lo:max(lo, e.end)]), c.Form, false) {
			c.Readings = append(c.Readings, slowReading{e.why, text})
		}
	}
}

// slowLatin returns text with its bytes that are no UTF-8 as letters of Latin 1.
func slowLatin(text string) (s string) {
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 {
			r = rune(text[0])
		}
		s, text = s+string(r), text[n:]
	}
	return s
}

// slowOctet reports whether b, from the byte in front of it on, has a letter of Latin 1 between
// letters, digits and some marks of ASCII (rule 39).
func slowOctet(b []byte) bool {
	beside := func(c byte) bool { return slowIsAlnum(c) || strings.IndexByte("/_=-", c) >= 0 }
	if len(b) < 3 || !beside(b[0]) || !beside(b[2]) || b[1] < 0xC0 || b[1] == 0xD7 || b[1] == 0xF7 {
		return false
	}
	// What follows must be text, as far as one can see.
	run := slowOctetRunRE.Find(b[2:])
	for i := 0; i < len(run); {
		r, n := utf8.DecodeRune(run[i:])
		at := 2 + i
		if r == utf8.RuneError && n == 1 && !(len(b) > at+1 && beside(b[at-1]) && beside(b[at+1]) && b[at] >= 0xC0 && b[at] != 0xD7 && b[at] != 0xF7) {
			return false
		}
		i += n
	}
	rest := b[2+len(run):]
	return len(run) > 64 || len(rest) == 0 || rest[0] >= ' ' && rest[0] != 0x7F || strings.IndexByte("\t\n\v\f\r", rest[0]) >= 0
}

var slowOctetRunRE = regexp.MustCompile("^[^\x00-\x20\x7f<>\"`]{0,65}")

var slowInPathRE = regexp.MustCompile(`^(?s)[^?#\[]*?://([^?#\[]*/[^?#\[]*|[^#\[]*#[^\[]*)$`)

var slowGluedRE = regexp.MustCompile(`[_~@!-]([A-Za-z0-9]+)$`)

// readTo returns the text of the bytes from lo to end, with escapes undone.
func (f *slow) readTo(lo, end int) string {
	var units []slowUnit
	for i := lo; i < end; {
		text := slowJoined(units)
		u := f.unit(i)
		if e, _, ok := f.escaped(lo, i, text, slowRefScheme); ok && e.hi > i {
			u = e
		} else if r, n := utf8.DecodeRune(f.text[i:]); strings.ContainsRune(slowTildes, r) && i > lo && f.text[i-1] == '/' {
			u = slowUnit{lo: i, hi: i + n, s: "~"}
		}
		units = append(units, u)
		i = u.hi
	}
	return f.undone(nil, units, end)
}

// TestEntities compares the entities with those of HTML.
func TestEntities(t *testing.T) {
	for name, r := range entities {
		if want := html.UnescapeString("&" + name + ";"); want != string(r) {
			t.Errorf("&%s; is %q, want %q", name, r, want)
		}
	}
}
