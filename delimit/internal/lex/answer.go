package lex

// The results of functions that examine text, and how far they may read.

// MaxLead bounds the white space between an opener, or a prefix, and what follows.
const MaxLead = 64

// An Answer is the result of a function that examines text.
type Answer uint8

const (
	No   Answer = iota // nothing here
	Yes                // found
	More               // it depends on bytes that were not read yet
)

// AtEnd is the answer if the bytes in the window end before the result is known: No at the end
// of the text, otherwise More.
func AtEnd(atEOF bool) Answer {
	if atEOF {
		return No
	}
	return More
}

// And returns No if v is Yes and holds is false, otherwise v.
func (v Answer) And(holds bool) Answer {
	if v == Yes && !holds {
		return No
	}
	return v
}

// HeadLen is how many bytes at the beginning of a line are examined for its quote
// prefix.
const HeadLen = 64
