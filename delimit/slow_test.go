package delimit

// A second implementation of the rules. slowFind keeps the whole text in memory and may scan it
// many times. It shares only the table of schemes, which is data, with the Scanner, so that a
// mistake in one of the two shows as a difference. "Rule" means a rule of the specification,
// delimiting.md.

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A slowReading is another reading of a candidate, with its reason.
type slowReading struct {
	Reason Reading
	Text   string
}

// A slowCandidate has the contents of a Candidate, as plain values.
type slowCandidate struct {
	Text, Ref, Raw, Tail string
	Inner, Outer         Span
	Line, Column         int64
	Breaks               int
	Form                 Form
	Prefixed             bool
	By                   Extra
	Readings             []slowReading
}

func (c slowCandidate) String() string {
	return fmt.Sprintf("%q ref=%q raw=%q %v prefix=%v tail=%q breaks=%d inner=%v outer=%v by=%v %v %d:%d",
		c.Text, c.Ref, c.Raw, c.Form, c.Prefixed, c.Tail, c.Breaks, c.Inner, c.Outer, c.By, c.Readings, c.Line, c.Column)
}

// slow is the state of a search in one text.
type slow struct {
	text                       []byte
	known                      func([]byte) bool
	extras                     Extra
	maxLen, maxBreaks, skipped int
	floor                      int        // end of the last candidate
	inBrackets                 []slowUnit // content of brackets with more than three gaps (rule 10)
	grouped                    bool       // every group in brackets belongs to a path
}

// slowReach is a bound that the specification leaves to the program: how far to look back for a
// scheme, for white space after an opening bracket or a prefix, and for a quote prefix.
const slowReach = 64

// slowFind returns the candidates of text, in order.
func slowFind(text []byte, opts Options) []slowCandidate {
	found, _ := slowSkip(text, opts)
	return found
}

// slowSkip also returns the number of runs that were too long.
func slowSkip(text []byte, opts Options) ([]slowCandidate, int) {
	f := &slow{text: text, known: opts.Known, extras: opts.Extras, maxLen: opts.MaxLen, maxBreaks: opts.MaxBreaks}
	if f.known == nil {
		f.known = Known
	}
	if f.maxLen == 0 {
		f.maxLen = 8192 // "Limits": 8 KiB
	}
	if f.maxBreaks == 0 {
		f.maxBreaks = 32
	}
	var found []slowCandidate
	for at := 0; at < len(text); {
		c, end, ok := f.look(at)
		if !ok {
			at = max(at+1, end) // end is set after a run that was too long
			continue
		}
		c.Raw = string(text[c.Inner.Start:c.Inner.End])
		before := text[:c.Inner.Start]
		c.Line = int64(bytes.Count(before, []byte("\n"))) + 1
		c.Column = c.Inner.Start - int64(bytes.LastIndexByte(before, '\n'))
		found = append(found, c)
		at, f.floor = end, end
	}
	return found, f.skipped
}

// look returns the candidate that has the byte at i as its colon or, with the extras, as its "." or
// "@". It also returns the end of the text that the candidate uses.
func (f *slow) look(i int) (c slowCandidate, end int, ok bool) {
	switch f.text[i] {
	case ':':
		if c, end, ok = f.relative(i); ok {
			return c, end, ok
		}
		if c, end, ok = f.broken(i); ok {
			return c, end, ok
		}
		lo, ok := f.pivot(i)
		if !ok {
			return c, 0, false
		}
		if lo = f.wrappers(lo); slowWraps(strings.SplitN(string(f.text[lo:i+1]), ":", 2)[0]) && bytes.HasPrefix(f.text[i+1:], []byte("\u00ad")) {
			return c, 0, false // the next scheme must follow directly
		}
		return f.from(lo, slowRefScheme)
	case '&', '\\':
		if lo, ok := f.writtenColon(i); ok {
			return f.from(lo, slowRefScheme)
		}
	case '.':
		if lo, ok := f.abbreviated(i); ok {
			return f.from(lo, slowRefAbbreviated)
		}
	case '@':
		if c, end, ok = f.address(i); ok {
			return c, end, ok
		}
	}
	return c, 0, false
}

// A slowRefKind is the kind of reference that begins at a place.
type slowRefKind int

const (
	slowRefScheme slowRefKind = iota
	slowRefAbbreviated
	slowRefRelative
)

// from reads the candidate that begins at lo. It is in a wrapper if one is open there and is closed
// (rules 3, 4), or between quotation marks directly around it, or otherwise bare (rules 6, 13).
func (f *slow) from(lo int, kind slowRefKind) (c slowCandidate, end int, ok bool) {
	o := f.opener(lo)
	if o.form == Angle || o.form == Quote {
		if c, end, ok = f.wrapped(lo, o, kind); ok {
			return c, end, ok
		}
		o = f.bareOpener(lo) // rule 13
	}
	if c, end, ok = f.paired(lo, o, kind); ok {
		return c, end, ok
	}
	return f.bare(lo, o, kind)
}

func slowIsSchemeByte(c byte) bool { return slowIsAlnum(c) || c == '+' || c == '-' || c == '.' }
func slowIsAlpha(c byte) bool      { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func slowIsDigit(c byte) bool      { return '0' <= c && c <= '9' }
func slowIsAlnum(c byte) bool      { return slowIsAlpha(c) || slowIsDigit(c) }

var slowColourRE = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|=3D|\\\\u0026")

// front returns where the text around i begins: after the last candidate, and after a colour
// sequence, whose last letter is not text (rule 12), or an escape of quoted-printable.
func (f *slow) front(i int) int {
	front := f.floor
	for _, m := range slowColourRE.FindAllIndex(f.text[front:i], -1) {
		front = max(front, f.floor+m[1])
	}
	return front
}

// pivot finds where the scheme in front of the colon at i begins (rule 1). ok is false if there is
// none.
func (f *slow) pivot(i int) (lo int, ok bool) {
	end := i
	if f.extras&Defanged != 0 && i > f.floor && f.text[i-1] == '[' {
		end = i - 1 // http[:]//
	}
	run, clipped := f.schemeRun(end, f.front(end))
	if end-run < 2 { // at least two characters: C:\dir is none
		return 0, false
	}
	if clipped {
		// The run is longer than slowReach, so its beginning is no scheme.
		lo, ok = f.suffix(run, end, f.slashes(end))
		return lo, ok
	}
	if registered(f.text[run:end]) {
		return run, true
	}
	if f.isPrefix(i) { // a prefix (rule 5) is never a scheme
		return 0, false
	}
	// After a prefix, and for experimental schemes (rule 2), any run is a scheme.
	if o := f.opener(run); o.prefixed || !f.slashes(end) && (o.form == Angle && strings.EqualFold(string(f.text[run:run+2]), "x-")) {
		return run, true
	}
	if s, ok := f.suffix(run, end, f.slashes(end)); ok {
		return s, true
	}
	return run, true
}

// schemeRun returns the start of the longest run of scheme characters that ends at end and begins
// with a letter, at floor or later. clipped says that slowReach has shortened it.
func (f *slow) schemeRun(end, floor int) (lo int, clipped bool) {
	lo = end
	for lo > floor && end-lo < slowReach && slowIsSchemeByte(f.text[lo-1]) {
		lo--
	}
	clipped = lo > floor && slowIsSchemeByte(f.text[lo-1])
	for lo < end && !slowIsAlpha(f.text[lo]) {
		lo++
		clipped = false
	}
	return lo, clipped
}

// suffix finds the suffix of an unregistered run that may be the scheme (rule 1). If no "//"
// follows, that is a registered scheme after "+", "-" or "."; otherwise http, https or ftp directly
// after a word.
func (f *slow) suffix(run, end int, slashes bool) (int, bool) {
	if !slashes {
		for s := run + 1; s < end-1; s++ {
			if bytes.IndexByte([]byte("+-."), f.text[s-1]) >= 0 && slowIsAlpha(f.text[s]) && registered(f.text[s:end]) {
				return s, true
			}
		}
		return 0, false
	}
	return f.glued(run, end)
}

// glued finds http, https or ftp directly after a word, or after "+", "-" or ".".
func (f *slow) glued(run, end int) (int, bool) {
	for _, name := range []string{"https", "http", "ftp"} {
		s := end - len(name)
		if s > run && strings.EqualFold(string(f.text[s:end]), name) && (slowIsAlnum(f.text[s-1]) || f.text[s-1] == '.' || s-2 >= 0 && strings.IndexByte("+-.", f.text[s-2]) >= 0) {
			return s, true
		}
	}
	return 0, false
}

var slowSlashesRE = regexp.MustCompile(`^:(//|\\/\\/)`)
var slowDefangedSlashesRE = regexp.MustCompile(`^(\[:\](//|\\/\\/)|\[:(//|\\/\\/)\]|:(//|\\/\\/))`)

// slashes reports whether "://" is at i, plain or escaped (rule 12).
func (f *slow) slashes(i int) bool {
	if f.extras&Defanged != 0 {
		return slowDefangedSlashesRE.Match(f.text[i:])
	}
	return slowSlashesRE.Match(f.text[i:])
}

// counts reports whether ref, after joining and trimming, is a reference by rule 2.
func (f *slow) counts(ref string, form Form, prefixed bool) bool {
	scheme, rest, ok := strings.Cut(ref, ":")
	if !ok || rest == "" {
		return false
	}
	if slowWraps(scheme) && !strings.HasPrefix(rest, "//") && !prefixed {
		for n := 0; n < 4; n++ { // rule 22
			m := slowSchemeRE.FindString(rest)
			if m == "" || slowPrefixRE.MatchString(rest) {
				break
			}
			if f.counts(rest, form, prefixed) {
				return true
			}
			rest = rest[len(m):]
		}
		return false
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		if traitsOf([]byte(scheme))&hosts == 0 {
			// The "something" of rule 2 must be more than punctuation, except in a path that begins
			// with "/".
			root := strings.HasPrefix(after, "/") && registered([]byte(scheme))
			if form == Bare && !prefixed && !root && isLabel([]byte(scheme)) && !strings.ContainsAny(after, "./") { // rule 38
				return false
			}
			return root || strings.ContainsFunc(after, slowIsAlnumRune)
		}
		return slowHostFollows(after)
	}
	switch {
	case strings.EqualFold(scheme, "file") && len(rest) > 1 && rest[0] == '/':
		return true
	case prefixed:
		return strings.ContainsFunc(rest, slowIsAlnumRune) || strings.EqualFold(scheme, "news") && rest == "*"
	case form == Angle && len(scheme) > 2 && strings.EqualFold(scheme[:2], "x-"):
		return strings.ContainsFunc(rest, slowIsAlnumRune)
	}
	if form == Bare && rest[0] == '/' { // words with slashes, as in news:/mail:
		return false
	}
	return f.known([]byte(scheme)) && traitsOf([]byte(scheme)).need().metBy([]byte(rest), form == Bare)
}

var slowSchemeRE = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)

// slowWraps reports whether scheme contains another reference after its colon (rule 22).
func slowWraps(scheme string) bool {
	return slices.Contains([]string{"jdbc", "view-source", "feed", "blob", "jar"}, strings.ToLower(scheme))
}

// wrappers returns where the reference with the scheme at lo begins: at the first of the schemes
// that wrap it, at most four.
func (f *slow) wrappers(lo int) int {
	first := lo
	for n, at := 0, lo; n < 4 && at > f.floor && f.text[at-1] == ':'; n++ {
		run, _ := f.schemeRun(at-1, f.front(at-1))
		if at-1-run < 2 || f.isPrefix(at-1) {
			break
		}
		for s := run; s < at-1; s++ { // or a suffix of it (rule 1)
			if slowWraps(string(f.text[s:at-1])) && (s == run || strings.IndexByte("+-.", f.text[s-1]) >= 0) {
				first = s
				break
			}
		}
		at = run
	}
	return first
}

// slowInner returns the part of ref from the innermost of nested schemes on.
func slowInner(ref string) string {
	for n := 0; n < 4; n++ {
		scheme, rest, _ := strings.Cut(ref, ":")
		if n == 0 && !slowWraps(scheme) || strings.HasPrefix(rest, "//") || !slowSchemeRE.MatchString(rest) {
			break
		}
		ref = rest
	}
	return ref
}

// slowHostFollows reports whether the authority at the beginning of s has a host character.
func slowHostFollows(s string) bool {
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	s = s[strings.LastIndexByte(s, '@')+1:]
	if !strings.HasPrefix(s, "[") { // an IP literal contains colons
		s, _, _ = strings.Cut(s, ":")
	}
	return strings.HasPrefix(s, "[") || strings.ContainsFunc(s, slowIsAlnumRune)
}

func slowIsAlnumRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func slowIsWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
