package delimit

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A slowUnit is one character of a reference: the bytes [lo,hi) of the text, read as s. For an
// escape of rule 12, s is the decoded character; for a gap inside a wrapper it is empty.
type slowUnit struct {
	lo, hi int
	s      string
	escape bool // s is what an escape stands for
	mark   bool // it is a mark with a backslash in front of it
	by     Extra
	gap    bool // removed white space
	breaks int  // line breaks in the gap
	hyphen bool // the gap follows a "-" that may be from hyphenation
}

// unit reads the character at i (rule 12: "\/" is "/", "\u0026" is "&").
func (f *slow) unit(i int) slowUnit {
	rest := f.text[i:]
	switch {
	case f.extras&Defanged != 0 && slowDefangRE.Match(rest):
		n := len(slowDefangRE.Find(rest))
		return slowUnit{lo: i, hi: i + n, s: string(rest[:n])}
	case bytes.HasPrefix(rest, []byte(`\/`)):
		return slowUnit{lo: i, hi: i + 2, s: "/"}
	case bytes.HasPrefix(rest, []byte(`\u0026`)):
		return slowUnit{lo: i, hi: i + 6, s: "&"}
	}
	_, n := utf8.DecodeRune(rest)
	return slowUnit{lo: i, hi: i + n, s: string(rest[:n])}
}

func slowJoined(units []slowUnit) string {
	var b strings.Builder
	for _, u := range units {
		b.WriteString(u.s)
	}
	return b.String()
}

// white returns the length of the white space character at i, or 0.
func (f *slow) white(i int) int {
	if i >= len(f.text) {
		return 0
	}
	r, n := utf8.DecodeRune(f.text[i:])
	switch {
	case r == ' ', '\t' <= r && r <= '\r', r == 0x85, r == 0xA0, r == 0x1680, 0x2000 <= r && r <= 0x200B,
		r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return n
	}
	return 0
}

// lineBreak returns the length of the line break at i, or 0.
func (f *slow) lineBreak(i int) int {
	switch {
	case i >= len(f.text):
		return 0
	case f.text[i] == '\n':
		return 1
	case f.text[i] == '\r' && i+1 < len(f.text) && f.text[i+1] == '\n':
		return 2
	case f.text[i] == '\r':
		return 1
	}
	return 0
}

// A slowOpening is the bracket, quotation mark or prefix in front of a reference.
type slowOpening struct {
	form     Form // Angle, Quote, or Bare if there is neither
	at       int  // of the bracket or quotation mark
	prefixed bool
	prefix   int // where the prefix begins; without a prefix, where the reference begins
}

var slowPrefixRE = regexp.MustCompile(`(?i)^UR[LI]:`)

// opener finds the bracket, quotation mark or prefix in front of the reference at lo (rules 3, 4,
// 5). It tries every bracket and quotation mark near lo and reads forward from it.
func (f *slow) opener(lo int) slowOpening {
	o := slowOpening{form: Bare, prefix: lo}
	for j := lo - 1; j >= max(f.floor, lo-2*slowReach-4); j-- {
		c := f.text[j]
		if c != '<' && c != '"' {
			continue
		}
		start, first, ok := f.leading(j, j+1)
		if !ok {
			continue
		}
		if start < lo && slowPrefixRE.Match(f.text[start:]) {
			o.prefixed, o.prefix = true, start
			if start, _, ok = f.leading(j, start+4); !ok {
				continue
			}
		}
		if start != lo {
			o.prefixed, o.prefix = false, lo
			continue
		}
		if c == '"' && first > 0 && !f.opens(j) {
			break // a closing quotation mark and a blank
		}
		o.at = j
		if o.form = Quote; c == '<' {
			o.form = Angle
		}
		return o
	}
	return f.bareOpener(lo)
}

// bareOpener finds a prefix without a wrapper (rule 5): as a whole word, with or
// without white space after it, on the same line.
func (f *slow) bareOpener(lo int) slowOpening {
	o := slowOpening{form: Bare, prefix: lo}
	i := lo
	for i > f.floor {
		r, n := utf8.DecodeLastRune(f.text[f.floor:i])
		if f.white(i-n) != n || r == '\n' || r == '\r' || lo-(i-n) > slowReach {
			break
		}
		i -= n
	}
	if i > f.floor && f.isPrefix(i-1) {
		o.prefixed, o.prefix = true, i-4
	}
	return o
}

// isPrefix reports whether the colon at i ends a prefix, which must be a separate word.
func (f *slow) isPrefix(i int) bool {
	if i-3 < f.floor || !slowPrefixRE.Match(f.text[i-3:i+1]) {
		return false
	}
	front := f.front(i - 3)
	r, _ := utf8.DecodeLastRune(f.text[front : i-3])
	return i-3 == front || !slowIsWord(r) && !strings.ContainsRune("_+-.\u200c\u200d", r)
}

// opens reports whether the quotation mark at j follows white space, an opening bracket or the
// beginning of the text.
func (f *slow) opens(j int) bool {
	if j == 0 {
		return true
	}
	r, n := utf8.DecodeLastRune(f.text[:j])
	return f.white(j-n) == n || unicode.Is(unicode.Ps, r) || r == '<'
}

// slowEscapedRE matches a reference whose first "/" is escaped.
var slowEscapedRE = regexp.MustCompile(`^[A-Za-z0-9+.-]+:/?\\/`)

// wrapped reads the reference at lo in the wrapper o (rules 3, 4, 8, 9, 10).
func (f *slow) wrapped(lo int, o slowOpening, kind slowRefKind) (c slowCandidate, end int, ok bool) {
	closer := byte('>')
	if o.form == Quote {
		closer = '"'
	}
	labelled, spaced, kept := false, false, false
	linked := o.form == Angle && bytes.HasSuffix(f.text[:o.at], []byte("]("))
	var units []slowUnit
	var by Extra
	gaps, breaks := 0, 0
	i := lo
	for {
		if i >= len(f.text) || i-lo > f.maxLen {
			return c, 0, false // rule 13
		}
		b := f.text[i]
		if b == closer {
			break
		}
		if b == '|' && o.form == Angle && !kept && !slowDriveRE.MatchString(string(f.text[lo:i])) {
			if bytes.Contains(f.text[lo:i], []byte("?")) && slowFieldRE.Match(f.text[i:]) && !slowSchemeAheadRE.Match(f.text[i:]) {
				kept = true
				if len(units) > 0 && units[len(units)-1].gap {
					return c, 0, false
				}
				continue
			}
			if i, labelled = f.pastLabel(o.at, i), true; i < 0 {
				return c, 0, false
			}
			break
		}
		// A line break may follow one backslash (rule 8) or a soft hyphen (rule 9), which is
		// removed with it.
		from := i
		if b == '\\' && f.lineBreak(i+1) > 0 {
			i++
		} else if bytes.HasPrefix(f.text[i:], []byte("\u00AD")) {
			if g, ok := f.gap(o.at, i+2); ok && g.breaks > 0 {
				i += 2
			}
		}
		if f.white(i) > 0 {
			g, ok := f.gap(o.at, i)
			if !ok {
				return c, 0, false
			}
			g.lo = from
			i = g.hi
			if n := len(units); n > 0 && units[n-1].s == "-" && g.breaks > 0 {
				// A hyphen at the end of the reference, in front of the closing bracket, is no
				// hyphenation.
				g.hyphen = f.text[from] != '\\' && i < len(f.text) && f.text[i] != closer
			}
			if breaks += g.breaks; breaks > f.maxBreaks {
				return c, 0, false
			}
			if linked && g.breaks == 0 {
				g.s = strings.Repeat("%20", len([]rune(string(f.text[g.lo:g.hi]))))
			}
			units = append(units, g)
			if i < len(f.text) && (f.text[i] == closer || f.text[i] == '|' && o.form == Angle && !kept) {
				continue
			}
			if g.breaks == 0 {
				if gaps++; o.form == Quote {
					return c, 0, false // a sentence
				}
				spaced = spaced || kind == slowRefRelative
			}
			// After a line break, rule 14 applies to the character in front of the break.
			goesOn := g.breaks > 0 && from > 0 && strings.IndexByte("/?=&:%#([*", f.text[from-1]) >= 0
			if f.another(i) && !goesOn {
				return c, 0, false
			}
			continue
		}
		r, _ := utf8.DecodeRune(f.text[i:])
		if r >= utf8.RuneSelf {
			r = 'x' // any other character belongs to the reference
		}
		u := f.unit(i)
		if e, ok := f.escapedInQuote(i); ok && o.form == Quote {
			u = e
		}
		if b == '\\' && o.form == Angle && !slowEscapedRE.Match(f.text[lo:]) {
			u = slowUnit{lo: i, hi: i + 1, s: "\\"} // every other character belongs to the reference
		}
		switch {
		case b == '<', unicode.IsControl(r):
			return c, 0, false
		case b == '\\' && o.form == Quote && len(u.s) == 1 && u.hi-u.lo == 1:
			return c, 0, false
		}
		by |= u.by
		units = append(units, u)
		i = u.hi
	}
	// White space in front of the closing bracket belongs to the wrapper.
	inner := units
	if n := len(inner); n > 0 && inner[n-1].gap {
		inner = inner[:n-1]
	}
	if p := f.labelFrom(inner, o, kind); p > 0 && !labelled {
		inner, labelled, spaced, gaps = inner[:p], true, false, 0
		if inner[p-1].gap {
			inner = inner[:p-1]
		}
		for _, u := range inner {
			if u.gap && u.breaks == 0 {
				gaps++
				spaced = spaced || kind == slowRefRelative
			}
		}
	}
	if labelled {
		units = inner
	}
	if len(inner) == 0 || inner[len(inner)-1].hi-lo > f.maxLen || spaced {
		return c, 0, false
	}
	if gaps > 3 && !linked {
		f.inBrackets = inner
		return c, 0, false // a sentence
	}
	c = slowCandidate{Text: slowJoined(inner), Form: o.form, Prefixed: o.prefixed,
		Inner: Span{int64(lo), int64(inner[len(inner)-1].hi)}, Outer: Span{int64(o.at), int64(i + 1)}}
	for _, u := range inner {
		c.Breaks += u.breaks
	}
	if !f.finish(&c, kind) {
		return c, 0, false
	}
	c.By |= by
	f.gapReadings(&c, units, linked)
	return c, i + 1, true
}

// escapedInQuote reads the escape of a program at i (rule 29).
func (f *slow) escapedInQuote(i int) (u slowUnit, ok bool) {
	rest := string(f.text[i:])
	if m := slowBackslash.FindString(rest); m != "" {
		return slowUnit{lo: i, hi: i + len(m), s: "/"}, true
	}
	if m := slowHexRE.FindStringSubmatch(rest); m != nil {
		n, _ := strconv.ParseUint(m[1], 16, 8)
		if slowEnds(rune(n)) && n < utf8.RuneSelf {
			return slowUnit{lo: i, hi: i + 4, s: fmt.Sprintf("%%%02X", n), by: Unescaped}, true
		}
		return slowUnit{lo: i, hi: i + 4, s: string([]byte{byte(n)}), by: Unescaped}, true
	}
	u, ends, ok := f.escaped(i, i, "http://a/?", slowRefScheme)
	if m := slowUnicodeRE.FindStringSubmatch(rest); m != nil && ends {
		n, _ := strconv.ParseUint(m[1], 16, 16)
		switch r := rune(n); {
		case utf16.IsSurrogate(r):
			return u, false
		case r < utf8.RuneSelf:
			return slowUnit{lo: i, hi: i + 6, s: fmt.Sprintf("%%%02X", n), by: Unescaped}, true
		default:
			return slowUnit{lo: i, hi: i + 6, s: string(r), by: Unescaped}, true
		}
	} else if m != nil {
		return u, ok
	}
	return u, false
}

// pastLabel returns the offset of the ">" that ends the label after the "|" at i, or -1.
func (f *slow) pastLabel(at, i int) int {
	for i++; i < len(f.text); {
		c := f.text[i]
		switch {
		case c == '>':
			return i
		case c < utf8.RuneSelf && f.white(i) > 0:
			g, ok := f.gap(at, i)
			if !ok {
				return -1
			}
			i = g.hi
		case c == '<', c < utf8.RuneSelf && unicode.IsControl(rune(c)):
			return -1
		default:
			i++
		}
	}
	return -1
}

var (
	slowFieldRE       = regexp.MustCompile(`^[^\x00-\x20\x7f<>"\x60]*?&[A-Za-z0-9_.+-]{1,64}=[^\x00-\x20\x7f<>"\x60]*[\x09-\x0d\x20]*>`)
	slowSchemeAheadRE = regexp.MustCompile(`^[^>]*://`)
)

var slowSentenceRE = regexp.MustCompile(`[.,;:!?']$`)

var slowKeyRE = regexp.MustCompile(`^[^?#]*\?([^#]*&)?[^#&=]+$`)

// labelFrom returns the index in units of the bracket that begins the label at their end (rule 19),
// or 0.
func (f *slow) labelFrom(units []slowUnit, o slowOpening, kind slowRefKind) int {
	if len(units) == 0 || units[len(units)-1].s != "]" || o.form != Angle {
		return 0
	}
	p, depth := len(units), 0
	for p > 0 {
		p--
		if units[p].s == "]" {
			depth++
		} else if units[p].s == "[" {
			if depth--; depth == 0 {
				break
			}
		}
	}
	ref := slowJoined(units[:p])
	spaced := false
	for _, u := range units[p:] {
		spaced = spaced || u.gap
	}
	c := slowCandidate{Text: ref, Form: Angle, Prefixed: o.prefixed}
	if p == 0 || depth > 0 || slowSentenceRE.MatchString(ref) || !spaced && slowKeyRE.MatchString(ref) || f.extras&Defanged != 0 && slowDefangAtRE.MatchString(slowJoined(units[p:])) || !f.finish(&c, kind) {
		return 0
	}
	return p
}

// another reports whether a second reference begins at i.
func (f *slow) another(i int) bool {
	m := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*`).Find(f.text[i:])
	return m != nil && registered(m) && bytes.HasPrefix(f.text[i+len(m):], []byte("://"))
}
