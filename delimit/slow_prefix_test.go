package delimit

import (
	"regexp"
	"strings"
	"unicode"
)

// relative reads <URL:...> whose content has no scheme (rule 5). i is the colon
// of the prefix.
func (f *slow) relative(i int) (c slowCandidate, end int, ok bool) {
	if i-3 < f.floor || !slowPrefixRE.Match(f.text[i-3:i+1]) {
		return c, 0, false
	}
	for j := i - 4; j >= max(f.floor, i-4-slowReach); j-- {
		if f.text[j] != '<' {
			continue
		}
		if start, _, ok := f.leading(j, j+1); !ok || start != i-3 {
			continue
		}
		lo, _, ok := f.leading(j, i+1)
		if !ok || regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`).Match(f.text[lo:]) {
			return c, 0, false // it is absolute, or no reference
		}
		return f.wrapped(lo, slowOpening{Angle, j, true, i - 3}, slowRefRelative)
	}
	return c, 0, false
}

// broken reads a reference in a wrapper whose scheme contains white space and ends at the colon at
// i. By rule 3 all white space in a wrapper is removed.
func (f *slow) broken(i int) (c slowCandidate, end int, ok bool) {
	run, _ := f.schemeRun(i, f.front(i))
	if !f.slashes(i) || registered(f.text[run:i]) {
		return c, 0, false
	}
	for lo := run - 1; lo >= max(f.floor, run-2*slowReach); lo-- {
		e := lo
		for e < run && slowIsSchemeByte(f.text[e]) {
			e++
		}
		o := f.opener(lo)
		if e == lo || o.form == Bare {
			continue
		}
		g, ok := f.gap(o.at, e)
		if ok && g.hi == run && (g.breaks > 0 || o.form == Angle) && registered(append(f.text[lo:e:e], f.text[run:i]...)) {
			return f.wrapped(lo, o, slowRefScheme)
		}
	}
	return c, 0, false
}

// slowRelativeOK reports whether text, which has no scheme, counts as a reference.
func slowRelativeOK(text string) bool {
	if strings.Contains(text, "@") && !strings.Contains(text, "/") {
		return false
	}
	if first, _, _ := strings.Cut(text, "/"); strings.Contains(strings.TrimRight(first, "?#"), ":") && !strings.ContainsAny(first[:strings.IndexByte(first, ':')], "?#") {
		return false // the grammars read such a text as an invalid scheme
	}
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '#' || r == '?'
	}) || text != "" && strings.Trim(text, "./") == ""
}
