package redact

import "strings"

// A glyph is a character of the view.
type glyph struct {
	start  int32  // offset of its spelling in the text; it ends where the next glyph begins
	char   byte   // for other than ASCII, a byte of its UTF-8, or notASCII
	levels levels // the levels undone to get it; if parts of its spelling differ, the largest of them
	least  levels // the levels that all parts of its spelling have
}

// notASCII represents an escaped character outside ASCII. Like any byte that is not
// ASCII, it delimits nothing.
const notASCII = 0xFF

// isWord reports whether c is a letter or a digit.
func isWord(c byte) bool { return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z' }

// A glyphView is the view of a text in one round, and the rules by which its characters end a
// reference.
type glyphView struct {
	single bool    // the text is one reference, whatever characters it has
	glyphs []glyph // the view
}

// An escape is the text that some glyphs represent.
type escape struct {
	text  [3]byte
	size  int
	kind  escaping
	ended bool // white space follows that may be part of the escape
}

// one returns the escape that represents one character or one byte.
func one(c byte, k escaping) escape { return escape{text: [3]byte{c}, size: 1, kind: k} }

// means reports whether c matters here: as a delimiter, or as the beginning of an escape.
// Spellings that look like ordinary text are undone only if they represent such a
// character.
func means(c byte) bool { return strings.IndexByte(`:/@\%&#?=+;[]{}`, c) >= 0 }

// begins reports whether glyphs begins with text, ignoring case. text is in lower case.
func begins(glyphs []glyph, text string) bool {
	if len(glyphs) < len(text) {
		return false
	}
	for i := range len(text) {
		if lower(glyphs[i].char) != text[i] {
			return false
		}
	}
	return true
}

// digit returns the value of a hexadecimal digit, or 16.
func digit(c byte) int {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return 16
}

// lower returns an ASCII letter in lower case, and every other byte unchanged.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// spells reports whether view is name, ignoring case.
func spells(view []glyph, name string) bool { return len(view) == len(name) && begins(view, name) }

// isBreak reports whether c is white space that browsers remove from a reference.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }
