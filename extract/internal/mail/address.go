package mail

import "bytes"

// addresses appends to dst the addresses in the value of an address field (RFC 5322, section 3.4), such
// as From or To: what is between "<" and ">", and otherwise the word that has an '@', or the words around
// "at", which archives of mailing lists write in its place. Comments, names and routes are left out. dst separates addresses by blanks; an address that has a blank itself, in
// quotes, is left out.
func (s *addressScan) addresses(dst, field []byte) []byte {
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case !isAddressMark[c]:
			from := i
			for i+1 < len(field) && !isAddressMark[field[i+1]] {
				i++
			}
			s.add(field[from : i+1])
		case c == '(':
			i += commentLen(field[i:]) - 1
			s.gap = true
		case c == '"':
			n := quotedLen(field[i:])
			s.add(field[i : i+n])
			i += n - 1
		case c == ' ' || c == '\t':
			s.gap = true
		case c == '<':
			s.word, s.gap, s.inAngle = s.word[:0], false, true
		case c == '>' && s.inAngle:
			s.angle = append(s.angle[:0], s.word...)
			s.word, s.inAngle = s.word[:0], false
		case (c == ',' || c == ';') && !s.inAngle:
			dst = s.flush(dst)
		case c == ':' || c == ',': // the name of a group, or a route in front of an address
			s.word, s.gap = s.word[:0], false
		default:
			s.add(field[i : i+1])
		}
	}
	return s.flush(dst)
}

// isAddressMark has the bytes that do not simply belong to a word.
var isAddressMark = [256]bool{'(': true, '"': true, ' ': true, '\t': true, '<': true, '>': true, ',': true, ';': true, ':': true}

// An addressScan is what was read of one mailbox in a list. Its memory is used again.
type addressScan struct {
	word, found, angle []byte // the current word, the last one with an '@', and what was in "< >"
	local              []byte // the word in front of "at", and then '@'
	words              int    // that were kept
	gap                bool   // white space or a comment follows word
	inAngle            bool
}

// add appends text to the word. After a gap it begins another one, except around '@' and '.', where
// old mail has white space (RFC 5322, section 4.4).
func (s *addressScan) add(text []byte) {
	if n := len(s.word); s.gap && n > 0 && !joins(s.word[n-1]) && !joins(text[0]) {
		s.keep()
	}
	s.word, s.gap = append(s.word, text...), false
}

func joins(c byte) bool { return c == '@' || c == '.' }

// keep ends the word, and keeps it if it is an address.
func (s *addressScan) keep() {
	switch {
	case isAddress(s.word):
		s.found = append(s.found[:0], s.word...)
	case s.words == 0:
		s.local = append(s.local[:0], s.word...)
	case s.words == 1 && string(s.word) == "at":
		s.local = append(s.local, '@')
	case s.words == 2 && bytes.HasSuffix(s.local, []byte("@")) && bytes.IndexByte(s.word, '.') > 0:
		s.found = append(append(s.found[:0], s.local...), s.word...)
	}
	s.words++
	s.word = s.word[:0]
}

// flush appends the address of the mailbox to dst, if there is one, and begins another mailbox.
func (s *addressScan) flush(dst []byte) []byte {
	address := s.angle
	if s.inAngle { // without its end
		address = s.word
	}
	if len(s.word) > 0 {
		s.keep()
	}
	if len(address) == 0 {
		address = s.found
	}
	if isAddress(address) {
		if len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, address...)
	}
	*s = addressScan{word: s.word[:0], found: s.found[:0], angle: s.angle[:0], local: s.local[:0]}
	return dst
}

// isAddress reports whether text has something in front of its last '@' and after it, and no blanks.
func isAddress(text []byte) bool {
	at := bytes.LastIndexByte(text, '@')
	return at > 0 && at+1 < len(text) && bytes.IndexByte(text, ' ') < 0 && bytes.IndexByte(text, '\t') < 0
}

// commentLen returns the length of the comment at the beginning of s, with those in it; len(s) if it
// has no end.
func commentLen(s []byte) int {
	for i, depth := 0, 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// quotedLen returns the length of the quoted string at the beginning of s; 1 if it has no end.
func quotedLen(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 1
}
