package header

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// An encoded word is "=?charset?Q?text?=" or "=?charset*language?B?text?=" (RFC 2047; RFC 2231,
// 5). Its text becomes bytes of the charset. A Decoder for the charset converts these to
// characters: it gets one byte after another until it returns text. In Q, this text is a unit. In
// B, a character may end within a group of four letters, which is three bytes. So text is collected
// until it ends where a group ends, and then it is a unit of one or a few characters.
//
// A unit is bounded in text (MinRoom) and in source (maxWordUnit). A unit of B that would be
// longer is cut after its last whole group, and its last character ends in the next unit. This
// happens only after many characters that do not end at a group, such as one of one byte and
// six of three bytes. References consist of characters of one byte, and of these at most three
// are needed to reach the end of a group.

const (
	// wordBlanks is the most white space between two encoded words that is removed.
	wordBlanks = 60

	// wordReach is how far the end of a word is searched. A word has at most 75 bytes
	// (RFC 2047, 2). A longer one on the same line is a word too; it ends with the line
	// or at "?=".
	wordReach = 190

	// wordCharset is the longest name of a charset, with its language.
	wordCharset = 64

	// maxWordUnit is the longest unit in bytes of source; 3 more may be examined.
	maxWordUnit = 200
)

// A word is an encoded word that is being decoded. All offsets are in the input of the
// header.
type word struct {
	sets   charset.Decoders
	set    decode.Decoder // of the word's charset
	base64 bool
	ascii  bool // ASCII is always itself in the charset
	closed bool // the end of the text was seen

	seen    int64  // input offset up to which the text was consumed
	group   int64  // input offset up to which groups are whole
	bits    uint32 // of the letters after group
	letters int    // number of these letters
	padded  bool   // a '=' followed them
	broken  bool   // a unit has reached its limit without output: the pending bytes form no character

	pending pendingBytes
	unit    wordUnit
}

// pendingBytes are the bytes of the charset that are not decoded yet: bytes[:n]. ends has the
// input offset after each byte, and groups the value of word.group at that offset. The decoder
// has seen the first fed bytes.
type pendingBytes struct {
	bytes        [decode.MaxUnit]byte
	ends, groups [decode.MaxUnit]int64
	n, fed       int
}

// A wordUnit is the unit in progress: text[:size]. Its source is [base, end), of which [base,
// whole) are whole groups. If the unit is ready, its source is [base, whole), and
// text[size:][:next.size] begins the next unit.
type wordUnit struct {
	text             [2 * decode.MinRoom]byte
	size             int
	base, end, whole int64
	ready            bool
	next             struct {
		size       int
		end, whole int64
	}
}

// open reads the beginning of an encoded word at src[0], a '=' with the offset pos in the
// input. It returns the length of "=?charset?Q?", or 0 if no encoded word begins there.
func (w *word) open(src []byte, pos int64, atEOF bool) (n int, more bool) {
	n, name, more := wordHead(src, atEOF)
	if n == 0 {
		return 0, more
	}
	w.set, _ = w.sets.Decoder(src[2 : 2+name])
	w.set.Reset()
	w.base64 = src[n-2]|0x20 == 'b'
	w.ascii = charset.KeepsASCII(w.set)
	w.seen = pos + int64(n)
	w.group, w.unit.base, w.unit.end, w.unit.whole = w.seen, w.seen, w.seen, w.seen
	w.closed, w.padded, w.broken, w.unit.ready = false, false, false, false
	w.bits, w.letters, w.pending.n, w.pending.fed, w.unit.size, w.unit.next.size = 0, 0, 0, 0, 0, 0
	return n, false
}

// wordHead returns the length of "=?charset?Q?" at the beginning of src, which begins with '=', and
// the length of the charset. It returns 0 if no encoded word begins there: an encoded word ends on
// its line, or is longer than wordReach. The result does not depend on how much input there is: as
// long as more input may change it, wordHead asks for more.
func wordHead(src []byte, atEOF bool) (n, name int, more bool) {
	if len(src) == 1 || src[1] != '?' {
		return 0, 0, len(src) == 1 && !atEOF
	}
	n = 2
	for n < len(src) && '!' <= src[n] && src[n] <= '~' && src[n] != '?' && n-2 <= wordCharset {
		n++
	}
	name = n - 2
	for i, want := range [...]string{"?", "BbQq", "?"} {
		// An overlong charset is rejected without more input.
		if n+i == len(src) && name <= wordCharset {
			return 0, 0, !atEOF
		}
		if name == 0 || name > wordCharset || strings.IndexByte(want, src[n+i]) < 0 {
			return 0, 0, false
		}
	}
	n += 3
	head := src[n:min(len(src), wordReach)]
	end, line := bytes.Index(head, []byte("?=")), bytes.IndexByte(head, '\n')
	switch {
	case end >= 0 && (line < 0 || end < line), end < 0 && line < 0 && len(src) >= wordReach:
		return n, name, false
	case line >= 0:
		return 0, 0, false
	}
	return 0, 0, !atEOF
}

// wordGap returns the length of the white space, with folds, at the beginning of src, if an
// encoded word follows it.
func wordGap(src []byte, atEOF bool) (n int, more bool) {
	for n < len(src) && n <= wordBlanks {
		if octet.IsBlank(src[n]) {
			n++
			continue
		}
		k := octet.LineEnd(src[n:])
		if n+k == len(src) || src[n] == '\r' && n+1 == len(src) {
			return 0, !atEOF
		}
		if k == 0 || !octet.IsBlank(src[n+k]) {
			break
		}
		n += k + 1
	}
	switch {
	case n > wordBlanks:
		return 0, false
	case n == len(src):
		return 0, !atEOF
	case n == 0 || src[n] != '=':
		return 0, false
	}
	if head, _, more := wordHead(src[n:], atEOF); head == 0 {
		return 0, more
	}
	return n, false
}
