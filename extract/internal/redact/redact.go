package redact

import (
	"bytes"
	"math"
)

// maxRounds is how often a text is redacted again until nothing changes. Text that
// still changes then is replaced as a whole.
const maxRounds = 4

// all counts the passwords in a text that is replaced as a whole.
const all = math.MaxInt

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
// returns the grown slice and the number of passwords. dst must not overlap text. What
// it makes stays unchanged if it is given again.
func (r *Redactor) Append(dst, text []byte) (grown []byte, hidden int) {
	r.single = false
	return r.append(dst, text)
}

// AppendSingle is Append for a text that is one reference. White space, quotes and angle
// brackets do not end it.
func (r *Redactor) AppendSingle(dst, text []byte) (grown []byte, hidden int) {
	r.single = true
	return r.append(dst, text)
}

func (r *Redactor) append(dst, text []byte) (grown []byte, hidden int) {
	if harmless(text) {
		return append(dst, text...), 0
	}
	if len(text) > math.MaxInt32 {
		return append(dst, stars...), all
	}
	for round := range maxRounds {
		if !r.view(text) || !r.find(len(text)) {
			break
		}
		hidden = max(hidden, len(r.spans))
		if !r.fresh(text) {
			return append(dst, text...), hidden
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
	colons := 0
	for _, c := range text {
		switch class[c] {
		case telling:
			return false
		case colon:
			colons++
		}
	}
	return colons < 2
}

// What a byte says to harmless.
const (
	colon   = 1
	telling = 2 // an escape or an account may begin or end here
)

var class = [256]uint8{':': colon, '@': telling, '%': telling, '&': telling, '\\': telling, '[': telling, '(': telling, '{': telling}
