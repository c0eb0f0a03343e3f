package octet

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
