package delimit

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// The reading Rejoined: a bare reference that ends at the right edge of a line may
// continue on the next line. Unlike in a wrapper, nothing marks this. So the longer reference is
// never the primary text, and the reading is off by default. A hyphen at the end of a line of any
// length means that the reference may continue; then there is the reading NoHyphen, too (Appendix
// E).

const (
	// rejoinWidth is the smallest width, in bytes, of a line whose right edge may have
	// cut a bare reference.
	rejoinWidth = 60

	// rejoinReach is how far the reference may continue on the next line.
	rejoinReach = 1024
)

// rejoin returns the text with which the next line continues the bare reference Buf[lo:end]. The
// reference must end its line with a hyphen, or exactly at the right edge of a long line.
func (s *matcher) rejoin(lo, end int) (next []byte, v lex.Answer) {
	hi := min(s.End, end+rejoinReach)
	b := s.Buf[:hi]
	atEOF := s.Err != nil || hi == end+rejoinReach
	full := b[end-1] == '-' || s.Base+int64(end)-s.StartOf(lo) >= rejoinWidth
	if end == len(b) || !full || b[end] != '\n' && b[end] != '\r' {
		return nil, lex.No
	}
	at := end + lex.LineBreak(b[end:])
	if at == len(b) {
		return nil, lex.AtEnd(atEOF)
	}
	m := wrap.QuotePrefixOf(s.LineHead(lo))
	n, ok, short := m.Strip(b[at:], atEOF)
	if short {
		return nil, lex.More
	}
	at += n
	if !ok || at == len(b) || lex.Roles[b[at]].Has(lex.Ends) || bytes.IndexByte(noStart, b[at]) >= 0 {
		return nil, lex.No
	}
	stop, _, v := s.EndOfBare(b, at, at, bare.ScanState{}, 0, atEOF, true)
	if v != lex.Yes {
		return nil, v
	}
	stop = bare.Trim(b, at, stop, at)
	next = b[at:stop]
	if n := lex.SchemeLen(next); n > 0 && lex.HasSlashes(next[n:]) {
		return nil, lex.No
	}
	// A word of letters continues the sentence, unless the reference ends with a
	// character that requires more.
	if bytes.IndexByte(asksMore, b[end-1]) < 0 && !hasMarks(next) {
		return nil, lex.No
	}
	return next, lex.Yes
}

var (
	noStart  = []byte("()[]{}*'|\\")
	asksMore = []byte("/-_=&?%+#~")
)

// hasMarks reports whether t has a digit or another character that words do not have.
func hasMarks(t []byte) bool {
	for _, c := range t {
		if lex.Roles[c].Has(lex.Digit) || bytes.IndexByte(wordless, c) >= 0 {
			return true
		}
	}
	return false
}

var wordless = []byte("/._=&%?#~+")
