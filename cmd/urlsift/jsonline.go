package main

import (
	"encoding/binary"
	"slices"
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
// result that has more to tell than bits can: a target, a fault, other readings. But a
// tail, which many have that stand bare, goes with its reading between kind and place.
// The names of what is made here come from the table too. That the order is the
// table's, tests hold: they compare this with the record made all by the table.

// Where the stretches begin in fields.
var (
	kindField  = fieldAt("target")
	tailField  = fieldAt("tail")
	placeField = fieldAt("source")
	ownField   = fieldAt("offset")
)

// withTail is the name of the reading that holds the tail too, delimit.WithTail.
const withTail = "tail"

// What stands before values, and at the end.
var (
	urlBegin     = pieceOf(`{"` + nameOf("url") + `":"`)
	textBegin    = pieceOf(`","` + nameOf("text") + `":"`)
	tailBegin    = []byte(`,"` + nameOf("tail") + `":"`)
	readingBegin = []byte(`","` + nameOf("readings") + `":[{"text":"`)
	readingEnd   = []byte(`","reason":"` + withTail + `"}]`)
	offsetKey    = pieceOf(`,"` + nameOf("offset") + `":`)
	lengthKey    = pieceOf(`,"` + nameOf("length") + `":`)
	lineKey      = pieceOf(`,"` + nameOf("line") + `":`)
	columnKey    = pieceOf(`,"` + nameOf("column") + `":`)
	exactEnd     = pieceOf(`,"` + nameOf("exact") + `":true}`)
	falseEnd     = pieceOf(`}`)
)

// nameOf returns name, of which there is a field.
func nameOf(name string) string { return fields[fieldAt(name)].name }

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
	place  []byte         // the third stretch, and the key of the fourth
	turn   int            // how many places were made
}

// A jsonKind is the second stretch, of results whose bits are bits, behind a quote that
// ends the text before it, and the third behind it.
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
	l, f := &p.line, &r.Found
	if l.turn == 0 || !sameMessage(&r.Origin, &l.origin) {
		l.origin = r.Origin
		l.place = p.appendFields(l.place[:0], fields[placeField:ownField])
		l.place = append(l.place, offsetKey.text[:offsetKey.n]...)
		l.turn++
	}
	k := p.kind(r)
	if k == nil || uint8(r.Accepts)&strict == 0 || !sameBytes(r.URL, f.Ref) || !sameBytes(r.URL, f.Text) {
		return p.appendOther(dst, r, k)
	}

	dst = slices.Grow(dst, 3*len(r.URL)+2*len(f.Tail)+len(k.text)+lineRoom)
	base := unsafe.Pointer(unsafe.SliceData(dst))
	at := urlBegin.put(unsafe.Add(base, len(dst)))
	at = put(at, r.URL)
	at = textBegin.put(at)
	at = put(at, r.URL)
	if len(f.Tail) > 0 {
		at = putTail(at, r, k)
	} else {
		at = put(at, k.text)
	}
	at = p.putNumbers(at, &r.Origin)
	return dst[:uintptr(at)-uintptr(base)]
}

// lineRoom is what a record takes beside its texts and what is remembered.
const lineRoom = 4*numberRoom + 128

// appendOther is appendLine for a result with texts that are not the same, or that
// have to be looked at; or with no kind.
func (p *jsonPrinter) appendOther(dst []byte, r *extract.Result, k *jsonKind) []byte {
	f := &r.Found
	dst = append(slices.Grow(dst, len(r.URL)+len(f.Text)+len(f.Tail)+lineRoom), urlBegin.text[:urlBegin.n]...)
	at := len(dst)
	dst = appendString(dst, r.URL)
	url := dst[at:]
	dst = append(dst, textBegin.text[:textBegin.n]...)
	if sameBytes(r.URL, f.Text) {
		dst = append(dst, url...)
	} else {
		dst = appendString(dst, f.Text)
	}
	if k != nil && len(f.Tail) == 0 {
		dst = append(dst, k.text...)
	} else {
		p.fill(r)
		dst = p.appendFields(append(dst, '"'), fields[kindField:placeField])
		dst = append(dst, p.line.place...)
	}
	dst = slices.Grow(dst, lineRoom)
	base := unsafe.Pointer(unsafe.SliceData(dst))
	at = int(uintptr(p.putNumbers(unsafe.Add(base, len(dst)), &r.Origin)) - uintptr(base))
	return dst[:at]
}

// kind returns what there is of the kind of r, made if need be, with the place behind
// it; or nil if r has more to tell than bits can. A tail is told apart (putTail).
func (p *jsonPrinter) kind(r *extract.Result) *jsonKind {
	l, f := &p.line, &r.Found
	if r.Target != nil || r.Base != "" || r.BaseFrom != 0 || r.Err != nil || uint(f.Breaks) > 0xFF {
		return nil
	}
	warnings := r.Warnings()
	some := fields[kindField:placeField]
	if len(f.Tail) > 0 || f.Others != 0 {
		if f.Others.String() != withTail || f.By != 0 || warnings != 0 || !plainTail(f.Tail) {
			return nil
		}
		some = fields[kindField:tailField] // all that there is but for tail and reading
	}
	set := 1 | uint64(r.Accepts)<<8 | uint64(f.By)<<16 | uint64(warnings)<<24 |
		uint64(f.Form)<<32 | uint64(f.Breaks)<<40 | bit(r.Valid)<<48 | bit(f.Prefixed)<<49
	k := &l.kinds[set*0x9E3779B97F4A7C15>>(64-6)] // which spreads the bits over the slots
	if k.bits != set {
		p.fill(r)
		k.bits, k.turn, k.text = set, 0, p.appendFields(append(k.text[:0], '"'), some)
		k.n = len(k.text)
	}
	if k.turn != l.turn {
		k.turn, k.text = l.turn, append(k.text[:k.n], l.place...)
	}
	return k
}

// plainTail reports whether there is a tail that JSON has as it is. It is as short as
// tails mostly are.
func plainTail(tail []byte) bool {
	if len(tail) > 8 {
		return false
	}
	for _, b := range tail {
		if !plain[b] {
			return false
		}
	}
	return len(tail) > 0
}

// putTail writes k and its place at at, with the tail of r and the reading that has it in
// between, and returns where they end.
func putTail(at unsafe.Pointer, r *extract.Result, k *jsonKind) unsafe.Pointer {
	f := &r.Found
	at = put(put(put(at, k.text[:k.n]), tailBegin), f.Tail)
	at = put(put(put(at, readingBegin), f.Text), f.Tail)
	return put(put(at, readingEnd), k.text[k.n:])
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

// putNumbers writes the last stretch at at, but for the key it begins with, and the end
// of the line. It returns where that ends.
func (p *jsonPrinter) putNumbers(at unsafe.Pointer, o *extract.Origin) unsafe.Pointer {
	at = putNumber(at, o.Offset)
	if o.Length != 0 {
		at = putNumber(lengthKey.put(at), o.Length)
	}
	if o.Line != 0 {
		at = putNumber(lineKey.put(at), o.Line)
	}
	if o.Column != 0 {
		at = putNumber(columnKey.put(at), o.Column)
	}
	if o.Exact {
		at = exactEnd.put(at)
	} else {
		at = falseEnd.put(at)
	}
	*(*byte)(at) = p.end
	return unsafe.Add(at, 1)
}

// appendString appends s, which seldom has anything to escape, as appendEscaped does. It
// passes over s once, as far as it has nothing.
func appendString(dst, s []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(s))
	to := dst[n : n+len(s)]
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		if unclean(x) {
			return appendEscaped(dst[:n+i], s[i:])
		}
		binary.LittleEndian.PutUint64(to[i:], x)
	}
	if i < len(s) && i > 0 { // the last word, some of which is there already
		x := binary.LittleEndian.Uint64(s[len(s)-8:])
		if unclean(x) {
			return appendEscaped(dst[:n+i], s[i:])
		}
		binary.LittleEndian.PutUint64(to[len(s)-8:], x)
	} else if i < len(s) {
		return appendEscaped(dst, s)
	}
	return dst[:n+len(s)]
}

// unclean reports whether one of eight bytes is not plain. To add what a bound
// lacks to 0x80 sets the top bit of those that reach it; a byte beyond ASCII spoils
// those above it, but is itself unclean.
func unclean(x uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	clean := (x + (0x80-' ')*ones) & ((x ^ '"'*ones) + 0x7F*ones) & ((x ^ '\\'*ones) + 0x7F*ones)
	return (x|(x+ones)|^clean)&tops != 0
}
