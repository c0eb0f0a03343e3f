package delimit

// What functions that examine text answer, and how far they may look.

// maxLead bounds the white space between an opener, or a prefix, and what follows.
const maxLead = 64

// A verdict is the result of a function that examines text.
type verdict uint8

const (
	no   verdict = iota // nothing here
	yes                 // found
	more                // it depends on bytes that were not read yet
)

// atEnd is the verdict if the text ends within a wrapper.
func atEnd(atEOF bool) verdict {
	if atEOF {
		return no
	}
	return more
}

// and returns v if is is true, otherwise no.
func (v verdict) and(is bool) verdict {
	if v == yes && !is {
		return no
	}
	return v
}

// headLen is how much of the beginning of a line is examined for its quote prefix.
const headLen = 64
