package delimit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finish sets the fields that follow from Text, and the readings that every form has. It reports
// whether Text is a reference at all.
func (f *slow) finish(c *slowCandidate, kind slowRefKind) bool {
	c.Ref = c.Text
	if f.extras&Defanged != 0 && kind == slowRefScheme {
		if ref := slowRefang(c.Text); ref != c.Text {
			c.Ref = ref
			c.By |= Defanged
		}
	}
	switch kind {
	case slowRefScheme:
		if !f.counts(c.Ref, c.Form, c.Prefixed) {
			return false
		}
	case slowRefRelative:
		if !slowRelativeOK(c.Text) {
			return false
		}
	case slowRefAbbreviated:
		if !slowAbbreviatedOK(c.Text) {
			return false
		}
		c.By |= Abbreviated
		if c.Ref = "http://" + c.Text; strings.EqualFold(c.Text[:4], "ftp.") {
			c.Ref = "ftp://" + c.Text
		}
	}
	if c.Tail != "" {
		c.Readings = append(c.Readings, slowReading{WithTail, c.Text + c.Tail})
	}
	if i := strings.IndexByte(c.Text, ','); c.Form == Bare && i > 0 && kind == slowRefScheme { // rule 16
		next := ""
		if c.Tail == "" {
			next = string(f.text[c.Inner.End:min(int(c.Inner.End)+1, len(f.text))])
		}
		if slowField(c.Text[i+1:], next) && f.counts(c.Text[:i], c.Form, c.Prefixed) {
			c.Readings = append(c.Readings, slowReading{AtComma, c.Text[:i]})
		}
	}
	// Rule 11: "&amp;" in plain text is kept, and another reading has "&".
	if strings.Contains(c.Text, "&amp;") {
		c.Readings = append(c.Readings, slowReading{Entity, strings.ReplaceAll(c.Text, "&amp;", "&")})
	}
	return true
}

var (
	slowNumberRE = regexp.MustCompile(`^[+-]?[0-9]([0-9.]*[0-9])?$`)
	slowDateRE   = regexp.MustCompile(`^([0-9]{4}(-[0-9]{1,2}-|/[0-9]{1,2}/|\.[0-9]{1,2}\.)[0-9]{1,2}|[0-9]{1,2}(-[0-9]{1,2}-|/[0-9]{1,2}/|\.[0-9]{1,2}\.)([0-9]{4}|[0-9]{2}))(T[0-9].*)?$`)
	slowTitleRE  = regexp.MustCompile(`^[A-Z]([A-Za-z]|[^\x00-\x7f])*$`)
)

// slowField reports whether rest, the text after the first comma of a reference, and next, the text
// after the reference, are another field of a list.
func slowField(rest, next string) bool {
	cell, _, more := strings.Cut(rest, ",")
	return cell == "" && more || strings.HasPrefix(cell, "'") || slowNumberRE.MatchString(cell) || slowDateRE.MatchString(cell) ||
		!more && slowTitleRE.MatchString(cell) && (next == " " || next == "\t")
}

// gapReadings adds the readings that white space in a wrapper allows: hyphens at line ends (rule 9)
// and spaces within a line (rule 10), unless they belong to the reference.
func (f *slow) gapReadings(c *slowCandidate, units []slowUnit, linked bool) {
	// The gap at the end, outside the reference, counts only for the hyphen.
	var hyphens []int
	inner := units
	for i, u := range units {
		if u.gap && u.hyphen {
			hyphens = append(hyphens, i-1)
		}
	}
	if n := len(inner); inner[n-1].gap {
		inner = inner[:n-1]
	}
	if len(hyphens) > 3 {
		hyphens = hyphens[:3] // at most eight combinations
	}
	for set := 1; set < 1<<len(hyphens); set++ {
		var b strings.Builder
		for i, u := range units {
			drop := false
			for k, at := range hyphens {
				drop = drop || at == i && set&(1<<k) != 0
			}
			if !drop {
				b.WriteString(u.s)
			}
		}
		c.Readings = append(c.Readings, slowReading{NoHyphen, b.String()})
	}
	var escaped strings.Builder
	cut := ""
	spaces := false
	for _, u := range inner {
		if u.gap && u.breaks == 0 {
			if !spaces {
				cut = escaped.String()
			}
			spaces = true
			escaped.WriteString(strings.Repeat("%20", len([]rune(string(f.text[u.lo:u.hi])))))
			continue
		}
		escaped.WriteString(u.s)
	}
	if spaces {
		if !linked {
			c.Readings = append(c.Readings, slowReading{SpaceEscaped, slowExcluded(escaped.String())})
		}
		if f.counts(cut, c.Form, c.Prefixed) {
			c.Readings = append(c.Readings, slowReading{CutAtSpace, cut})
		}
	}
}

var (
	slowHeadRE     = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?`)
	slowOpaqueRE   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^/]`)
	slowTripletRE  = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	slowExcludedRE = regexp.MustCompile("[\\x00-\\x20\\x7f-\\xff\"<>\\\\^`{|}%]")
)

// slowExcluded escapes the characters that no reference can contain (rule 10): those that 2002,
// section 2.4.3, excludes.
func slowExcluded(ref string) string {
	octets := func(s string) string { // each byte as a character, for the regular expressions
		r := make([]rune, len(s))
		for i := range len(s) {
			r[i] = rune(s[i])
		}
		return string(r)
	}
	percent := func(s string) string { return fmt.Sprintf("%%%02X", []rune(s)[0]) }
	ref = octets(ref)
	made, at := "", 0
	for _, kept := range append(slowTripletRE.FindAllStringIndex(ref, -1), []int{len(ref), len(ref)}) {
		made += slowExcludedRE.ReplaceAllStringFunc(ref[at:kept[0]], percent) + ref[kept[0]:kept[1]]
		at = kept[1]
	}
	whole, fragment, has := strings.Cut(made, "#")
	if has {
		whole += "#" + strings.ReplaceAll(fragment, "#", "%23")
	}
	if slowOpaqueRE.MatchString(whole) {
		return whole
	}
	head := slowHeadRE.FindString(whole)
	return head + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(whole[len(head):])
}

// slowTrailRE matches the trailing marks of rule 7 that are always removed, and the entities of
// rule 11 that are removed at the end.
var slowTrailRE = regexp.MustCompile(`((?i:&amp;|&apos;)|&#39;|[.,;:!?']|%[0-9A-F]?)$`)

// slowTrimmed returns the length of ref without trailing punctuation (rule 7). before is the text
// in front of the reference on its line, next the character after it, keep the length of its scheme
// with the colon.
func slowTrimmed(ref, before, next string, keep int) int {
	n := len(ref)
	for n > keep {
		s := ref[:n]
		if m := slowTrailRE.FindString(s); m != "" {
			n -= len(m)
		} else if k, first := slowSymbols(s); k > 0 && k < len(s) && (slowWordRE.MatchString(slowLast(s[:n-k])) || first == slowLast(before)) {
			n -= k
		} else if m := slowParticleRE.FindStringSubmatch(s); m != nil {
			n -= len(m[1])
		} else if (strings.HasSuffix(s, ":-)") || strings.HasSuffix(s, ";-)")) && !slowHasPartner(s) {
			n -= 3
		} else if s[n-1] == '(' {
			n--
		} else if s[n-1] == '&' && strings.ContainsAny(next, " \t") && !strings.Contains(s, "?") {
			n--
		} else if m := slowEmphasisRE.FindString(s); m != "" && slowOpened(before, m) {
			n -= len(m)
		} else if strings.ContainsRune(")]}", rune(s[n-1])) && !slowHasPartner(s) {
			n--
		} else if c := s[n-1]; strings.IndexByte("*_~|-=", c) >= 0 && strings.IndexByte(slowMarks(before), c) >= 0 {
			n = len(strings.TrimRight(s, string(c)))
		} else {
			break
		}
	}
	return max(n, keep)
}

// slowLast returns the last character of s.
func slowLast(s string) string {
	_, n := utf8.DecodeLastRuneInString(s)
	return s[len(s)-n:]
}

// slowSymbols returns the length of the run of symbols at the end of s, and the first of them.
func slowSymbols(s string) (n int, first string) {
	for n < len(s) {
		c := slowLast(s[:len(s)-n])
		r, _ := utf8.DecodeRuneInString(c)
		symbol := r >= utf8.RuneSelf && unicode.IsSymbol(r) && !slowEnder(r) && !strings.ContainsRune(slowTildes, r)
		if !symbol && !strings.ContainsRune("\u00b2\u00b3\u00b9\u200d\u20e3", r) && !(0x2070 <= r && r <= 0x2079) && !(0xFE00 <= r && r <= 0xFE0F) {
			break
		}
		n += len(c)
		first = c
	}
	return n, first
}

var slowEmphasisRE = regexp.MustCompile(`(\*+|_+|~+)$`)

// slowOpened reports whether line has marks of emphasis that are not closed (rule 27).
func slowOpened(line, marks string) (open bool) {
	runs := regexp.MustCompile(regexp.QuoteMeta(marks[:1]) + "+")
	for _, m := range runs.FindAllStringIndex(line, -1) {
		if m[1]-m[0] != len(marks) {
			continue
		}
		blank := func(s string) bool { return s == "" || strings.ContainsAny(s, " \t\r\n\v\f") }
		before, after := "", ""
		if m[0] > 0 {
			before = line[m[0]-1 : m[0]]
		}
		if m[1] < len(line) {
			after = line[m[1] : m[1]+1]
		}
		target := marks[0] == '_' && regexp.MustCompile(`^[ \t]*\.\. $`).MatchString(line[:m[0]])
		switch {
		case open && !blank(before):
			open = false
		case !open && !blank(after) && (blank(before) || strings.Contains("([{<\"'*_~>", before)):
			open = !target
		}
	}
	return open
}

// slowHasPartner reports whether s contains the opening bracket for the closing bracket at its end.
func slowHasPartner(s string) bool {
	shut := s[len(s)-1]
	open := map[byte]byte{')': '(', ']': '[', '}': '{'}[shut]
	depth := 0
	for i := range len(s) - 1 {
		switch {
		case s[i] == open:
			depth++
		case s[i] == shut && depth > 0:
			depth--
		}
	}
	return depth > 0
}

// slowMarks returns the marks directly in front of a reference: one mark, or up to four nested
// marks of emphasis.
func slowMarks(before string) string {
	n := len(before)
	for k := max(0, n-4); k < n; k++ {
		if strings.Trim(before[k:], "*_~") == "" {
			return slowOutsideWord(before, k)
		}
	}
	return slowOutsideWord(before, max(0, n-1))
}

// slowOutsideWord returns the marks before[k:], or "" if they directly follow a word (rule 20).
func slowOutsideWord(before string, k int) string {
	if r, _ := utf8.DecodeLastRuneInString(before[:k]); k > 0 && (slowIsWord(r) || strings.ContainsRune("_\u200c\u200d", r)) {
		return ""
	}
	return before[k:]
}
