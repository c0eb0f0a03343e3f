package front

import (
	"encoding/binary"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// This file examines, for the fast path, two things around a colon: the byte in front of
// the reference, and the eight bytes that contain its scheme.

// A Class says what the byte directly in front of a reference means.
type Class uint8

const (
	Unclear     Class = iota // atColon has to decide
	Opens                    // it opens a wrapper
	MayBeQuoted              // an opening bracket or quotation mark may be in front of it
	InScheme                 // no opener; but a scheme may begin in front of it
	Plain                    // no opener
)

// Classes has the class of each byte. Bytes that are not listed here are Unclear. An apostrophe
// may have a partner. After ";" or a digit, the first letter may end an escape sequence of a
// terminal.
var Classes = func() (t [256]Class) {
	for _, c := range []byte("!#$%&()*,/=?@[]^_`{}~") {
		t[c] = Plain
	}
	for c := 0x1C; c < ' '; c++ { // separators between the cells of a table
		t[c] = Plain
	}
	for c, r := range lex.Roles {
		if r.Has(lex.White) || lex.IsMark(byte(c)) {
			t[c] = MayBeQuoted
		}
	}
	for _, c := range []byte("+-.") {
		t[c] = InScheme
	}
	t['<'], t['"'] = Opens, Opens
	return t
}()

// Schemes and what must follow them, as numbers: the last byte is the highest. A scheme that is
// shorter fills the highest bytes, and those below may have any value.
const (
	https  = 'h' | 't'<<8 | 't'<<16 | 'p'<<24 | 's'<<32 | ':'<<40 | '/'<<48 | '/'<<56
	http   = https>>40<<40 | 'h'<<8 | 't'<<16 | 't'<<24 | 'p'<<32
	ftp    = https>>40<<40 | 'f'<<16 | 't'<<24 | 'p'<<32
	mailto = 'm'<<8 | 'a'<<16 | 'i'<<24 | 'l'<<32 | 't'<<40 | 'o'<<48 | ':'<<56

	Amp = '&'<<24 | 'a'<<32 | 'm'<<40 | 'p'<<48 | ';'<<56 // as above

	lower5 = 0x20_2020_2020      // makes five letters lower case
	lower7 = 0x20_2020_2020_2020 // and seven
)

// UsualScheme recognises http, https, ftp and mailto, in capital or small letters, at the
// end of b[:i]. lo is where the scheme begins, and body is the index after the colon and
// slashes at b[i]. For any other text, body is 0.
func UsualScheme(b []byte, i int) (lo, body int) {
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
