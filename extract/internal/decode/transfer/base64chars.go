package transfer

import (
	"encoding/binary"
	"math/bits"
)

// This file examines many characters at once: usual characters by arithmetic on words of eight
// bytes, whole groups by tables.

// usualBase64 returns how many bytes at the beginning of src are letters, digits, '+' or '/'.
// It examines whole words of eight bytes, so up to seven bytes at the end of src do not count.
// Each iteration compares a word by arithmetic. An ASCII byte carries nothing into the next
// byte; any other byte can make only the results for later bytes wrong.
func usualBase64(src []byte) (n int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(src); n += 8 {
		w := binary.LittleEndian.Uint64(src[n:])
		low := w | 0x20*ones
		letter := (low + (0x80-'a')*ones) &^ (low + (0x7F-'z')*ones)
		digit := (w + (0x80-'/')*ones) &^ (w + (0x7F-'9')*ones) // and '/'
		plus := 0x80*ones - (w ^ '+'*ones)
		if not := highs &^ ((letter | digit | plus) &^ w); not != 0 {
			return n + bits.TrailingZeros64(not)/8
		}
	}
	return n
}

// base64Groups decodes whole groups at the beginning of src, as long as dst has at least
// one byte more than their output. The first out bytes of dst are the output; the bytes after
// them may be overwritten. all has the marks of all characters. Each iteration decodes one
// group, or two.
func base64Groups(dst, src []byte) (in, out int, all uint32) {
	t := &sextets
	d := dst
	for len(src)-in >= 8 && len(d) >= 8 { // two at once
		s := src[in : in+8 : in+8]
		x := t[0][s[0]] | t[1][s[1]] | t[2][s[2]] | t[3][s[3]]
		y := t[0][s[4]] | t[1][s[5]] | t[2][s[6]] | t[3][s[7]]
		if (x|y)&sextetNone != 0 {
			break
		}
		binary.BigEndian.PutUint64(d, uint64(x)<<40|uint64(y&0xFFFFFF)<<16)
		all |= x | y
		in += 8
		d = d[6:]
	}
	for len(src)-in >= 4 && len(d) >= 4 {
		s := src[in : in+4 : in+4]
		x := t[0][s[0]] | t[1][s[1]] | t[2][s[2]] | t[3][s[3]]
		if x&sextetNone != 0 {
			break
		}
		binary.BigEndian.PutUint32(d, x<<8)
		all |= x
		in += 4
		d = d[3:]
	}
	return in, len(dst) - len(d), all
}

// Classes of bytes, as bits that can be combined.
const (
	isWord  = 1 << iota // letters and digits, of both alphabets
	isUsual             // '+' and '/', of RFC 2045
	isURL               // '-' and '_', which only the alphabet of RFC 4648, section 5, has
	isPad
	isBlank
	isEnd
	isJunk

	isSextet = isWord | isUsual | isURL
)

// Marks in sextets, above the 24 bits of a group.
const (
	sextetNone = 1 << 31 // no character of an alphabet
	sextetURL  = 1 << 30 // '-' or '_', which only the alphabet of RFC 4648, section 5, has
)

// base64Class has the class of each byte. sextets has the value of each character at each of
// the four places of a group, shifted to that place.
var base64Class, sextets = func() (class [256]uint8, value [4][256]uint32) {
	const usual, url = "+/", "-_"
	for c := range 256 {
		class[c] = isJunk
		for i := range value {
			value[i][c] = sextetNone
		}
	}
	for _, c := range " \t\r\v\f" {
		class[c] = isBlank
	}
	class['\n'], class['='] = isEnd, isPad
	set := func(c byte, v int, k uint8, mark uint32) {
		class[c] = k
		for i := range value {
			value[i][c] = uint32(v)<<(18-6*i) | mark
		}
	}
	for i := range 26 {
		set('A'+byte(i), i, isWord, 0)
		set('a'+byte(i), 26+i, isWord, 0)
	}
	for i := range 10 {
		set('0'+byte(i), 52+i, isWord, 0)
	}
	for i := range 2 {
		set(usual[i], 62+i, isUsual, 0)
		set(url[i], 62+i, isURL, sextetURL)
	}
	return class, value
}()
