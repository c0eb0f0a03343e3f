package delimit

import "bytes"

// The reading Rejoined: a bare reference that ends where the line is full may go on
// in the next one. Nothing says so, unlike in a wrapper; so it is never the primary
// text, and offered only when asked for.

const (
	// rejoinWidth is the least width of a line whose right edge may have cut a
	// bare reference, in bytes.
	rejoinWidth = 60

	// rejoinReach bounds what the next line may go on with.
	rejoinReach = 1024
)

// rejoin returns what the next line goes on with, if the bare reference
// buf[lo:end] ends exactly at the right edge of a long line.
func (s *Scanner) rejoin(lo, end int) (next []byte, v verdict) {
	hi := min(s.end, end+rejoinReach)
	b := s.buf[:hi]
	atEOF := s.err != nil || hi == end+rejoinReach
	if end == len(b) || s.base+int64(end)-s.startOf(lo) < rejoinWidth || b[end] != '\n' && b[end] != '\r' {
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
	// A word of letters goes on the sentence, unless the reference asks for more.
	if bytes.IndexByte(asksMore, b[end-1]) < 0 && !hasMarks(next) {
		return nil, no
	}
	return next, yes
}

var (
	noStart  = []byte("()[]{}*'|\\")
	asksMore = []byte("/-_=&?%+#~")
)

// hasMarks reports whether t has a digit or a mark that words have not.
func hasMarks(t []byte) bool {
	for _, c := range t {
		if roles[c].has(digit) || bytes.IndexByte(wordless, c) >= 0 {
			return true
		}
	}
	return false
}

var wordless = []byte("/._=&%?#~+")
