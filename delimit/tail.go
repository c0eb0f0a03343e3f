package delimit

import "bytes"

// trim returns where the reference b[start:end] ends when the punctuation behind
// it is left to the sentence (rule 7). before is the character in front of the
// reference. One pass goes forward over the brackets, one back over the tail.
func trim(b []byte, start, end int, before byte) int {
	partnered := lastPartnered(b[start:end]) + start
	if before == 0 || bytes.IndexByte(doubles, before) < 0 {
		before = 0
	}
	for end > start { // each step takes a byte off, or ends the loop
		switch c := b[end-1]; c {
		case '.', ',', ':', '!', '?', '\'':
			end--
			continue
		case ';':
			end--
			for _, name := range tailEntities {
				if foldSuffix(b[start:end], name) {
					end -= len(name)
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
			if before != 0 && c == before {
				end--
				continue
			}
			if end-start > 2 && b[end-2] == '%' && isHex(c) { // half an escape
				end -= 2
				continue
			}
		}
		break
	}
	return end
}

// doubles are the marks that go at the end where the same stands in front:
// emphasis, tables, rules.
var doubles = []byte("*_~|-=")

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

func isHex(c byte) bool {
	return roles[c].has(digit) || ('a' <= lower(c) && lower(c) <= 'f')
}
