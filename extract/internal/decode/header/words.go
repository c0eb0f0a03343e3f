package header

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// An encoded word is "=?charset?Q?text?=" or "=?charset*language?B?text?="
// (RFC 2047; RFC 2231, 5). Its text becomes bytes of the charset, and these
// become characters by a Decoder of their own, which is given one byte more at
// a time until it makes something. What it makes is a unit as soon as it ends
// where bytes end in the source too: always in Q, and in B after each group of
// four letters. So a unit of B is one to a few characters.
//
// A unit has a bound, of text (MinRoom) and of source (maxWordUnit). A unit of B
// that would pass it is cut after its last whole group, and its last character
// ends in the next one. That takes characters that miss the groups for long,
// such as six of three bytes after a single one. Those of one byte, of which
// references are made, meet a group within three.

const (
	// wordBlanks bounds the white space between two encoded words that is
	// removed.
	wordBlanks = 60

	// wordLook bounds how far the end of a word is looked for. A word has at
	// most 75 bytes (RFC 2047, 2); one that continues for longer than this on one
	// line is a word all the same, and ends with the line or where it says.
	wordLook = 190

	// wordCharset bounds the name of a charset with its language.
	wordCharset = 64

	// maxWordUnit bounds a unit, in bytes of source; 3 more may be examined.
	maxWordUnit = 200
)

// A word is an encoded word whose text is being turned. All offsets are in the
// input of the header.
type word struct {
	set    decode.Decoder
	base64 bool
	ascii  bool // it takes ASCII for ASCII, at any place
	closed bool // the end of the text was seen

	seen   int64  // the text was examined up to here
	group  int64  // up to here in whole groups
	bits   uint32 // of the letters after
	held   int    // number of these
	padded bool   // and a '=' after them
	over   bool   // nothing was made of a whole unit: what is pending stays broken

	// bytes[:n] are of the charset, not turned yet. The source of each ends at
	// ends; groups is group there. The decoder was given fed of them.
	bytes        [decode.MaxUnit]byte
	ends, groups [decode.MaxUnit]int64
	n, fed       int

	// The unit that is put together is text[:size], of the source from base to
	// end, of which whole is in whole groups. If it is ready, it is of the
	// source up to whole, and text[size:][:next.size] begins the next one.
	text             [2 * decode.MinRoom]byte
	size             int
	base, end, whole int64
	ready            bool
	next             struct {
		size       int
		end, whole int64
	}
}

// openWord examines '=' and what follows. It returns the length of what stands
// before the text of an encoded word, and 0 if there is none.
func (h *Decoder) openWord(src []byte, atEOF bool) (n int, more bool) {
	n, name, more := wordHead(src, atEOF)
	if n == 0 {
		return 0, more
	}
	w := &h.word
	w.set, _ = h.sets.Decoder(src[2 : 2+name])
	w.set.Reset()
	w.base64 = src[n-2]|0x20 == 'b'
	w.ascii = charset.KeepsASCII(w.set)
	w.seen = h.pos + int64(n)
	w.group, w.base, w.end, w.whole = w.seen, w.seen, w.seen, w.seen
	w.closed, w.padded, w.over, w.ready = false, false, false, false
	w.bits, w.held, w.n, w.fed, w.size, w.next.size = 0, 0, 0, 0, 0, 0
	h.state = inWord
	return n, false
}

// wordHead returns the length of "=?charset?Q?" at the beginning of src, which
// begins with '=', and that of the charset, if an encoded word begins there: one
// that ends on its line, or continues beyond wordLook. What it examines does not
// depend on how much source there is: as long as that may decide, it asks for more.
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
		// An overlong charset needs no more source to be none.
		if n+i == len(src) && name <= wordCharset {
			return 0, 0, !atEOF
		}
		if name == 0 || name > wordCharset || strings.IndexByte(want, src[n+i]) < 0 {
			return 0, 0, false
		}
	}
	n += 3
	look := src[n:min(len(src), wordLook)]
	end, line := bytes.Index(look, []byte("?=")), bytes.IndexByte(look, '\n')
	switch {
	case end >= 0 && (line < 0 || end < line), end < 0 && line < 0 && len(src) >= wordLook:
		return n, name, false
	case line >= 0:
		return 0, 0, false
	}
	return 0, 0, !atEOF
}

// wordGap returns the length of the white space, folds too, at the beginning of
// src, if an encoded word begins after it.
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
