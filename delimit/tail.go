package delimit

import (
	"bytes"
	"unicode/utf8"
)

// What stands at the end of a bare reference and is the sentence's (rule 7). The
// documents give no rule: all of these characters are legal in a URL. A reader takes
// them for the sentence's because a sentence ends there, and finds the other reading
// in Tail.

// trim returns where the reference b[start:end] ends when the punctuation behind
// it is left to the sentence (rule 7). before is where the reference begins with
// its prefix: the marks in front of it go at the end too. One pass goes forward
// over the brackets, one back over the tail.
func trim(b []byte, start, end, before int) int {
	partnered := lastPartnered(b[start:end]) + start
	least := max(0, before-maxDoubles)
	marks := before
	for marks > least && bytes.IndexByte(doubles, b[marks-1]) >= 0 && (marks == before || isEmphasis(b[marks-1])) {
		marks--
		if !isEmphasis(b[marks]) {
			break
		}
	}
	if inWord(b[:marks]) { // url=http://a/?q= : the mark belongs to the name in front of it
		marks = before
	}
	if end < len(b) && b[end] == '>' && end-start > len("--") && b[end-1] == '-' && b[end-2] == '-' {
		end -= len("--") // a comment of HTML ends here
	}
	for end > start { // each step takes a byte off, or ends the loop
		switch c := b[end-1]; c {
		case '.', ',', ':', '!', '?', '\'':
			end--
			continue
		case ';':
			if end--; end-start >= len("&amp") && string(b[end-len("&amp"):end]) == "&amp" { // mostly
				end -= len("&amp")
				continue
			}
			for _, name := range tailEntities {
				if foldSuffix(b[start:end], name) {
					end -= len(name)
					break
				}
			}
			continue
		case ')':
			if end-1 > partnered {
				end--
				continue
			}
		case '%':
			end--
			continue
		default:
			if bytes.IndexByte(b[marks:before], c) >= 0 {
				end--
				continue
			}
			if end-start > 2 && b[end-2] == '%' && isHex(c) && !isVerb(c) { // half an escape
				end -= 2
				continue
			}
		}
		break
	}
	return end
}

// maxDoubles is how many marks in front of a reference are looked at.
const maxDoubles = 4

// doubles are the marks that go at the end where the same stands in front:
// emphasis, tables, rules.
var doubles = []byte("*_~|-=")

// isEmphasis reports whether c is a mark of emphasis. These nest: *_x_*.
func isEmphasis(c byte) bool { return c == '*' || c == '_' || c == '~' }

// tailEntities are entities, without their ";", that are no part of a reference
// at its end.
var tailEntities = [...]string{"&amp", "&apos", "&#39", "&#x27"}

// lastPartnered returns the index of the last ")" in ref that has an opening
// partner in it, or -1. Every one behind that has none.
func lastPartnered(ref []byte) int {
	last, open := -1, 0
	for i := bytes.IndexByte(ref, '('); i >= 0 && i < len(ref); i++ {
		switch ref[i] {
		case '(':
			open++
		case ')':
			if open > 0 {
				open--
				last = i
			}
		}
	}
	return last
}

// isVerb reports whether "%" and c are more often a verb of a template (%d) than half an
// escape: programs that escape write capital letters, or cut the text elsewhere.
func isVerb(c byte) bool { return 'a' <= c && c <= 'f' }

// inWord reports whether b ends with a letter, a digit or "_".
func inWord(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	c := b[len(b)-1]
	if c < utf8.RuneSelf {
		return c == '_' || roles[c].has(alnum)
	}
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	m := matterOf(r)
	return m == letter || m == solid
}

func isHex(c byte) bool {
	return roles[c].has(digit) || ('a' <= lower(c) && lower(c) <= 'f')
}
