package record

import (
	"unicode/utf8"
)

// AppendString appends text to dst as a JSON string and returns the grown slice. Bytes that
// are not UTF-8 become U+FFFD. Control characters, and characters that end a line or change
// the direction of text, are escaped.
func AppendString[T string | []byte](dst []byte, text T) []byte {
	return append(appendEscaped(append(dst, '"'), text), '"')
}

// appendEscaped is AppendString without the quotes. Runs that need no escape are copied
// whole.
func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	const digits = "0123456789abcdef"
	done := 0                 // s[:done] is in dst
	for i := 0; i < len(s); { // at most len(s) iterations
		b := s[i]
		if plain[b] {
			i++
			continue
		}
		r, n := rune(b), 1
		if b >= utf8.RuneSelf {
			var head [utf8.UTFMax]byte
			r, n = utf8.DecodeRune(head[:copy(head[:], s[i:])])
			if n > 1 && r >= 0xA0 && !redirects(r) {
				i += n
				continue
			}
		}
		dst = append(dst, s[done:i]...)
		i += n
		done = i
		switch {
		case r == utf8.RuneError && b >= utf8.RuneSelf: // not UTF-8
			dst = append(dst, "\uFFFD"...)
		case r == '"' || r == '\\':
			dst = append(dst, '\\', b)
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		default: // below U+FFFF
			dst = append(dst, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		}
	}
	return append(dst, s[done:]...)
}

// plain has the ASCII bytes that stand for themselves in a JSON string.
var plain = func() (t [256]bool) {
	for b := ' '; b < 0x7F; b++ {
		t[b] = b != '"' && b != '\\'
	}
	return t
}()

// AppendVisible appends text to dst for a terminal and returns the grown slice. Control
// characters, characters that end a line or change the direction of text, and bytes that are
// not UTF-8 become escapes such as \x1b, one for each byte.
func AppendVisible[T string | []byte](dst []byte, text T) []byte {
	const digits = "0123456789abcdef"
	for i := 0; i < len(text); { // at most len(text) iterations
		n, safe := visible(text[i:])
		if safe {
			dst = append(dst, text[i:i+n]...)
		} else {
			for _, b := range []byte(text[i : i+n]) {
				dst = append(dst, '\\', 'x', digits[b>>4], digits[b&15])
			}
		}
		i += n
	}
	return dst
}

// visible returns the length of the first character of text, and whether it may be sent to
// a terminal unchanged.
func visible[T string | []byte](text T) (n int, safe bool) {
	b := text[0]
	if b < utf8.RuneSelf {
		return 1, b >= 0x20 && b != 0x7F
	}
	var head [utf8.UTFMax]byte
	r, n := utf8.DecodeRune(head[:copy(head[:], text)])
	return n, !(r == utf8.RuneError && n == 1) && r >= 0xA0 && !redirects(r)
}

// redirects reports whether r ends a line, or changes the direction in which other characters
// are shown. A name that contains such a character could change how the rest of its line is
// read. The marks of direction (U+200E, U+200F, U+061C) are invisible, and move the punctuation
// beside them.
func redirects(r rune) bool {
	return 0x2028 <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}
