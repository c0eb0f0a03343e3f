package delimit

import (
	"bytes"
	"regexp"
	"unicode"
	"unicode/utf8"
)

// leading skips the white space at i after the opening bracket at open, with line breaks and quote
// prefixes. It returns where it stopped and how much it skipped.
func (f *slow) leading(open, i int) (end, n int, ok bool) {
	g, ok := f.gap(open, i)
	if !ok || g.hi-i > slowReach {
		return 0, 0, false
	}
	return g.hi, g.hi - i, true
}

// gap reads the white space at i inside a wrapper that opened at open (rule 8). It fails at a blank
// line and at a line with another quote depth.
func (f *slow) gap(open, i int) (g slowUnit, ok bool) {
	g = slowUnit{lo: i, hi: i, gap: true}
	for {
		n := f.white(g.hi)
		if n == 0 {
			return g, true
		}
		b := f.lineBreak(g.hi)
		if b == 0 {
			g.hi += n
			continue
		}
		g.breaks++
		g.hi += b
		// The quote prefix of this line must equal that of the line with the opening bracket.
		for _, mark := range f.margin(open) {
			g.hi += f.blanks(g.hi)
			if !bytes.HasPrefix(f.text[g.hi:], []byte(mark)) {
				return g, false
			}
			g.hi += len(mark)
		}
		// A blank line ends the wrapper.
		j := g.hi
		for f.white(j) > 0 && f.lineBreak(j) == 0 {
			j += f.white(j)
		}
		if f.lineBreak(j) > 0 {
			return g, false
		}
		// So does a line with more quote marks.
		q := g.hi + f.blanks(g.hi)
		if q-g.hi <= 1 && q < len(f.text) {
			if f.text[q] == '|' {
				return g, false
			}
			if f.text[q] == '>' && q+1 < len(f.text) {
				r, _ := utf8.DecodeRune(f.text[q+1:])
				if r == ' ' || r == '\t' || unicode.IsLetter(r) || unicode.IsNumber(r) {
					return g, false
				}
			}
		}
	}
}

// blanks returns the number of spaces and tabs at i.
func (f *slow) blanks(i int) (n int) {
	for i+n < len(f.text) && (f.text[i+n] == ' ' || f.text[i+n] == '\t') {
		n++
	}
	return n
}

var slowMarkRE = regexp.MustCompile(`^[ \t]*([>|:]|[A-Z][A-Za-z]{0,3}>)`)

// margin returns the marks of mail quoting at the beginning of the line that contains open.
func (f *slow) margin(open int) (marks []string) {
	start := bytes.LastIndexAny(f.text[:open], "\r\n") + 1
	line := f.text[start:min(open, start+slowReach)]
	for {
		m := slowMarkRE.FindSubmatch(line)
		if m == nil {
			return marks
		}
		// A colon is a quote mark only in front of a space or another mark: ":-)" is none.
		if after := line[len(m[0]):]; string(m[1]) == ":" && (len(after) == 0 || !bytes.ContainsAny(after[:1], " \t>|:")) {
			return marks
		}
		marks = append(marks, string(m[1]))
		line = line[len(m[0]):]
	}
}
