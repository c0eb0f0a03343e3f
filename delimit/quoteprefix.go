package delimit

import (
	"unicode/utf8"
)

// A quotePrefix is the quote prefix of a line, which mail and news put in front of quoted
// text: "> ", ">> ", "> > ", "| ", ": ", "JB> ". Blanks in it are ignored; only the marks
// are kept.
//
// The quote prefix of the line that opened a wrapper is removed from each further line of
// the wrapper, so that a ">" in the quote prefix is not treated as the closing bracket.
type quotePrefix struct {
	marks [maxMarks]byte // without blanks
	N     uint8
	Deep  bool // there are more marks: no wrapper can continue over a line break
}

// maxMarks is how many bytes of marks are compared. With a blank after each, they take
// headLen bytes.
const maxMarks = headLen / 2

// quotePrefixOf returns the quote prefix at the beginning of head, which is the beginning
// of a line. It examines at most headLen bytes.
func quotePrefixOf(head []byte) quotePrefix {
	m, _ := parseQuotePrefix(head)
	return m
}

// parseQuotePrefix returns the quote prefix at the beginning of head, and its length with
// the blanks around it.
func parseQuotePrefix(head []byte) (m quotePrefix, n int) {
	for n < len(head) {
		c := head[n]
		k := 1
		switch {
		case roles[c].has(blank):
			n++
			continue
		case c == '>' || c == '|':
		case c == ':' && n+1 < len(head) && (roles[head[n+1]].has(blank) || isMark(head[n+1])): // not a smiley
		default:
			if k = initials(head[n:]); k == 0 {
				return m, n
			}
		}
		if int(m.N)+k > maxMarks {
			m.Deep = true
			return m, n
		}
		m.N += uint8(copy(m.marks[m.N:], head[n:n+k]))
		n += k
	}
	m.Deep = len(head) == headLen
	return m, n
}

// initials returns the length of the initials of a quoted person and the ">" after them,
// or 0: one to four letters, the first one a capital.
func initials(b []byte) int {
	if len(b) == 0 || b[0] < 'A' || b[0] > 'Z' {
		return 0
	}
	for i := 1; i < len(b) && i <= 4; i++ {
		if b[i] == '>' {
			return i + 1
		}
		if !roles[b[i]].has(alpha) {
			return 0
		}
	}
	return 0
}

// strip returns how many bytes at the beginning of the line b are the quote prefix m and
// blanks around it. ok is false if the line has another quote depth. short is true if b
// is too short to decide and more bytes may come.
func (m *quotePrefix) strip(b []byte, atEOF bool) (n int, ok, short bool) {
	if m.Deep {
		return 0, false, false
	}
	gap := 0
	for k := 0; ; {
		for gap = 0; n < len(b) && roles[b[n]].has(blank); n++ {
			gap++
		}
		if n == len(b) {
			return n, k == int(m.N), !atEOF
		}
		if k == int(m.N) {
			break
		}
		if b[n] != m.marks[k] {
			return n, false, false
		}
		n++
		k++
	}
	// One more mark may follow. A ">" in front of text is another level of quoting. A ">"
	// that ends a wrapper is in front of punctuation or white space, or is indented like
	// the lines around it.
	switch {
	case gap > 1:
	case b[n] == '|':
		return n, false, false
	case b[n] == '>':
		if n+1 == len(b) {
			return n, atEOF, !atEOF
		}
		if c := b[n+1]; c >= 0x80 || roles[c].has(blank|alnum) {
			return n, false, false
		}
	}
	return n, true, false
}

// gap returns the index after the white space at t[i], including line breaks and the
// quote prefixes after them. The answer is no if there is a blank line, or a line with
// another quote depth. It is more if t ends before this is known and atEOF is not set.
func gap(t []byte, i int, m *quotePrefix, atEOF bool) (next, breaks int, v answer) {
	for i < len(t) {
		c := t[i]
		if c == '\n' || c == '\r' {
			n := lineBreak(t[i:])
			if !atEOF && (i+n == len(t) || isCR(t[i:])) {
				return i, breaks, more
			}
			if breaks++; breaks > 1 {
				return i, breaks, no
			}
			i += n
			k, ok, short := m.strip(t[i:], atEOF)
			switch {
			case short:
				return i, breaks, more
			case !ok:
				return i, breaks, no
			}
			i += k
			continue
		}
		if c < utf8.RuneSelf {
			if !roles[c].has(white) {
				return i, breaks, yes
			}
			i++
			continue
		}
		n := spaceAt(t[i:])
		if n == 0 {
			if !atEOF && !utf8.FullRune(t[i:]) {
				return i, breaks, more
			}
			return i, breaks, yes
		}
		i += n
	}
	if !atEOF {
		return i, breaks, more
	}
	return i, breaks, yes
}
