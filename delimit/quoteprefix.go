package delimit

// A quotePrefix is the quote prefix of a line, as mail and news put it before what
// they answer to: "> ", ">> ", "> > ", "| ", ": ", "JB> ". Blanks within it say
// nothing, so only the marks are kept.
//
// The quote prefix of the line that opened a wrapper is taken off each line that the
// wrapper goes on over, so that its ">" is not taken for the closing bracket.
type quotePrefix struct {
	marks [maxMarks]byte // without blanks
	n     uint8
	deep  bool // there are more: nothing can go on over a line
}

// maxMarks is how many bytes of marks are told apart: headLen with blanks between.
const maxMarks = headLen / 2

// quotePrefixOf reads the quote prefix that head, the beginning of a line, begins
// with. It looks at headLen bytes at most.
func quotePrefixOf(head []byte) quotePrefix {
	var m quotePrefix
	for i := 0; i < len(head); { // one step forward each time
		c := head[i]
		k := 1
		switch {
		case roles[c].has(blank):
			i++
			continue
		case c == '>' || c == '|':
		case c == ':' && i+1 < len(head) && (roles[head[i+1]].has(blank) || isMark(head[i+1])): // no smiley
		default:
			if k = initials(head[i:]); k == 0 {
				return m
			}
		}
		if int(m.n)+k > maxMarks {
			m.deep = true
			return m
		}
		m.n += uint8(copy(m.marks[m.n:], head[i:i+k]))
		i += k
	}
	m.deep = len(head) == headLen
	return m
}

// isMark reports whether c marks a quoted line.
func isMark(c byte) bool { return c == '>' || c == '|' || c == ':' }

// initials returns the length of a quoting person's initials and the ">" behind
// them, or 0: one to four letters, the first a capital.
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

// strip returns how many bytes of b, the beginning of a line, are the quote prefix m
// and the blanks around it. ok is false if the line is of another depth. If b
// ends too early to tell, and more may come, short is true.
func (m *quotePrefix) strip(b []byte, atEOF bool) (n int, ok, short bool) {
	if m.deep {
		return 0, false, false
	}
	gap := 0
	for k := 0; ; {
		for gap = 0; n < len(b) && roles[b[n]].has(blank); n++ {
			gap++
		}
		if n == len(b) {
			return n, k == int(m.n), !atEOF
		}
		if k == int(m.n) {
			break
		}
		if b[n] != m.marks[k] {
			return n, false, false
		}
		n++
		k++
	}
	// What is left may carry a mark more. A ">" that text follows is one; a
	// ">" that ends a wrapper stands before punctuation or white space, or is
	// set in like the lines around it.
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
