// Package octet has what the decoders of several formats need to know of single bytes:
//
//	octet.IsSpace('\t')                      // true
//	n := octet.CopyTo(dst, src, '=')         // copies up to the first '='
//	v := octet.Hex['F']                      // 15; 16 for a byte that is not a digit
//	v = octet.Base64['B'] - 1                // 1; Base64 is 0 for a byte outside of the alphabet
//	r := octet.Windows1252[0x80-0x80]        // '€'
//
// Its functions keep no slice and have no state. Each examines a byte once.
package octet

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsSpace reports whether c is white space in HTML: space, tab, line feed, form feed
// or carriage return.
func IsSpace(c byte) bool { return spaces[c] }

var spaces = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

// IsBlank reports whether c is a space or a tab: what mail calls white space, and what a
// folded line begins with.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// Lower returns c, or its lower case form if it is an upper case letter of ASCII.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// LineEnd returns the length of the line end at the beginning of src: 1, 2, or 0
// for none.
func LineEnd(src []byte) int {
	switch {
	case len(src) > 0 && src[0] == '\n':
		return 1
	case len(src) > 1 && src[0] == '\r' && src[1] == '\n':
		return 2
	}
	return 0
}

// Base64 has the value of each letter of base64, plus 1.
var Base64 = func() (values [256]uint8) {
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		values[c] = uint8(i + 1)
	}
	return values
}()

// Hex has the value of each hexadecimal digit, and 16 for what is not one.
var Hex = func() (t [256]byte) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = byte(c - '0')
		case 'A' <= c && c <= 'F':
			t[c] = byte(c - 'A' + 10)
		case 'a' <= c && c <= 'f':
			t[c] = byte(c - 'a' + 10)
		default:
			t[c] = 16
		}
	}
	return t
}()

// Windows1252 has at the index i the character that windows-1252 has for the byte 128+i, or the
// character with the number 128+i if windows-1252 has none. HTML 13.2.5.80 reads numeric
// references by the same table.
var Windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
	0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
	0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// CopyTo copies src to dst up to the first stop, and returns how many bytes it copied. It may
// overwrite the bytes of dst after the copied ones.
func CopyTo(dst, src []byte, stop byte) (n int) { return CopyToEither(dst, src, [2]byte{stop, stop}) }

// CopyToEither is CopyTo with two bytes to stop at. Stretches are usually short, so bytes.IndexByte and copy
// cost more than a loop that does both: on amd64 an assembler kernel with 32 bytes at a time, elsewhere, and at the
// end, sixteen bytes or one. Without the kernel, mail with parts in HTML takes 1.03 times the processor time. If all is
// copied byte by byte, tables of CSV take 1.3 times the time.
func CopyToEither(dst, src []byte, stop [2]byte) (n int) {
	const ones = 0x0101010101010101
	most := min(len(dst), len(src))
	if hasAVX2 && most >= 32 {
		n = copyToAVX2(dst[:most], src[:most], stop)
		if n < most && (src[n] == stop[0] || src[n] == stop[1]) {
			return n
		}
	}
	a, b := ones*uint64(stop[0]), ones*uint64(stop[1])
	for ; n+16 <= most; n += 16 {
		s, d := src[n:n+16:n+16], dst[n:n+16:n+16]
		v, w := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:])
		binary.LittleEndian.PutUint64(d, v)
		binary.LittleEndian.PutUint64(d[8:], w)
		va, vb, wa, wb := v^a, v^b, w^a, w^b // a byte is 0 where a stop was
		// The lowest bit that is set is right; those above it may be set by a borrow.
		v = ((va-ones)&^va | (vb-ones)&^vb) & (ones << 7)
		w = ((wa-ones)&^wa | (wb-ones)&^wb) & (ones << 7)
		if v|w != 0 {
			if v == 0 {
				return n + 8 + bits.TrailingZeros64(w)/8
			}
			return n + bits.TrailingZeros64(v)/8
		}
	}
	for ; n < most && src[n] != stop[0] && src[n] != stop[1]; n++ {
		dst[n] = src[n]
	}
	return n
}

// Plain returns how many bytes at the beginning of src are ASCII and none of stop. Without the kernel, mail takes
// 1.02 times the processor time.
func Plain(src []byte, stop [3]byte) (n int) {
	if hasAVX2 && len(src) >= 32 {
		n = plainAVX2(src, stop)
		if n < len(src) && (src[n] >= utf8.RuneSelf || src[n] == stop[0] || src[n] == stop[1] || src[n] == stop[2]) {
			return n
		}
	}
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	a, b, c := ones*uint64(stop[0]), ones*uint64(stop[1]), ones*uint64(stop[2])
	for ; n+8 <= len(src); n += 8 {
		w := binary.LittleEndian.Uint64(src[n:])
		wa, wb, wc := w^a, w^b, w^c
		// The lowest bit that is set is right; those above it may be set by a borrow.
		if hit := (w | (wa-ones)&^wa | (wb-ones)&^wb | (wc-ones)&^wc) & highs; hit != 0 {
			return n + bits.TrailingZeros64(hit)/8
		}
	}
	for n < len(src) && src[n] < utf8.RuneSelf && src[n] != stop[0] && src[n] != stop[1] && src[n] != stop[2] {
		n++
	}
	return n
}

// Pair returns the index in src of the first byte stop[0] that is followed by one of the others, or -1. Lines are short, so with
// [bytes.Index] the search for those that begin with a letter takes five times as long.
func Pair(src []byte, stop [4]byte) int {
	n := 0
	if hasAVX2 && len(src) > 32 {
		n = pairAVX2(src, stop)
	}
	for n+1 < len(src) {
		k := bytes.IndexByte(src[n:len(src)-1], stop[0])
		if k < 0 {
			break
		}
		n += k + 1
		if c := src[n]; c == stop[1] || c == stop[2] || c == stop[3] {
			return n - 1
		}
	}
	return -1
}

// ASCII returns how many bytes at the beginning of src are ASCII. It examines eight at a
// time, and 32 while it can; with one at a time, mail in ISO 8859-1 takes 1.16 times the processor time.
func ASCII(src []byte) (n int) {
	const highs = 0x8080808080808080
	for ; n+32 <= len(src); n += 32 {
		b := src[n : n+32 : n+32]
		if (binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:])|
			binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]))&highs != 0 {
			break
		}
	}
	for ; n+8 <= len(src); n += 8 {
		if high := binary.LittleEndian.Uint64(src[n:]) & highs; high != 0 {
			return n + bits.TrailingZeros64(high)/8
		}
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return n
}
