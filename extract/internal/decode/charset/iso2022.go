package charset

import (
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// The charsets of seven bits that shift between sets of characters: the ISO 2022 charsets of mail
// (ISO-2022-JP, -JP-2, -KR, -CN: RFC 1468, 1554, 1557, 1922) and HZ (RFC 1843). One decoder reads
// them all, since their escape sequences do not conflict. Escape sequences are removed; unknown
// ones are text. At a line end all sets except that of SO return to ASCII, so a broken line does
// not damage the next one. JIS Roman is read as ASCII.

// A charSet is what bytes from 0x21 to 0x7E stand for.
type charSet uint8

const (
	setASCII  charSet = iota
	setKana           // JIS X 0201, the half with katakana
	setLatin          // ISO-8859-1, the upper half
	setDouble         // from here on two bytes are a character
	setJIS    = iota - 1
	setJIS2   // JIS X 0212
	setGB
	setKS
	setNone // two bytes that have no character here
)

// escapes has the sequences after ESC, and the set that each selects.
var escapes = [...]struct {
	seq string
	set charSet
	to  int // g0, g1 or g2
}{
	{"(B", setASCII, 0}, {"(J", setASCII, 0}, {"(H", setASCII, 0}, {"(I", setKana, 0},
	{"$@", setJIS, 0}, {"$B", setJIS, 0}, {"$(@", setJIS, 0}, {"$(B", setJIS, 0}, {"$(D", setJIS2, 0},
	{"$A", setGB, 0}, {"$(A", setGB, 0}, {"$(C", setKS, 0}, {"$(Q", setNone, 0}, {"$(O", setNone, 0},
	{"$)C", setKS, 1}, {"$)A", setGB, 1}, {"$)E", setGB, 1}, {"$)G", setNone, 1}, {"$*H", setNone, 2},
	{".A", setLatin, 2}, {".F", setNone, 2},
}

const (
	esc = 0x1B
	so  = 0x0E
	si  = 0x0F
)

// A shiftDecoder decodes one of these charsets. A Conversion is a stretch of ASCII, or of
// characters of one length.
type shiftDecoder struct {
	hz    bool // it is HZ, not one of ISO 2022
	sets  [3]charSet
	out   bool // SO was the last shift: the set is sets[1]
	pairs [setNone]*twoByteDecoder

	ask struct{ src, text [4]byte } // of a character of setJIS2
}

func (d *shiftDecoder) Reset() {
	d.sets = [3]charSet{}
	d.out = false
}

// set returns the current set.
func (d *shiftDecoder) set() charSet {
	if d.out {
		return d.sets[1]
	}
	return d.sets[0]
}

// endLine returns to ASCII.
func (d *shiftDecoder) endLine() {
	d.sets[0], d.sets[2], d.out = setASCII, setASCII, false
}

// Decode implements [decode.Decoder].
func (d *shiftDecoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	set := d.set()
	if set == setASCII {
		if n := d.plain(src[:min(len(dst), len(src))]); n > 0 {
			copy(dst, src[:n])
			return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, nil
		}
	}
	if len(src) == 0 {
		return decode.Conversion{}, nil
	}
	if conv, ok := d.shift(dst, src, atEOF); ok {
		return conv, nil
	}
	var conv decode.Conversion
	for conv.In < len(src) && conv.Out+utf8.UTFMax <= len(dst) {
		r, in := d.char(src[conv.In:], set, atEOF)
		if in == 0 {
			break
		}
		out := utf8.EncodeRune(dst[conv.Out:], r)
		if conv.In == 0 {
			conv.InUnit, conv.OutUnit = uint8(in), uint8(out)
		} else if in != int(conv.InUnit) || out != int(conv.OutUnit) || d.mayChange(src[conv.In]) {
			break // bytes of dst after Out are not output
		}
		conv.In += in
		conv.Out += out
	}
	return conv, nil
}

// mayChange reports whether the charset may change at c: at an escape, a shift, or the end of a line.
func (d *shiftDecoder) mayChange(c byte) bool {
	if d.hz {
		return c == '~' || c == '\n'
	}
	return c == esc || c == so || c == si || c == '\n'
}

// plain returns how many bytes at the beginning of src are ASCII and begin no shift. Line ends
// are among them, since they change nothing in ASCII.
func (d *shiftDecoder) plain(src []byte) (n int) {
	stop := byte(stops2022)
	if d.hz {
		stop = stopsHZ
	}
	for n < len(src) && shiftMarks[src[n]]&stop == 0 {
		n++
	}
	return n
}

// Classes of bytes at which a stretch of ASCII stops.
const (
	stops2022 = 1 << iota
	stopsHZ
)

var shiftMarks = func() (marks [256]uint8) {
	marks[esc], marks[so], marks[si], marks['~'] = stops2022, stops2022, stops2022, stopsHZ
	for c := utf8.RuneSelf; c < len(marks); c++ {
		marks[c] = stops2022 | stopsHZ
	}
	return marks
}()

// shift converts the shift or the line end at the beginning of src; ok is false if there is
// none. If src is too short to decide, it returns the empty Conversion and true.
func (d *shiftDecoder) shift(dst, src []byte, atEOF bool) (conv decode.Conversion, ok bool) {
	c := src[0]
	switch {
	case !d.mayChange(c):
		return decode.Conversion{}, false
	case c == '\n':
		d.endLine()
		return decode.Replace(dst, c, 1), true
	case d.hz:
		return d.tilde(dst, src, atEOF)
	case c == so, c == si:
		d.out = c == so
		return decode.Conversion{In: 1, InUnit: 1}, true
	}
	for i := range escapes {
		e := &escapes[i]
		if len(src) > 1 && src[1] != e.seq[0] {
			continue // the first byte differs in nearly all text
		}
		n := min(len(e.seq), len(src)-1)
		if string(src[1:1+n]) != e.seq[:n] {
			continue
		}
		if n < len(e.seq) {
			if atEOF {
				continue
			}
			return decode.Conversion{}, true
		}
		d.sets[e.to] = e.set
		return decode.Conversion{In: 1 + n, InUnit: 1}, true
	}
	if len(src) > 1 && src[1] == 'N' && d.sets[2] != setASCII { // one character of G2
		r, in := d.char(src[2:], d.sets[2], atEOF)
		if in == 0 && !atEOF {
			return decode.Conversion{}, true
		}
		if in > 0 {
			n := utf8.EncodeRune(dst, r)
			return decode.Conversion{In: 2 + in, Out: n, InUnit: uint8(2 + in), OutUnit: uint8(n)}, true
		}
	}
	return decode.Replace(dst, c, 1), true
}

// tilde is shift for a '~' in HZ.
func (d *shiftDecoder) tilde(dst, src []byte, atEOF bool) (conv decode.Conversion, ok bool) {
	if len(src) == 1 && !atEOF {
		return decode.Conversion{}, true
	}
	next := byte(0)
	if len(src) > 1 {
		next = src[1]
	}
	switch next {
	case '{':
		d.sets[0] = setGB
	case '}':
		d.sets[0] = setASCII
	case '\n':
	case '~':
		return decode.Replace(dst, '~', 2), true
	default: // usually a home directory in a reference
		return decode.Replace(dst, '~', 1), true
	}
	return decode.Conversion{In: 2, InUnit: 1}, true
}

// char returns the character of set at the beginning of src and its length in bytes, or 0 and 0
// if more bytes are needed. A byte that is not in the set is ASCII, or becomes U+FFFD.
func (d *shiftDecoder) char(src []byte, set charSet, atEOF bool) (r rune, size int) {
	if len(src) == 0 {
		return 0, 0
	}
	c := src[0]
	switch {
	case c >= utf8.RuneSelf:
		return utf8.RuneError, 1
	case c <= ' ' || c == 0x7F || set == setASCII:
		return rune(c), 1
	case set == setKana && c < 0x60:
		return rune(c) + 0xFF61 - 0x21, 1
	case set == setLatin:
		return rune(c | 0x80), 1
	case set < setDouble:
		return utf8.RuneError, 1
	case len(src) == 1 && !atEOF:
		return 0, 0
	case len(src) == 1 || src[1] <= ' ' || src[1] >= 0x7F:
		return utf8.RuneError, 1
	case set == setNone:
		return utf8.RuneError, 2
	}
	p := d.decoder(set)
	if set == setJIS2 {
		a := &d.ask
		a.src = [4]byte{0x8F, c | 0x80, src[1] | 0x80}
		n, _ := one(p.long, a.text[:], a.src[:3], true)
		r, _ = utf8.DecodeRune(a.text[:n])
		return r, 2
	}
	pair := 0x8080 | uint(c)<<8 | uint(src[1])
	there := p.known(pair)
	if there == 0 {
		there = p.newCell(pair)
	}
	if there.size() == 2 {
		return there.rune(), 2
	}
	return utf8.RuneError, 2
}

// decoder returns the decoder of the charset that contains set, at bytes from 0x80 on.
func (d *shiftDecoder) decoder(set charSet) *twoByteDecoder {
	if d.pairs[set] == nil {
		switch set {
		case setJIS, setJIS2:
			d.pairs[set] = newPairDecoder(eucJP())
		case setGB:
			d.pairs[set] = newPairDecoder(gb18030())
		case setKS:
			d.pairs[set] = newPairDecoder(eucKR())
		}
	}
	return d.pairs[set]
}
