package delimit

import "bytes"

// The reading Rejoined: a bare reference that ends at the right edge of a line may
// continue on the next line. Unlike in a wrapper, nothing marks this. So it is never the
// primary text, and is off by default. A hyphen at the end of a line of any length means
// that the reference may continue; then there is the reading NoHyphen, too (Appendix E).

const (
	// rejoinWidth is the smallest width, in bytes, of a line whose right edge may have
	// cut a bare reference.
	rejoinWidth = 60

	// rejoinReach is how far the reference may continue on the next line.
	rejoinReach = 1024
)

// rejoin returns how the next line continues the bare reference buf[lo:end], if it ends
// exactly at the right edge of a long line.
func (s *finder) rejoin(lo, end int) (next []byte, v verdict) {
	hi := min(s.end, end+rejoinReach)
	b := s.buf[:hi]
	atEOF := s.err != nil || hi == end+rejoinReach
	full := b[end-1] == '-' || s.base+int64(end)-s.startOf(lo) >= rejoinWidth
	if end == len(b) || !full || b[end] != '\n' && b[end] != '\r' {
		return nil, no
	}
	at := end + lineBreak(b[end:])
	if at == len(b) {
		return nil, atEnd(atEOF)
	}
	m := quotePrefixOf(s.lineHead(lo))
	n, ok, short := m.strip(b[at:], atEOF)
	if short {
		return nil, more
	}
	at += n
	if !ok || at == len(b) || roles[b[at]].has(ends) || bytes.IndexByte(noStart, b[at]) >= 0 {
		return nil, no
	}
	stop, _, v := s.run(b, at, at, walk{}, 0, atEOF, true)
	if v != yes {
		return nil, v
	}
	stop = trim(b, at, stop, at)
	next = b[at:stop]
	if n := schemeLen(next); n > 0 && hasSlashes(next[n:]) {
		return nil, no
	}
	// A word of letters continues the sentence, unless the reference ends with a
	// character that requires more.
	if bytes.IndexByte(asksMore, b[end-1]) < 0 && !hasMarks(next) {
		return nil, no
	}
	return next, yes
}

var (
	noStart  = []byte("()[]{}*'|\\")
	asksMore = []byte("/-_=&?%+#~")
)

// hasMarks reports whether t has a digit or another character that words do not have.
func hasMarks(t []byte) bool {
	for _, c := range t {
		if roles[c].has(digit) || bytes.IndexByte(wordless, c) >= 0 {
			return true
		}
	}
	return false
}

var wordless = []byte("/._=&%?#~+")
