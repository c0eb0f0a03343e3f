package bare

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// Which punctuation at the end of a bare reference belongs to the sentence (rule 7). The
// documents have no rule, since all of these characters are legal in a URL. Sentences end
// with them, so they are treated as part of the sentence. The reading WithTail has them.

// Trim returns where the reference b[start:end] ends without the punctuation of the
// sentence (rule 7). b[before:start] is the prefix of the reference, or empty: the marks in front
// of b[before] may be repeated at the end. One pass goes forwards over the brackets, one backwards
// over the tail.
func Trim(b []byte, start, end, before int) int {
	partnered := lastPartnered(b[start:end]) + start
	least := max(0, before-maxDoubles)
	marks := before
	for marks > least && bytes.IndexByte(doubles, b[marks-1]) >= 0 && (marks == before || isEmphasis(b[marks-1])) {
		marks--
		if !isEmphasis(b[marks]) {
			break
		}
	}
	if lex.InWord(b[:marks]) { // url=http://a/?q= : the mark belongs to the name in front of it
		marks = before
	}
	if end < len(b) && b[end] == '>' && end-start > len("--") && b[end-1] == '-' && b[end-2] == '-' {
		end -= len("--") // a comment of HTML ends here
	}
	for end > start { // each iteration removes a byte, or ends the loop
		switch c := b[end-1]; c {
		case '.', ',', ':', '!', '?', '\'':
			end--
			continue
		case ';':
			if end--; end-start >= len("&amp") && string(b[end-len("&amp"):end]) == "&amp" { // the usual case
				end -= len("&amp")
				continue
			}
			for _, name := range tailEntities {
				if lex.FoldSuffix(b[start:end], name) {
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
			if end-start > 2 && b[end-2] == '%' && lex.IsHex(c) && !isVerb(c) { // half an escape
				end -= 2
				continue
			}
		}
		break
	}
	return end
}

// maxDoubles is how many marks in front of a reference are examined.
const maxDoubles = 4

// doubles are the marks that are removed at the end if the same mark is in front:
// emphasis, tables, rules.
var doubles = []byte("*_~|-=")

// isEmphasis reports whether c is a mark of emphasis. Such marks may be nested: *_x_*.
func isEmphasis(c byte) bool { return c == '*' || c == '_' || c == '~' }

// tailEntities are entities, without ";", that do not belong to a reference at its end.
var tailEntities = [...]string{"&amp", "&apos", "&#39", "&#x27"}

// lastPartnered returns the index of the last ")" in ref whose opening partner is in ref,
// or -1. No ")" after that index has a partner.
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

// isVerb reports whether "%" and c are probably a verb of a format string (%d) and not half of
// an escape. Programs that escape usually write capital letters.
func isVerb(c byte) bool { return 'a' <= c && c <= 'f' }
