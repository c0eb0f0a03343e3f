package delimit

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The slow twins of the extras, which the specification describes by examples.

var slowHostRE = regexp.MustCompile(`^(?i)(www|ftp)(\.[\p{L}\p{N}\p{M}_-]+){2,}\.?(:[0-9]*)?([/?#]|$)`)

// abbreviated reports where a host that begins with www. or ftp. begins, if its
// first dot is at i and no letter, digit or part of another name is in front.
func (f *slow) abbreviated(i int) (lo int, ok bool) {
	lo = i - 3
	if f.extras&Abbreviated == 0 || lo < f.floor {
		return 0, false
	}
	if name := strings.ToLower(string(f.text[lo:i])); name != "www" && name != "ftp" {
		return 0, false
	}
	if r, _ := utf8.DecodeLastRune(f.text[f.floor:lo]); lo > f.floor && slowNamePart(r, "_+-.@/%\\") {
		return 0, false
	}
	return lo, true
}

func slowNamePart(r rune, more string) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || strings.ContainsRune(more, r)
}

func slowAbbreviatedOK(text string) bool { return slowHostRE.MatchString(text) }

var (
	slowLocalRE  = regexp.MustCompile("[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+$")
	slowDomainRE = regexp.MustCompile(`^@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]`)
	slowIDLineRE = regexp.MustCompile(`(?i)^(message-id|references|in-reply-to|content-id|resent-message-id):`)
)

// address reads the mail address around the "@" at i. A Message-ID is none.
func (f *slow) address(i int) (c slowCandidate, end int, ok bool) {
	if f.extras&Address == 0 {
		return c, 0, false
	}
	local := slowLocalRE.Find(f.text[f.floor:i])
	domain := slowDomainRE.Find(f.text[i:])
	line := f.text[bytes.LastIndexByte(f.text[:i], '\n')+1 : i]
	if local == nil || domain == nil || slowIDLineRE.Match(line) {
		return c, 0, false
	}
	local = bytes.TrimLeft(local, ".!#$%&'*+/=?^_{|}~-")
	if len(local) == 0 {
		return c, 0, false
	}
	lo, hi := i-len(local), i+len(domain)
	c = slowCandidate{Text: string(f.text[lo:hi]), Form: Bare, By: Address,
		Inner: Span{int64(lo), int64(hi)}, Outer: Span{int64(lo), int64(hi)}}
	c.Ref = "mailto:" + c.Text
	return c, hi, true
}

var (
	slowDotRE   = regexp.MustCompile(`\[\.\]|\(\.\)|\\\.`)
	slowHxxpRE  = regexp.MustCompile(`(?i)^h(xx)ps?:`)
	slowColonRE = regexp.MustCompile(`^([A-Za-z0-9+.-]+)(\[:\]|\[:(//)\])`)
)

// slowRefang returns a defanged reference in its usual form.
func slowRefang(text string) string {
	text = slowColonRE.ReplaceAllString(text, "$1:$3")
	if slowHxxpRE.MatchString(text) {
		text = "http" + text[4:]
	}
	return slowDotRE.ReplaceAllString(text, ".")
}

var slowDefangRE = regexp.MustCompile(`^(\[\.\]|\(\.\)|\\\.|\[:(//)?\])`)

// A line of at least this many bytes counts as filled to its right edge. The specification only
// says "a wrapped line's right edge".
const slowRightEdge = 60

var slowNextRunRE = regexp.MustCompile("^[^\\x00-\\x20\\x7f<>\"|`\\\\]+")

// rejoined adds the reading that the next line continues the bare reference c, if c with its tail
// ends at the right edge of a line.
func (f *slow) rejoined(c *slowCandidate) {
	end := int(c.Inner.End) + len(c.Tail)
	n := f.lineBreak(end)
	start := bytes.LastIndexByte(f.text[:c.Inner.Start], '\n') + 1
	hyphen := f.text[end-1] == '-'
	if f.extras&Rejoin == 0 || n == 0 || end-start < slowRightEdge && !hyphen {
		return
	}
	i := end + n
	for _, mark := range f.margin(int(c.Inner.Start)) {
		i += f.blanks(i)
		if !bytes.HasPrefix(f.text[i:], []byte(mark)) {
			return
		}
		i += len(mark)
	}
	i += f.blanks(i)
	next := string(slowNextRunRE.Find(f.text[i:]))
	if next = next[:slowTrimmed(next, "", "", 0)]; next == "" || f.another(i) {
		return
	}
	c.Readings = append(c.Readings, slowReading{Rejoined, c.Text + c.Tail + next})
	if hyphen { // the hyphen may be from hyphenation
		c.Readings = append(c.Readings, slowReading{NoHyphen, strings.TrimSuffix(c.Text+c.Tail, "-") + next})
	}
}

// bracketed adds the readings of a bare reference that ends at a space, inside brackets with more
// than three spaces.
func (f *slow) bracketed(c *slowCandidate, lo, end int) {
	if len(f.inBrackets) == 0 || f.inBrackets[0].lo != lo || f.white(end) == 0 || f.lineBreak(end) > 0 {
		return
	}
	escaped := ""
	for _, u := range f.inBrackets {
		if u.gap && u.breaks == 0 {
			escaped += strings.Repeat("%20", len([]rune(string(f.text[u.lo:u.hi]))))
		}
		escaped += u.s
	}
	c.Readings = append(c.Readings, slowReading{Rejoined, slowJoined(f.inBrackets)}, slowReading{SpaceEscaped, slowExcluded(escaped)})
}
