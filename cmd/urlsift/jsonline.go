package main

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"github.com/urlsift/urlsift/extract"
)

// The hot path of JSON. A record is laid out as the table of fields has it, in
// four stretches:
//
//	{"url":U,"text":T │ target … warnings │ source … field │ offset … exact}
//	 own                kind                place            own
//
// What is of the result's own is made each time. A text that a grammar takes has
// nothing to escape; another is looked at eight bytes at a time while it is copied;
// and one that is in the record already is copied from there. Kind and place are the same for most results. The kind says how a
// reference was found and which grammars take it, by few bits: so the fields of
// each set of these are remembered as they were made. The place says in which
// message it stands: its fields are made anew when they change.
//
// Kinds and places are made field by field, by the table; so is the kind of a
// result that has more to tell than bits can: a target, a fault, a tail, other
// readings. The names of what is made here come from the table too. That the order is
// the table's, tests hold: they compare this with the record made all by the table.

// Where the stretches begin in fields.
var (
	kindField  = fieldAt("target")
	placeField = fieldAt("source")
	ownField   = fieldAt("offset")
)

// The keys of what is made here, with the comma in front.
var (
	textKey   = keyOf("text")
	offsetKey = keyOf("offset")
	lengthKey = keyOf("length")
	lineKey   = keyOf("line")
	columnKey = keyOf("column")
)

// Ends and beginnings of objects, likewise.
var (
	urlBegin = `{"url":`
	exactEnd = `,"` + fields[fieldAt("exact")].name + `":true}`
)

// A key is a name between comma and colon, in memory that is copied whole: that is
// two words, which takes no loop.
type key struct {
	text [16]byte
	n    int
}

// keyOf returns the key of the field of that name.
func keyOf(name string) (k key) {
	k.n = copy(k.text[:], `,"`+fields[fieldAt(name)].name+`":`)
	return k
}

// fieldAt returns the place of a field in the table.
func fieldAt(name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.name == name })
}

// strict are the grammars that take no byte which JSON escapes. The others are older
// than JSON, and have the double quote.
var strict = func() uint8 {
	var r extract.Result
	if err := r.Accepts.UnmarshalText([]byte("url-1996+url-1997+uri-2002+rfc3986")); err != nil {
		panic(err)
	}
	return uint8(r.Accepts)
}()

// A jsonLine remembers what was made for other results.
type jsonLine struct {
	kinds  [kindSlots]jsonKind
	origin extract.Origin // that place was made for, without offsets
	place  []byte         // nil if none was
}

// A jsonKind is the second stretch, of results whose bits are bits.
type jsonKind struct {
	bits uint64 // 0 if there is none
	text []byte
}

// kindSlots is how many kinds are remembered. Where two have the same slot, the
// later one stays.
const kindSlots = 64

// appendLine appends the object of r, which has a URL and a text.
func (p *jsonPrinter) appendLine(dst []byte, r *extract.Result) []byte {
	p.r = r
	// Room for the texts, if there is nothing to escape, for keys and numbers.
	dst = slices.Grow(dst, len(r.URL)+len(r.Found.Text)+256)
	dst = append(dst, urlBegin...)
	at := len(dst)
	if uint8(r.Accepts)&strict != 0 && sameBytes(r.URL, r.Found.Ref) {
		dst = append(append(append(dst, '"'), r.URL...), '"')
	} else {
		dst = appendString(dst, r.URL)
	}
	url := dst[at:]
	dst = textKey.append(dst)
	if sameBytes(r.URL, r.Found.Text) {
		dst = append(dst, url...)
	} else {
		dst = appendString(dst, r.Found.Text)
	}
	dst = p.appendKind(dst, r)
	dst = p.appendPlace(dst, &r.Origin)
	return p.appendNumbers(dst, &r.Origin)
}

// appendKind appends the second stretch.
func (p *jsonPrinter) appendKind(dst []byte, r *extract.Result) []byte {
	f := &r.Found
	if r.Target != nil || r.Base != "" || r.BaseFrom != 0 || r.Err != nil ||
		len(f.Tail) > 0 || f.Others != 0 || uint(f.Breaks) > 0xFF {
		p.fill(r)
		return p.appendFields(dst, fields[kindField:placeField])
	}
	set := 1 | uint64(r.Accepts)<<8 | uint64(f.By)<<16 | uint64(r.Warnings())<<24 |
		uint64(f.Form)<<32 | uint64(f.Breaks)<<40 | bit(r.Valid)<<48 | bit(f.Prefixed)<<49
	k := &p.line.kinds[set*0x9E3779B97F4A7C15>>(64-6)] // which spreads the bits over the slots
	if k.bits != set {
		p.fill(r)
		k.bits, k.text = set, p.appendFields(k.text[:0], fields[kindField:placeField])
	}
	return append(dst, k.text...)
}

// bit returns 1 for true.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// appendPlace appends the third stretch.
func (p *jsonPrinter) appendPlace(dst []byte, o *extract.Origin) []byte {
	l := &p.line
	if l.place == nil || !sameMessage(o, &l.origin) {
		l.origin = *o
		l.place = p.appendFields(l.place[:0], fields[placeField:ownField])
	}
	return append(dst, l.place...)
}

// sameMessage reports whether a and b are of the same text of the same message. Texts
// of one message are the same memory, for which a comparison looks first.
func sameMessage(a, b *extract.Origin) bool {
	return a.Message == b.Message && a.Source == b.Source && a.Member == b.Member &&
		a.Part == b.Part && a.MessageID == b.MessageID && a.Date == b.Date &&
		a.Newsgroups == b.Newsgroups && a.Field == b.Field
}

// sameBytes reports whether a and b, which are both still good, are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// appendNumbers appends the last stretch, and the end of the line.
func (p *jsonPrinter) appendNumbers(dst []byte, o *extract.Origin) []byte {
	at := len(dst)
	to := slices.Grow(dst, 4*numberRoom)[:at+4*numberRoom]
	at = putNumber(to, at, &offsetKey, o.Offset)
	if o.Length != 0 {
		at = putNumber(to, at, &lengthKey, o.Length)
	}
	if o.Line != 0 {
		at = putNumber(to, at, &lineKey, o.Line)
	}
	if o.Column != 0 {
		at = putNumber(to, at, &columnKey, o.Column)
	}
	dst = to[:at]
	if o.Exact {
		dst = append(dst, exactEnd...)
	} else {
		dst = append(dst, '}')
	}
	return append(dst, p.end)
}

// numberRoom is what a key and any number may take.
const numberRoom = 40

// putNumber writes a key and n, as strconv.AppendInt would, at to[at:], which is
// numberRoom bytes long or more, and returns where they end; what is behind that may
// change. Lengths and columns are looked up; most other numbers have at most eight
// digits, and there is no loop over these, whose turns are not to be foreseen.
func putNumber(to []byte, at int, k *key, n int64) int {
	*(*[16]byte)(to[at:]) = k.text
	at += k.n
	if uint64(n) < uint64(len(small)) {
		binary.LittleEndian.PutUint32(to[at:], small[n])
		return at + int(small[n]>>24)
	}
	if uint64(n) >= 1e16 {
		return len(strconv.AppendInt(to[:at], n, 10))
	}
	low := uint64(n)
	if low >= 1e8 {
		x := eightDigits(low / 1e8)
		zeros := bits.TrailingZeros64(x) / 8
		binary.LittleEndian.PutUint64(to[at:], (x|zeroDigits)>>(zeros*8&63))
		at += 8 - zeros
		binary.LittleEndian.PutUint64(to[at:], eightDigits(low%1e8)|zeroDigits)
		return at + 8
	}
	x := eightDigits(low)
	zeros := bits.TrailingZeros64(x) / 8
	binary.LittleEndian.PutUint64(to[at:], (x|zeroDigits)>>(zeros*8&63))
	return at + 8 - zeros
}

// small has the digits of numbers, the first lowest, and above them how many there are.
var small = func() (t [1000]uint32) {
	for n := range t {
		var text [4]byte
		text[3] = byte(len(strconv.AppendInt(text[:0], int64(n), 10)))
		t[n] = binary.LittleEndian.Uint32(text[:])
	}
	return t
}()

// zeroDigits is "00000000".
const zeroDigits = 0x3030303030303030

// eightDigits returns the eight decimal digits of n, which is below 1e8, as numbers:
// a byte each, the first lowest. It halves four digits, then two, in all parts of the
// word at once; the factors are what makes a shift of a division, and are right for
// all numbers of four and of two digits.
func eightDigits(n uint64) uint64 {
	x := n/1e4 | n%1e4<<32 // two numbers of four digits
	q := x * 10486 >> 20 & (0x7F<<32 | 0x7F)
	x = q | (x-q*100)<<16 // four of two
	q = x * 103 >> 10 & 0x000F_000F_000F_000F
	return q | (x-q*10)<<8
}

// append appends k.
func (k *key) append(dst []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(k.text))
	*(*[16]byte)(dst[n : n+16]) = k.text
	return dst[:n+k.n]
}

// appendString is appendJSON for texts that seldom have anything to escape. It
// passes over s once, as far as it has nothing.
func appendString(dst, s []byte) []byte {
	dst = append(slices.Grow(dst, len(s)+2), '"')
	n := len(dst)
	to := dst[n : n+len(s)]
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		if unclean(x) {
			return append(appendEscaped(dst[:n+i], s[i:]), '"')
		}
		binary.LittleEndian.PutUint64(to[i:], x)
	}
	if i < len(s) && i > 0 { // the last word, some of which is there already
		x := binary.LittleEndian.Uint64(s[len(s)-8:])
		if unclean(x) {
			return append(appendEscaped(dst[:n+i], s[i:]), '"')
		}
		binary.LittleEndian.PutUint64(to[len(s)-8:], x)
	} else if i < len(s) {
		return append(appendEscaped(dst[:n], s), '"')
	}
	return append(dst[:n+len(s)], '"')
}

// unclean reports whether one of eight bytes is not plain. To add what a bound
// lacks to 0x80 sets the top bit of those that reach it; a byte beyond ASCII spoils
// those above it, but is itself unclean.
func unclean(x uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	clean := (x + (0x80-' ')*ones) & ((x ^ '"'*ones) + 0x7F*ones) & ((x ^ '\\'*ones) + 0x7F*ones)
	return (x|(x+ones)|^clean)&tops != 0
}
