package delimit

import "encoding/binary"

// What the fast path asks around a colon: the byte in front of the reference, and
// the eight that hold its scheme.

// A front is what stands right before a reference.
type front uint8

const (
	frontUnclear front = iota // atColon has to look at it
	frontOpener               // it opens a wrapper
	frontQuoted               // an opener may stand before it
	frontMark                 // none; but a scheme may begin before it
	frontBare                 // none
)

// fronts tells what each byte is in front of a reference. A quotation mark may have
// a partner, and behind ";" or a digit the letter could be a terminal's.
var fronts = func() (t [256]front) {
	for _, c := range []byte("!#$%&()*,/=?@[]^_`{}~") {
		t[c] = frontBare
	}
	for c := 0x1C; c < ' '; c++ { // separators between the cells of a table
		t[c] = frontBare
	}
	for c, r := range roles {
		if r.has(white) || isMark(byte(c)) {
			t[c] = frontQuoted
		}
	}
	for _, c := range []byte("+-.") {
		t[c] = frontMark
	}
	t['<'], t['"'] = frontOpener, frontOpener
	return t
}()

// Schemes with what must follow them, as numbers: the last byte is on top, and where
// they are shorter than eight bytes, something else is below.
const (
	https  = 'h' | 't'<<8 | 't'<<16 | 'p'<<24 | 's'<<32 | ':'<<40 | '/'<<48 | '/'<<56
	http   = https>>40<<40 | 'h'<<8 | 't'<<16 | 't'<<24 | 'p'<<32
	ftp    = https>>40<<40 | 'f'<<16 | 't'<<24 | 'p'<<32
	mailto = 'm'<<8 | 'a'<<16 | 'i'<<24 | 'l'<<32 | 't'<<40 | 'o'<<48 | ':'<<56

	amp = '&'<<24 | 'a'<<32 | 'm'<<40 | 'p'<<48 | ';'<<56 // likewise

	lower5 = 0x20_2020_2020      // makes five letters lower case
	lower7 = 0x20_2020_2020_2020 // and seven
)

// fastScheme returns where the scheme begins that b[:i] ends with, and where what
// it is about does, behind the colon and slashes at b[i]; if it is http, https or
// ftp, or mailto, in any case. Else, body is 0.
func fastScheme(b []byte, i int) (lo, body int) {
	if i < len("mailto")+1 || i+len("://") > len(b) {
		return 0, 0
	}
	switch x := binary.LittleEndian.Uint64(b[i-5:]) | lower5; {
	case x>>8 == http>>8:
		return i - len("http"), i + 3
	case x == https:
		return i - len("https"), i + 3
	case x>>16 == ftp>>16:
		return i - len("ftp"), i + 3
	}
	if x := binary.LittleEndian.Uint64(b[i-7:]) | lower7; x>>8 == mailto>>8 {
		return i - len("mailto"), i + 1
	}
	return 0, 0
}
