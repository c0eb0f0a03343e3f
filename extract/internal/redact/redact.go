package redact

import (
	"bytes"
	"math"
)

// maxRounds is how often a text is redacted until nothing changes. A text that still
// changes then is replaced completely.
const maxRounds = 4

// Found describes the passwords of a text. If two spellings of a reference have equal
// Found values, they have the same passwords at the same places.
type Found struct {
	Count   int    // math.MaxInt if the whole text was replaced
	outline uint64 // a hash of the view up to the last password, without white space and passwords
}

// all is the Found of a text that is replaced completely.
var all = Found{Count: math.MaxInt}

// stars replace a password.
var stars = []byte("***")

// A Redactor replaces passwords. It reuses its buffers. The zero value is ready to use.
// Only one goroutine at a time may use it.
type Redactor struct {
	search
	rounds [2][]byte // the text after this round and the one before it
}

// Append appends text to dst with each password replaced by "***". It returns the grown
// slice and what was found. dst must not overlap text. Redacting the result again does
// not change it.
func (r *Redactor) Append(dst, text []byte) (grown []byte, found Found) {
	r.single = false
	return r.append(dst, text)
}

// AppendSingle is Append for a text that is one reference. White space, quotes and angle
// brackets do not end it.
func (r *Redactor) AppendSingle(dst, text []byte) (grown []byte, found Found) {
	r.single = true
	return r.append(dst, text)
}

// append finds the passwords in text and replaces them, again and again until it finds no new
// one. After maxRounds it replaces the whole text.
func (r *Redactor) append(dst, text []byte) (grown []byte, found Found) {
	if harmless(text) {
		return append(dst, text...), Found{}
	}
	if len(text) > math.MaxInt32 {
		return append(dst, stars...), all
	}
	for round := range maxRounds {
		if !r.view(text) || !r.find(len(text)) {
			break
		}
		if round == 0 {
			found = Found{len(r.spans), r.outline()}
		}
		if !r.hasUnreplaced(text) {
			return append(dst, text...), found
		}
		out, done := r.rounds[round%2][:0], 0
		for _, s := range r.spans { // in order, without overlap
			out = append(append(out, text[done:s.lo]...), stars...)
			done = s.hi
		}
		text = append(out, text[done:]...)
		r.rounds[round%2] = text
	}
	return append(dst, stars...), all
}

// outline returns the hash for Found (FNV-1a).
func (r *Redactor) outline() uint64 {
	hash, n := uint64(14695981039346656037), 0
	for _, g := range r.glyphs {
		for n < len(r.spans) && int(g.start) >= r.spans[n].hi {
			n++
		}
		if n == len(r.spans) {
			break
		}
		switch {
		case int(g.start) >= r.spans[n].lo, g.char == ' ', isBreak(g.char):
		default:
			hash = (hash ^ uint64(min(g.char, 0x80))) * 1099511628211
		}
	}
	return hash
}

// hasUnreplaced reports whether any of r.spans is not replaced yet.
func (r *Redactor) hasUnreplaced(text []byte) bool {
	for _, s := range r.spans {
		if !bytes.Equal(text[s.lo:s.hi], stars) {
			return true
		}
	}
	return false
}

// harmless reports whether text cannot have a password, however it is read: it has no
// escape, and at most one ':' of a scheme, after which nothing looks like an account or a
// port.
func harmless(text []byte) bool {
	colons, slashes, named := 0, 0, false
	for i, c := range text {
		switch class[c] {
		case decisive:
			return false
		case colon:
			if colons++; colons > 1 || slashes > 1 || named {
				return false
			}
		case slash:
			slashes++
		case dot:
			named = named || labelEnds(text[max(0, i-2):i])
		case equals: // "=" and the hexadecimal digits of a character that matters
			if i+2 < len(text) && '2' <= text[i+1] && text[i+1] <= '5' && digit(text[i+2]) < 16 {
				return false
			}
		case plus: // "+" and the zeros with which such a character begins in base64
			if i+3 < len(text) && (text[i+1] == 'A' || text[i+1] == '/') {
				return false
			}
		}
	}
	return true
}

// Classes of bytes for harmless.
const (
	decisive = 1 + iota // an escape or an account may begin or end here
	colon
	slash
	dot
	equals
	plus
)

var class = func() (of [256]uint8) {
	of[':'], of['/'], of['.'], of['='], of['+'] = colon, slash, dot, equals, plus
	for _, c := range []byte("@%&\\[({" + wideLeads) {
		of[c] = decisive
	}
	return of
}()
