package delimit

// A State says where a [Scanner] is in its text, and what its further candidates depend on.
// It lets several Scanners share one big text: each begins at another line of the text, and reads
// on into the part of the next Scanner. As soon as the States of two Scanners agree at the same
// place, the second Scanner finds from there on what the first would find; see [State.Agrees].
// Usually this takes a few lines.
//
// Offsets and lines count from where the Scanner began. So when two States agree, add
// the differences between their offsets and lines to the offsets and lines of the
// second Scanner's candidates.
type State struct {
	Offset       int64 // of the byte that the Scanner reads next, from 0
	Line, Column int64 // of that byte, from 1, also with Options.NoLines

	// Floor is an offset: all candidates that begin in front of it were returned.
	Floor int64

	// What the candidates depend on, apart from Options and text that was not read. The
	// numbers are bytes in front of Offset, so that they do not depend on where the Scanner
	// began.
	unscanned      int64 // read, and not scanned yet
	known          int64 // only this many bytes in front of Offset matter
	open           int64 // a candidate may begin in these bytes
	skipping       bool  // a run that is too long is being skipped
	sinceMessageID int64 // lines since the last Message-ID, plus one; 0 if it does not matter
}

// Agrees reports whether two Scanners in the States st and other find the same candidates
// from here on. They must have equal Options, each must have begun at the beginning of a line,
// and both must have read the same text up to the same place. The offsets, lines and columns
// of the two States are not compared.
func (st State) Agrees(other State) bool {
	st.Offset, st.Line, st.Column, st.Floor = other.Offset, other.Line, other.Column, other.Floor
	return st == other
}
