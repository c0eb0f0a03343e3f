package redact

// This file decodes three kinds of characters: those that are encoded with more bytes than needed;
// those that look like other characters, to which some programs convert them (Unicode's
// compatibility forms); and those that stand for other characters in file names.

// wideLeads are the first bytes of such spellings.
const wideLeads = "\xC0\xC1\xC2\xE0\xE2\xEA\xEF\xF0\xF8\xFC"

// wideAt decodes the character at the beginning of glyphs, if it is an ASCII character that was
// encoded in several bytes, or a character that looks like one of ASCII.
func wideAt(glyphs []glyph) (e escape, size int) {
	lead, n := glyphs[0].char, 0
	for mask := byte(0x40); lead&mask != 0 && n < 5; mask >>= 1 { // each iteration reads a continuation byte
		n++
	}
	if n == 0 || len(glyphs) <= n {
		return escape{}, 0
	}
	value := uint32(lead) & (0x3F >> n)
	for _, g := range glyphs[1 : 1+n] {
		if g.char&0xC0 != 0x80 {
			return escape{}, 0
		}
		value = value<<6 | uint32(g.char&0x3F)
	}
	c := folded(value)
	if c == notASCII {
		return escape{}, 0
	}
	return one(c, wide), 1 + n
}

// folded returns r if it is ASCII, the ASCII character that r looks like, a line feed if r
// is invisible, or notASCII.
func folded(r uint32) byte {
	switch {
	case r < 0x80:
		return byte(r)
	case 0xFF01 <= r && r <= 0xFF5E: // full width
		return byte(r - 0xFEE0)
	case invisible(r):
		return '\n'
	}
	switch r {
	case 0xFE13, 0xFE55, 0x2236, 0xA789:
		return ':'
	case 0x2044, 0x2215, 0x29F8:
		return '/'
	case 0xFE68, 0x2216, 0x29F5, 0x29F9:
		return '\\'
	case 0xFE6B:
		return '@'
	case 0xFE6A:
		return '%'
	case 0xFE60:
		return '&'
	case 0xFE5F:
		return '#'
	case 0xFE56, 0xFE16:
		return '?'
	}
	return notASCII
}

// invisible reports whether r is a character that shows nothing: a soft hyphen, a joiner, a
// mark of direction, a variation selector. Programs may remove it, as they remove a line
// end.
func invisible(r uint32) bool {
	switch {
	case r == 0xAD, 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x2069, 0xFE00 <= r && r <= 0xFE0F, r == 0xFEFF:
		return true
	}
	return false
}

// utf7At returns the escape of UTF-7 (RFC 2152) at the beginning of glyphs, whose first
// glyph is '+': one to three characters that matter here, in base64. Longer runs are not
// decoded.
func utf7At(glyphs []glyph) (e escape, size int) {
	var bits uint64
	n := 0
	for n < 8 && n+1 < len(glyphs) {
		d := base64Digit(glyphs[n+1].char)
		if d < 0 {
			break
		}
		bits = bits<<6 | uint64(d)
		n++
	}
	for chars := min(n*6/16, 3); chars > 0; chars-- {
		long := (chars*16 + 5) / 6 // base64 digits for that many characters
		if e, ok := utf7(bits>>(6*(n-long)), chars, long*6-chars*16); ok {
			if size = 1 + long; size < len(glyphs) && glyphs[size].char == '-' {
				size++
			}
			return e, size
		}
	}
	return escape{}, 0
}

// utf7 returns the escape of as many characters as chars says. bits holds the characters,
// followed by as many zeros as zeros says.
func utf7(bits uint64, chars, zeros int) (e escape, ok bool) {
	if bits&(1<<zeros-1) != 0 {
		return e, false
	}
	bits >>= zeros
	e = escape{size: chars, kind: utf7Run}
	for i := range chars {
		c := folded(uint32(bits >> (16 * (chars - 1 - i)) & 0xFFFF))
		if !means(c) {
			return e, false
		}
		e.text[i] = c
	}
	return e, true
}

// base64Digit returns the value of a digit of base64, or -1.
func base64Digit(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
