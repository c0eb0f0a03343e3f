package main

import (
	"encoding/binary"
	"slices"
	"strconv"
	"unsafe"

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
// and one that is in the record already is copied from there. Kind and place are the
// same for most results. The kind says how a reference was found and which grammars
// take it, by few bits: so the fields of each set of these are remembered as they were
// made. The place says in which message it stands: its fields are made anew when they
// change, and put behind those of the kinds that come then, so that both are copied
// as one.
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
	place  []byte
	turn   int // how many places were made
}

// A jsonKind is the second stretch, of results whose bits are bits, and the third
// behind it.
type jsonKind struct {
	bits uint64 // 0 if there is none
	text []byte
	n    int // where the third begins
	turn int // of the third; 0 if none is there
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
	dst = p.appendMiddle(dst, r)
	return p.appendNumbers(dst, &r.Origin)
}

// appendMiddle appends the second and the third stretch.
func (p *jsonPrinter) appendMiddle(dst []byte, r *extract.Result) []byte {
	l := &p.line
	if l.turn == 0 || !sameMessage(&r.Origin, &l.origin) {
		l.origin = r.Origin
		l.place = p.appendFields(l.place[:0], fields[placeField:ownField])
		l.turn++
	}
	f := &r.Found
	if r.Target != nil || r.Base != "" || r.BaseFrom != 0 || r.Err != nil ||
		len(f.Tail) > 0 || f.Others != 0 || uint(f.Breaks) > 0xFF {
		p.fill(r)
		return append(p.appendFields(dst, fields[kindField:placeField]), l.place...)
	}
	set := 1 | uint64(r.Accepts)<<8 | uint64(f.By)<<16 | uint64(r.Warnings())<<24 |
		uint64(f.Form)<<32 | uint64(f.Breaks)<<40 | bit(r.Valid)<<48 | bit(f.Prefixed)<<49
	k := &l.kinds[set*0x9E3779B97F4A7C15>>(64-6)] // which spreads the bits over the slots
	if k.bits != set {
		p.fill(r)
		k.bits, k.turn, k.text = set, 0, p.appendFields(k.text[:0], fields[kindField:placeField])
		k.n = len(k.text)
	}
	if k.turn != l.turn {
		k.turn, k.text = l.turn, append(k.text[:k.n], l.place...)
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

// sameMessage reports whether a and b are of the same text of the same message.
func sameMessage(a, b *extract.Origin) bool {
	return a.Message == b.Message && sameText(a.Source, b.Source) && sameText(a.Member, b.Member) &&
		sameText(a.Part, b.Part) && sameText(a.MessageID, b.MessageID) && sameText(a.Date, b.Date) &&
		sameText(a.Newsgroups, b.Newsgroups) && sameText(a.Field, b.Field)
}

// sameText reports whether a and b are equal. Texts of one message are the same
// memory, for which this looks first, without a call.
func sameText(a, b string) bool {
	return len(a) == len(b) && (unsafe.StringData(a) == unsafe.StringData(b) || a == b)
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
// change. Digits are looked up by threes: lengths and columns have one three, lines
// mostly two, offsets three or four.
func putNumber(to []byte, at int, k *key, n int64) int {
	*(*[16]byte)(to[at:]) = k.text
	at += k.n
	switch u := uint64(n); {
	case u < 1e3:
		return putThree(to, at, u)
	case u < 1e6:
		at = putThree(to, at, u/1e3)
	case u < 1e9:
		at = putThree(to, at, u/1e6)
		binary.LittleEndian.PutUint32(to[at:], threes[u/1e3%1e3])
		at += 3
	case u < 1e12:
		at = putThree(to, at, u/1e9)
		binary.LittleEndian.PutUint32(to[at:], threes[u/1e6%1e3])
		binary.LittleEndian.PutUint32(to[at+3:], threes[u/1e3%1e3])
		at += 6
	default:
		return len(strconv.AppendInt(to[:at], n, 10))
	}
	binary.LittleEndian.PutUint32(to[at:], threes[uint64(n)%1e3])
	return at + 3
}

// putThree is putNumber without a key for n below 1000.
func putThree(to []byte, at int, n uint64) int {
	x := threes[n]
	zeros := x >> 24
	binary.LittleEndian.PutUint32(to[at:], x>>(zeros*8&31))
	return at + 3 - int(zeros)
}

// threes has the three digits of numbers, the first lowest, and above them how many
// are zeros that a number does not begin with.
var threes = func() (t [1000]uint32) {
	for n := range uint32(1000) {
		zeros := uint32(3 - len(strconv.Itoa(int(n))))
		t[n] = '0' + n/100 | ('0'+n/10%10)<<8 | ('0'+n%10)<<16 | zeros<<24
	}
	return t
}()

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
