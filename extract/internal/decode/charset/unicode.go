package charset

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Unicode is an encoding form of Unicode. The zero value is UTF-8.
type Unicode uint8

const (
	UTF8 Unicode = iota
	UTF16LE
	UTF16BE
	UTF32LE
	UTF32BE
)

// unicodes has a row for each Unicode: its name, its byte order mark and its newline, which
// has the size of a code unit.
var unicodes = [...]struct {
	name         damage.Stage
	bom, newline []byte
}{
	UTF8:    {"utf-8", []byte("\xEF\xBB\xBF"), []byte("\n")},
	UTF16LE: {damage.StageUTF16LE, []byte("\xFF\xFE"), []byte("\n\x00")},
	UTF16BE: {damage.StageUTF16BE, []byte("\xFE\xFF"), []byte("\x00\n")},
	UTF32LE: {damage.StageUTF32LE, []byte("\xFF\xFE\x00\x00"), []byte("\n\x00\x00\x00")},
	UTF32BE: {damage.StageUTF32BE, []byte("\x00\x00\xFE\xFF"), []byte("\x00\x00\x00\n")},
}

// String returns the name in lower case, as "utf-16le".
func (c Unicode) String() string { return string(unicodes[c].name) }

// Unit returns the size of a code unit in bytes: 1, 2 or 4.
func (c Unicode) Unit() int { return len(unicodes[c].newline) }

// Newline returns U+000A in c, which is one code unit. The caller must not change it.
func (c Unicode) Newline() []byte { return unicodes[c].newline }

// SniffBOM returns the encoding form that the byte order mark at the beginning of head stands
// for, and the length of the mark, which is not text. Without a mark it returns UTF8 and 0. FF
// FE 00 00 is a mark of UTF-32, not of UTF-16 followed by a NUL.
func SniffBOM(head []byte) (cs Unicode, bomLen int) {
	if noMark(head) {
		return UTF8, 0
	}
	for c, row := range unicodes {
		if len(row.bom) > bomLen && bytes.HasPrefix(head, row.bom) {
			cs, bomLen = Unicode(c), len(row.bom)
		}
	}
	return cs, bomLen
}

// noMark reports whether the first byte of head begins no mark, as in nearly all texts.
func noMark(head []byte) bool { return len(head) > 0 && 0 < head[0] && head[0] < 0xEF }

// MaybeBOM reports whether more bytes after head may change the result of [SniffBOM]. They may
// do so only if head has at most 3 bytes and these begin a mark. So a caller that reads a pipe
// waits for more bytes only then.
func MaybeBOM(head []byte) bool {
	if noMark(head) {
		return false
	}
	for _, row := range unicodes {
		if len(head) < len(row.bom) && bytes.HasPrefix(row.bom, head) {
			return true
		}
	}
	return false
}

// Sniff is [SniffBOM] for a stream that begins with head, and recognises UTF-16 without a mark too.
// whole says that no more bytes may be examined; otherwise wait reports that more may change the
// answer.
func Sniff(head []byte, whole bool) (cs Unicode, bomLen int, wait bool) {
	if noMark(head) && (len(head) > 1 && head[1] != 0) { // nearly all texts
		return UTF8, 0, false
	}
	if cs, bomLen = SniffBOM(head); bomLen > 0 || !whole && MaybeBOM(head) {
		return cs, bomLen, !whole && MaybeBOM(head)
	}
	cs, wait = unmarked(head, whole)
	return cs, 0, wait
}

// unmarked reports whether head is UTF-16 without a mark: of nearly every two bytes one is NUL, always
// the same, and the other is a character of ASCII text.
func unmarked(head []byte, whole bool) (cs Unicode, wait bool) {
	const least = 8 // bytes
	if len(head) < 2 {
		return UTF8, !whole
	}
	nul := 1
	if cs = UTF16LE; head[0] == 0 {
		nul, cs = 0, UTF16BE
	}
	others := 0
	for i := 0; i+1 < len(head); i += 2 {
		char, high := head[i+1-nul], head[i+nul]
		switch {
		case high != 0:
			others++
		case char == 0x7F || char < ' ' && (char < '\t' || char > '\r'):
			return UTF8, false // data
		}
	}
	switch {
	case others > 0 && head[nul] != 0, whole && (others > len(head)/20 || len(head) < least):
		return UTF8, false
	}
	return cs, !whole
}

// replacement is U+FFFD in UTF-8.
const replacement = "\uFFFD"

// cutUnit returns the last Conversion of a stream that ends within a code unit, and the damage.
// src holds the beginning of that unit and is not empty; it becomes U+FFFD.
func cutUnit(dst, src []byte, cs Unicode) (decode.Conversion, error) {
	copy(dst, replacement)
	n := len(src)
	what := "1 byte"
	if n > 1 {
		what = string('0'+rune(n)) + " bytes"
	}
	e := damage.Skipped(unicodes[cs].name, 0, what+" left of a code unit of "+string('0'+rune(cs.Unit())))
	e.Severity, e.Mild = damage.Error, false
	return decode.Conversion{In: n, Out: 3, InUnit: uint8(n), OutUnit: 3}, e
}

// copySevenBit copies the ASCII at the beginning of src, as far as there is room.
func copySevenBit(dst, src []byte) decode.Conversion {
	n := octet.ASCII(src[:min(len(dst), len(src))])
	copy(dst, src[:n])
	return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
}

// Both decoders convert a run of characters whose source length and UTF-8 length are
// constant, so that a Conversion is uniform and a Map needs few mappings. In UTF-16, 2
// bytes become 1 (ASCII), 2 or 3 bytes of UTF-8, and the 4 bytes of a surrogate pair
// become 4. In UTF-32, 4 bytes become 1 to 4. ASCII in UTF-16 is converted four characters
// at a time.
//
// A unit that encodes no character becomes U+FFFD (Unicode, section 3.9).

type utf16Decoder struct{ cs Unicode }

func (d *utf16Decoder) Reset() {}

// Decode implements [decode.Decoder].
func (d *utf16Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if n := d.ascii(dst, src); n > 0 {
		return decode.Conversion{In: 2 * n, Out: n, InUnit: 2, OutUnit: 1}, nil
	}
	var in, out int
	var units decode.Conversion
	for in < len(src) && out+utf8.UTFMax <= len(dst) {
		r, size := d.char(src[in:], atEOF)
		if size == 0 {
			break
		}
		n := utf8.EncodeRune(dst[out:], r)
		if in == 0 {
			units = decode.Conversion{InUnit: uint8(size), OutUnit: uint8(n)}
		} else if n != int(units.OutUnit) || size != int(units.InUnit) {
			break // what was written after out is not output
		}
		in += size
		out += n
	}
	if in == 0 && len(src) == 1 && atEOF {
		return cutUnit(dst, src, d.cs)
	}
	units.In, units.Out = in, out
	return units, nil
}

// char returns the character at the beginning of src and its length in bytes. The
// length is 0 if src ends within the character and more input follows.
func (d *utf16Decoder) char(src []byte, atEOF bool) (r rune, size int) {
	if len(src) < 2 {
		return 0, 0
	}
	r = d.unit(src)
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if r < 0xDC00 { // the first half of a pair
		if len(src) < 4 {
			if !atEOF {
				return 0, 0
			}
		} else if r = utf16.DecodeRune(r, d.unit(src[2:])); r != utf8.RuneError {
			return r, 4
		}
	}
	return utf8.RuneError, 2
}

// unit returns the code unit at the beginning of src, which has 2 bytes.
func (d *utf16Decoder) unit(src []byte) rune {
	if d.cs == UTF16BE {
		return rune(binary.BigEndian.Uint16(src))
	}
	return rune(binary.LittleEndian.Uint16(src))
}

// ascii converts the ASCII characters at the beginning of src and returns their
// number. Its loops stop when dst is full, src is empty, or a character is not ASCII.
func (d *utf16Decoder) ascii(dst, src []byte) (n int) {
	most := min(len(dst), len(src)/2)
	// A word has four units, the first one in the lowest bits. The bytes of a
	// big-endian unit are in the opposite order, hence another shift and mask.
	shift, high := 0, uint64(0xFF80FF80FF80FF80)
	if d.cs == UTF16BE {
		shift, high = 8, 0x80FF80FF80FF80FF
	}
	for n+4 <= most {
		w := binary.LittleEndian.Uint64(src[2*n:])
		if w&high != 0 {
			break
		}
		w >>= shift
		w = (w | w>>8) & 0x0000FFFF0000FFFF
		binary.LittleEndian.PutUint32(dst[n:], uint32(w|w>>16))
		n += 4
	}
	for ; n < most; n++ {
		c := d.unit(src[2*n:])
		if c >= utf8.RuneSelf {
			break
		}
		dst[n] = byte(c)
	}
	return n
}

type utf32Decoder struct{ cs Unicode }

func (d *utf32Decoder) Reset() {}

// Decode implements [decode.Decoder].
func (d *utf32Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) > 0 && len(src) < 4 && atEOF {
		return cutUnit(dst, src, d.cs)
	}
	var in, out, width int
	for in+4 <= len(src) && out+utf8.UTFMax <= len(dst) {
		c := binary.LittleEndian.Uint32(src[in:])
		if d.cs == UTF32BE {
			c = bits.ReverseBytes32(c)
		}
		r := rune(utf8.RuneError)
		if c <= utf8.MaxRune {
			r = rune(c) // EncodeRune replaces surrogates
		}
		n := utf8.EncodeRune(dst[out:], r)
		if in == 0 {
			width = n
		} else if n != width {
			break // what was written after out is not output
		}
		in += 4
		out += n
	}
	return decode.Conversion{In: in, Out: out, InUnit: 4, OutUnit: uint8(width)}, nil
}

// NewUnicode returns a Decoder from cs to UTF-8, or nil for UTF8, which needs none. It does not
// remove a byte order mark: start it after the mark. A mark within text is U+FEFF and is kept.
// A code unit that is no character, such as a surrogate without its partner or a number above
// U+10FFFF, becomes U+FFFD. An incomplete code unit at the end becomes U+FFFD too, and is
// reported as a *damage.Damage.
func NewUnicode(cs Unicode) decode.Decoder {
	switch cs {
	case UTF16LE, UTF16BE:
		return &utf16Decoder{cs}
	case UTF32LE, UTF32BE:
		return &utf32Decoder{cs}
	}
	return nil
}

// markLook is how many bytes are examined to recognise text without a byte order mark.
const markLook = 32

// A marked decodes text that may begin with a byte order mark. A mark decides, because a label is
// often wrong and a mark is not. Without a mark the text is in cs, which is what its label says,
// unless its first bytes show another form: see lookOf.
type marked struct {
	cs   Unicode
	made [len(unicodes)]decode.Decoder
	d    decode.Decoder // nil at the beginning
}

func newMarked(cs Unicode) *marked { return &marked{cs: cs} }

func (m *marked) Reset() { m.d = nil }

// Decode implements [decode.Decoder]. A code unit that the end cuts is mild damage.
func (m *marked) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if m.d == nil {
		if !atEOF && (MaybeBOM(src) || m.cs != UTF8 && len(src) < markLook) {
			return decode.Conversion{}, nil
		}
		cs, n := SniffBOM(src)
		if n == 0 {
			cs = lookOf(src[:min(len(src), markLook)], m.cs)
		}
		m.use(cs)
		if n > 0 {
			return decode.Conversion{In: n, InUnit: 1}, nil
		}
	}
	conv, err := m.d.Decode(dst, src, atEOF)
	if e, ok := err.(*damage.Damage); ok {
		e.Severity, e.Mild = damage.Warning, true
	}
	return conv, err
}

// Copies implements [decode.Copier].
func (m *marked) Copies(src []byte) int {
	if m.d == nil && m.cs == UTF8 && noMark(src) { // as Decode would decide
		m.use(UTF8)
	}
	if c, ok := m.d.(decode.Copier); ok {
		return c.Copies(src)
	}
	return 0
}

// use selects the Decoder for cs, which is made when it is first used.
func (m *marked) use(cs Unicode) {
	if m.made[cs] == nil {
		if m.made[cs] = NewUnicode(cs); m.made[cs] == nil {
			m.made[cs] = NewLenient()
		}
	}
	m.d = m.made[cs]
	m.d.Reset()
}

// lookOf returns the encoding form of text that begins with head and has no byte order mark. cs
// is the form that its label says. Text of printable ASCII is not UTF-16 or UTF-32, whatever
// the label says. If code units end with a zero more often than they begin with one, the byte order
// is not that of cs. For a label without a byte order, cs has the standard order: most significant
// byte first (RFC 2781, 4.3).
func lookOf(head []byte, cs Unicode) Unicode {
	if cs == UTF8 || len(head) == 0 {
		return cs
	}
	plain := func(r rune) bool { return r >= ' ' && r <= '~' || r == '\t' || r == '\r' || r == '\n' }
	if len(bytes.TrimLeftFunc(head, plain)) == 0 {
		return UTF8
	}
	var first, last int // zeros at the ends of code units
	size := cs.Unit()
	for i := 0; i+size <= len(head); i += size {
		if head[i] == 0 {
			first++
		}
		if head[i+size-1] == 0 {
			last++
		}
	}
	switch {
	case cs == UTF16BE && last > first:
		return UTF16LE
	case cs == UTF32BE && last > first:
		return UTF32LE
	}
	return cs
}
