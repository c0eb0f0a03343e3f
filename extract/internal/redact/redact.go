package redact

import (
	"bytes"
	"math"
)

// maxRounds is how often a text is redacted again until nothing changes. Text that
// still changes then is replaced as a whole.
const maxRounds = 4

// Found says which passwords a text has. Two spellings of one reference have the same if
// they are equal.
type Found struct {
	Count   int    // math.MaxInt if the whole text was replaced
	outline uint64 // a hash of the view up to the last password, without white space and passwords
}

// all is what is found in a text that is replaced as a whole.
var all = Found{Count: math.MaxInt}

// stars stand for a password.
var stars = []byte("***")

// A Redactor replaces passwords. It keeps its buffers from one text to the next. The
// zero value is ready. It is not for several goroutines at once.
type Redactor struct {
	single bool      // the text is one reference, whatever is in it
	glyphs []glyph   // the view
	spans  []span    // of the text: the passwords, in order
	ends   []end     // of authorities of the view, by layers
	rounds [2][]byte // the text after this round and the one before it
}

// A span is text[lo:hi].
type span struct{ lo, hi int }

// Append appends text without its passwords, each replaced by "***", to dst, and
// returns the grown slice and what was found. dst must not overlap text. What
// it makes stays unchanged if it is given again.
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
		if !r.fresh(text) {
			return append(dst, text...), found
		}
		out, done := r.rounds[round%2][:0], 0
		for _, s := range r.spans { // they are in order, and do not overlap
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

// fresh reports whether one of r.spans, which are of text, is not replaced already.
func (r *Redactor) fresh(text []byte) bool {
	for _, s := range r.spans {
		if !bytes.Equal(text[s.lo:s.hi], stars) {
			return true
		}
	}
	return false
}

// harmless reports whether text can have no password, however it is read: it has no
// escape, and nothing after the ':' of one scheme that looks like an account or a port.
func harmless(text []byte) bool {
	colons, slashes, named := 0, 0, false
	for i, c := range text {
		switch class[c] {
		case telling:
			return false
		case colon:
			if colons++; colons > 1 || slashes > 1 || named {
				return false
			}
		case slash:
			slashes++
		case dot:
			named = named || labelEnds(text[max(0, i-2):i])
		case equals: // and a character that has a meaning, in hexadecimal
			if i+2 < len(text) && '2' <= text[i+1] && text[i+1] <= '5' && digit(text[i+2]) < 16 {
				return false
			}
		case plus: // and the zeros that such a character begins with in base64
			if i+3 < len(text) && (text[i+1] == 'A' || text[i+1] == '/') {
				return false
			}
		}
	}
	return true
}

// What a byte says to harmless.
const (
	telling = 1 + iota // an escape or an account may begin or end here
	colon
	slash
	dot
	equals
	plus
)

var class = func() (of [256]uint8) {
	of[':'], of['/'], of['.'], of['='], of['+'] = colon, slash, dot, equals, plus
	for _, c := range []byte("@%&\\[({" + wideLeads) {
		of[c] = telling
	}
	return of
}()
