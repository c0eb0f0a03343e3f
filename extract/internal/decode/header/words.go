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

// plain decodes ASCII at the beginning of src, if nothing is pending: characters that stand
// for themselves, or groups of four letters of base64.
func (w *word) plain(dst, src []byte) (conv decode.Conversion) {
	most, n := min(len(dst), len(src)), 0
	if !w.base64 {
		for n < most && !octet.IsSpace(src[n]) && src[n] != '=' && src[n] != '?' && src[n] != '_' && src[n] < 0x80 {
			n++
		}
		conv = decode.Conversion{In: n, Out: copy(dst, src[:n]), InUnit: 1, OutUnit: 1}
	} else {
		for 4*n+4 <= len(src) && 3*n+3 <= len(dst) {
			a, b, c, d := octet.Base64[src[4*n]], octet.Base64[src[4*n+1]], octet.Base64[src[4*n+2]], octet.Base64[src[4*n+3]]
			three := uint32(a-1)<<18 | uint32(b-1)<<12 | uint32(c-1)<<6 | uint32(d-1)
			if a == 0 || b == 0 || c == 0 || d == 0 || three&0x808080 != 0 {
				break
			}
			dst[3*n], dst[3*n+1], dst[3*n+2] = byte(three>>16), byte(three>>8), byte(three)
			n++
		}
		conv = decode.Conversion{In: 4 * n, Out: 3 * n, InUnit: 4, OutUnit: 3}
	}
	w.seen += int64(conv.In)
	w.group, w.unit.base, w.unit.end, w.unit.whole = w.seen, w.seen, w.seen, w.seen
	return conv
}

// handed begins the next unit, after the ready one was returned.
func (w *word) handed() {
	w.unit.base, w.broken = w.unit.whole, false
	w.unit.size, w.unit.ready = copy(w.unit.text[:], w.unit.text[w.unit.size:][:w.unit.next.size]), false
	if w.unit.size > 0 {
		w.unit.end, w.unit.whole = w.unit.next.end, w.unit.next.whole
		w.unit.ready = w.unit.end == w.unit.whole
		w.unit.next.size = 0
	}
}

// decode gives the decoder of the charset one more byte, and adds its output to the unit.
func (w *word) decode() {
	w.pending.fed = min(w.pending.fed+1, w.pending.n)
	// The end of a word ends its charset too, even within a character. So does junk that
	// keeps a character from being completed.
	last := (w.closed || w.broken) && w.pending.fed == w.pending.n
	conv, _ := w.set.Decode(w.unit.text[w.unit.size:][:decode.MinRoom], w.pending.bytes[:w.pending.fed], last)
	if conv.In == 0 && conv.Out == 0 {
		if last { // never so, because decoders consume everything at the end; but the loop must end
			w.pending.n, w.pending.fed = 0, 0
		}
		return
	}
	end, whole := w.unit.end, w.unit.whole
	if n := conv.In; n > 0 { // move the remaining bytes down; there are few
		end, whole = w.pending.ends[n-1], w.pending.groups[n-1]
		if n < w.pending.n {
			copy(w.pending.ends[:], w.pending.ends[n:w.pending.n])
			copy(w.pending.groups[:], w.pending.groups[n:w.pending.n])
			copy(w.pending.bytes[:], w.pending.bytes[n:w.pending.n])
		}
		w.pending.n, w.pending.fed = w.pending.n-n, 0
	}
	if w.unit.size > 0 && w.unit.size+conv.Out > decode.MinRoom { // cut the unit; this output begins the next one
		w.unit.next.size, w.unit.next.end, w.unit.next.whole = conv.Out, end, whole
		w.unit.ready = true
		return
	}
	w.unit.size += conv.Out
	w.unit.end, w.unit.whole = end, whole
	w.unit.ready = end == whole
}

// pull consumes the next byte of the text, or finds its end, and reports whether more input
// is needed. It consumes nothing before it has all that it must examine, so the result does
// not depend on how the input is split.
func (w *word) pull(src []byte, atEOF bool) (more bool) {
	if w.seen-w.unit.base > maxWordUnit { // no character ends where a group ends, or a group has junk in it
		if w.unit.ready = w.unit.whole > w.unit.base; !w.unit.ready {
			w.broken = true
			w.regroup(w.seen)
		}
		return false
	}
	at := func(i int) byte { // 0 after the end
		if i < len(src) {
			return src[i]
		}
		more = more || !atEOF
		return 0
	}
	c, n := at(0), 1
	switch {
	case len(src) == 0, c == '\n', c == '?' && at(1) == '=', c == '\r' && at(1) == '\n':
		w.closed = !more
		return more
	case w.base64:
		if !more {
			w.seen++
			w.letter(c)
		}
		return more
	case c == '_':
		c = ' '
	case c == '=':
		// A '=' without two digits is itself.
		hi := octet.Hex[at(1)]
		if hi > 0xF {
			break
		}
		if lo := octet.Hex[at(2)]; lo <= 0xF {
			c, n = hi<<4|lo, 3
		}
	}
	if !more {
		w.seen += int64(n)
		w.group = w.seen
		w.put(c)
	}
	return more
}

// put adds a byte of the charset.
func (w *word) put(c byte) {
	w.pending.bytes[w.pending.n], w.pending.ends[w.pending.n], w.pending.groups[w.pending.n] = c, w.seen, w.group
	w.pending.n++
}

// letter consumes a byte of base64. Other bytes are skipped; after padding a new group
// begins.
func (w *word) letter(c byte) {
	v := octet.Base64[c]
	if v == 0 {
		w.padded = w.padded || c == '='
		if w.letters == 0 {
			w.regroup(w.seen)
		}
		return
	}
	if w.padded {
		w.regroup(w.seen - 1)
	}
	w.bits = w.bits<<6 | uint32(v-1)
	w.letters++
	switch w.letters {
	case 2:
		w.put(byte(w.bits >> 4))
	case 3:
		w.put(byte(w.bits >> 2))
	case 4:
		c = byte(w.bits)
		w.bits, w.letters, w.group = 0, 0, w.seen
		w.put(c)
	}
}

// regroup begins a new group of letters at off. What is in front of it belongs to the last
// character.
func (w *word) regroup(off int64) {
	w.bits, w.letters, w.padded, w.group = 0, 0, false, off
	if w.pending.n > 0 {
		w.pending.ends[w.pending.n-1], w.pending.groups[w.pending.n-1] = off, off
		return
	}
	w.unit.end, w.unit.whole, w.unit.ready = off, off, off > w.unit.base
}
