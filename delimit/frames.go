package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Frames (rule 25): where a reference is all that stands between two marks, the letters of a script
// without spaces belong to it, even after an ASCII letter or digit. Each check examines at most
// lineReach bytes on each side.

// framed decides whether the reference b[lo:end], whose prefix begins at outer, reaches from one end
// of its frame to the other.
func framed(b []byte, outer, end int, atEOF bool) answer {
	var before byte
	if outer > 0 {
		before = b[outer-1]
	}
	after := b[end:]
	switch {
	case isCellMark(before):
		return followedBy(after, atEOF, isCellMark)
	case before == '(', before == '{':
		return followedBy(after, atEOF, func(c byte) bool { return c == partnerOf(before) })
	case before == '`':
		return followedBy(after, atEOF, func(c byte) bool { return c == '`' })
	case before == '[':
		if v := followedBy(after, atEOF, func(c byte) bool { return c == ']' }); v != no {
			return v
		}
		if v := followedBy(after, atEOF, func(c byte) bool { return c == ' ' }); v != yes {
			return v
		}
		return closesOnLine(after, ']', atEOF)
	case before == '>':
		return beginsWith(after, "</", atEOF)
	case bytes.HasSuffix(b[:outer], []byte("（")):
		return beginsWith(after, "）", atEOF)
	case before == ']' && outer > len("[url]") && foldEqual(b[outer-len("[url]"):outer], "[url]"):
		return beginsWith(after, "[/", atEOF)
	}
	return framedByLine(b, outer, end, atEOF)
}

// isCellMark reports whether c separates the cells of a table.
func isCellMark(c byte) bool { return 0x1C <= c && c <= 0x1F }

// followedBy decides whether after begins with a byte that is.
func followedBy(after []byte, atEOF bool, is func(byte) bool) answer {
	if len(after) == 0 {
		return atEnd(atEOF)
	}
	if is(after[0]) {
		return yes
	}
	return no
}

// beginsWith decides whether after begins with s.
func beginsWith(after []byte, s string, atEOF bool) answer {
	k := min(len(after), len(s))
	switch {
	case string(after[:k]) != s[:k]:
		return no
	case k < len(s):
		return atEnd(atEOF)
	}
	return yes
}

// closesOnLine decides whether c is in the rest of the line, within lineReach bytes.
func closesOnLine(after []byte, c byte, atEOF bool) answer {
	reach := after[:min(len(after), lineReach)]
	if k := bytes.IndexByte(reach, '\n'); k >= 0 {
		reach, atEOF = reach[:k], true
	}
	switch {
	case bytes.IndexByte(reach, c) >= 0:
		return yes
	case len(reach) == lineReach:
		return no
	}
	return atEnd(atEOF)
}

// framedByLine is framed for a reference that ends its line: it is the value after "key: ", or it is
// alone on its line, like the reference on the line above or below.
func framedByLine(b []byte, outer, end int, atEOF bool) answer {
	rest := b[end:min(len(b), end+lineReach)]
	k := 0
	for k < len(rest) && (roles[rest[k]].has(blank) || rest[k] == '\r') { // bounded by lineReach
		k++
	}
	switch {
	case k == len(rest) && !atEOF && k < lineReach:
		return more
	case k < len(rest) && rest[k] != '\n', k == lineReach:
		return no
	}
	head := earlierOnLine(b, outer)
	mark := lineMark(head)
	if isKey(head[mark:]) {
		return yes
	}
	if mark < len(head) || len(head) == lineReach {
		return no
	}
	if above := b[:outer-len(head)]; len(above) > 0 && isAlone(lineAbove(above)) {
		return yes
	}
	if k == len(rest) {
		return no
	}
	below := rest[k+1:]
	n := bytes.IndexByte(below, '\n')
	if n < 0 {
		if !atEOF && len(rest) < lineReach {
			return more
		}
		n = len(below)
	}
	if isAlone(bytes.TrimRight(below[:n], "\r")) {
		return yes
	}
	return no
}

// lineAbove returns the last line of b, which ends with a line break, without that, or the last lineReach bytes of the line.
func lineAbove(b []byte) []byte {
	b = bytes.TrimSuffix(b, newline)
	b = bytes.TrimRight(b[max(0, len(b)-lineReach):], "\r")
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// lineBelow returns the first line of b, without its line break, or the first lineReach bytes of it.
func lineBelow(b []byte) []byte {
	b = b[:min(len(b), lineReach)]
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n]
	}
	return bytes.TrimRight(b, "\r")
}

// lineMark returns the length of the blanks, quote prefix and list marker at the beginning of a line.
func lineMark(line []byte) (n int) {
	_, n = parseQuotePrefix(line[:min(len(line), headLen)])
	k := n
	if k < len(line) && bytes.IndexByte([]byte("-*+"), line[k]) >= 0 {
		k++
	} else {
		for k < len(line) && roles[line[k]].has(digit) {
			k++
		}
		if k == n || k == len(line) || line[k] != '.' && line[k] != ')' {
			return n
		}
		k++
	}
	if k == len(line) || !roles[line[k]].has(blank) {
		return n
	}
	for k < len(line) && roles[line[k]].has(blank) {
		k++
	}
	return k
}

// isKey reports whether text is an ASCII name, a colon and blanks.
func isKey(text []byte) bool {
	name, ok := bytes.CutSuffix(bytes.TrimRight(text, " \t"), []byte{':'})
	if !ok || len(name)+1 == len(text) || len(name) == 0 {
		return false
	}
	for _, c := range name {
		if !roles[c].has(alnum) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// isAlone reports whether line holds a reference and nothing else, except for a quote prefix and a
// list marker.
func isAlone(line []byte) bool {
	line = bytes.TrimRight(line[lineMark(line):], " \t")
	line = bytes.TrimPrefix(line, []byte{0}) // Scanner.spoil has overwritten the first letter of the last reference
	n := schemeLen(line)
	if n == 0 || !hasSlashes(line[n:]) || !utf8.Valid(line) {
		return false
	}
	for _, c := range line {
		if roles[c].has(ends) {
			return false
		}
	}
	return true
}
