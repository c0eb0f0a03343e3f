package roff

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// The escapes of groff(7). What follows the backslash is one of three kinds: one character; one
// character and a name, which has one character, two after "(", or any number in brackets; or
// one character and an argument between two equal marks.

// maxEscape is how many bytes of an escape are examined.
const maxEscape = 250

// nothing has the one-character escapes that are removed. A line that ends with a
// backslash continues on the next line.
const nothing = "&:%/,)|^{}!?cdurzp\n"

// characters maps one-character escapes to the character they represent.
var characters = map[byte]string{'e': `\`, 'E': `\`, '~': " ", '0': " ", 'a': " ", 't': "\t", '"': " ", '#': " "}

// escape returns the length of the escape at the beginning of s, and its text. more means
// that s is too short to decide. If there is no escape, the text is the backslash.
func escape(s []byte, atEOF bool) (n int, text string, more bool) {
	if len(s) == 1 {
		return 1, `\`, !atEOF
	}
	switch c := s[1]; {
	case bytes.IndexByte([]byte(nothing), c) >= 0:
		return 2, "", false
	case c == '\r' && len(s) == 2 && !atEOF:
		return 0, "", true
	case c == '\r' && len(s) > 2 && s[2] == '\n':
		return 3, "", false
	case c == '(', c == '[':
		n, name, more := nameOf(s, 1, atEOF)
		return n, glyph(name), more
	case bytes.IndexByte([]byte("fFmMgkVY"), c) >= 0:
		n, _, more = nameOf(s, 2, atEOF)
		return n, "", more
	case c == '*', c == 'n':
		n, name, more := nameOf(s, 2, atEOF)
		return n, stringOf(name, c == '*'), more
	case c == 's':
		n, more = sizeOf(s, atEOF)
		return n, "", more
	case bytes.IndexByte([]byte("hvwxlLDbAHSRoBNC"), c) >= 0:
		return between(s, atEOF)
	case c == 'X', c == 'Z':
		return 2, " ", false // what follows may be a reference
	default:
		if t := characters[c]; t != "" {
			return 2, t, false
		}
		if c >= utf8.RuneSelf || c < ' ' { // the backslash escapes nothing
			return 1, `\`, false
		}
		return 2, printed[c : c+1], false
	}
}

// printed has each byte of ASCII at the index of its value.
var printed = func() string {
	var b [utf8.RuneSelf]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()

// nameOf returns the name at s[i] (of a font, a glyph and the like: x, (xx or [any]) and
// the length of s up to its end.
func nameOf(s []byte, i int, atEOF bool) (n int, name []byte, more bool) {
	if i < len(s) && (s[i] == '+' || s[i] == '-') && s[1] == 'n' {
		i++
	}
	if i >= len(s) {
		return len(s), nil, !atEOF
	}
	switch s[i] {
	case '(':
		first, more := character(s, i+1, atEOF)
		if more {
			return len(s), nil, true
		}
		second, more := character(s, i+1+first, atEOF)
		if more || second == 0 {
			return len(s), nil, more
		}
		end := i + 1 + first + second
		return end, s[i+1 : end], false
	case '[':
		k := bytes.IndexByte(s[:min(len(s), maxEscape)], ']')
		nl := bytes.IndexByte(s[:min(len(s), maxEscape)], '\n')
		switch {
		case k >= 0 && (nl < 0 || k < nl):
			return k + 1, s[i+1 : k], false
		case nl < 0 && len(s) < maxEscape && !atEOF:
			return 0, nil, true
		}
		return i + 1, nil, false // not closed
	case '\n':
		return i, nil, false
	}
	size, more := character(s, i, atEOF)
	return i + size, s[i : i+size], more
}

// character returns the length of the character at s[i], 0 at the end of the input. more
// means that s may end within the character.
func character(s []byte, i int, atEOF bool) (size int, more bool) {
	if !atEOF && !utf8.FullRune(s[i:]) {
		return 0, true
	}
	_, size = utf8.DecodeRune(s[i:])
	return size, false
}

// sizeOf returns the length of "\s" and a size: one or two digits, with a sign, or in
// brackets.
func sizeOf(s []byte, atEOF bool) (n int, more bool) {
	i := 2
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	switch {
	case i >= len(s):
		return len(s), !atEOF
	case s[i] == '(' || s[i] == '[':
		n, _, more = nameOf(s, i, atEOF)
		return n, more
	case s[i] == '\'':
		n, _, more := between(s, atEOF)
		return n, more
	case !octet.IsDigit(s[i]):
		return i, false
	case s[i] >= '1' && s[i] <= '3': // a two-digit size
		if i+1 == len(s) {
			return i + 1, !atEOF
		}
		if octet.IsDigit(s[i+1]) {
			return i + 2, false
		}
	}
	return i + 1, false
}

// between returns the length and the text of an escape whose argument is between two
// equal marks; a sign may be in front of the first mark. The text is the character with
// that number or name, otherwise empty.
func between(s []byte, atEOF bool) (n int, text string, more bool) {
	i := 2
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if i >= len(s) {
		return len(s), "", !atEOF
	}
	size, more := character(s, i, atEOF)
	if more {
		return 0, "", true
	}
	mark := s[i : i+size]
	arg := s[i+size : max(i+size, min(len(s), maxEscape))]
	k := bytes.Index(arg, mark)
	if nl := bytes.IndexByte(arg, '\n'); nl >= 0 && (k < 0 || nl < k) {
		return 2, "", false
	}
	if k < 0 {
		if len(s) < maxEscape && !atEOF {
			return 0, "", true
		}
		return 2, "", false
	}
	arg = arg[:k]
	switch s[1] {
	case 'N':
		if r, err := strconv.ParseUint(string(arg), 10, 20); err == nil && r > 0 {
			text = string(rune(r))
		}
	case 'C':
		text = glyph(arg)
	}
	return i + size + k + size, text, false
}

// unknown replaces a glyph whose name is unknown. It ends a reference.
const unknown = "\ufffd"

// glyph returns the character with that name: uXXXX, or one of glyphs.
func glyph(name []byte) string {
	if t, ok := glyphs[string(name)]; ok {
		return t
	}
	if len(name) > 4 && name[0] == 'u' {
		if r, err := strconv.ParseUint(string(name[1:]), 16, 21); err == nil && utf8.ValidRune(rune(r)) && r >= ' ' {
			return string(rune(r))
		}
	}
	if len(name) == 1 && name[0] > ' ' && name[0] < utf8.RuneSelf {
		return string(name)
	}
	return unknown
}

// stringOf returns the text of a string that pod2man or man defines. Any other string,
// and any register, is a space.
func stringOf(name []byte, isString bool) string {
	if isString {
		switch string(name) {
		case `L"`, `R"`, "lq", "rq":
			return `"`
		case "Aq":
			return "'"
		case "--":
			return "-"
		}
	}
	return " "
}

// glyphs has the names of groff_char(7) that occur near references.
var glyphs = map[string]string{
	"rs": `\`, "aq": "'", "dq": `"`, "ti": "~", "ha": "^", "ga": "`", "sl": "/", "at": "@", "sh": "#",
	"Do": "$", "or": "|", "ba": "|", "ul": "_", "lB": "[", "rB": "]", "lC": "{", "rC": "}",
	"bv": "|", "hy": "-", "mi": "-", "pl": "+", "eq": "=", "lq": "“", "rq": "”", "oq": "‘", "cq": "’",
	"Bq": "„", "bq": "‚", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "em": "—", "en": "–", "bu": "•",
	"co": "©", "rg": "®", "tm": "™", "la": "⟨", "ra": "⟩", "<=": "≤", ">=": "≥", "!=": "≠", "->": "→",
	"<-": "←", "mu": "×", "+-": "±", "de": "°", "sc": "§", "ps": "¶", "ss": "ß", "ae": "æ", "AE": "Æ",
	"o/": "ø", "O/": "Ø", "oa": "å", "oA": "Å", ":a": "ä", ":o": "ö", ":u": "ü", ":A": "Ä", ":O": "Ö",
	":U": "Ü", ":e": "ë", ":i": "ï", "'a": "á", "'e": "é", "'i": "í", "'o": "ó", "'u": "ú", "'E": "É",
	"`a": "à", "`e": "è", "`i": "ì", "`o": "ò", "`u": "ù", "^a": "â", "^e": "ê", "^i": "î", "^o": "ô",
	"^u": "û", "~n": "ñ", "~a": "ã", "~o": "õ", ",c": "ç", ",C": "Ç", "aa": "´", "a^": "^", "a~": "~",
	"dg": "†", "dd": "‡", "*m": "μ", "/_": "∠", "fm": "′",
}
