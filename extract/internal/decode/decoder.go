package decode

import (
	"fmt"
	"io"
)

// A Run is a stretch that one call of a [Decoder] turned: In bytes of source
// became Out bytes, InUnit for each OutUnit (1 for 1, 4 for 3, 3 for none).
// Out is a whole number of units. What In has more than its units come to was
// taken out in front of them: a line end before the next line's groups, a tag
// before text. So Out whose InUnit is 0 is an insertion, behind In bytes taken
// out, and In without Out is taken out, whatever its units say. The empty Run has
// neither.
type Run struct {
	In, Out         int
	InUnit, OutUnit uint8
}

// lead returns how much of In was taken out in front of what became Out, which is
// not 0. Most units are of one byte, for which nothing is divided.
func (r Run) lead() int {
	switch {
	case r.InUnit == r.OutUnit:
		return r.In - r.Out
	case r.OutUnit == 1:
		return r.In - r.Out*int(r.InUnit)
	case r.OutUnit == 3: // a division by a constant is none
		return r.In - r.Out/3*int(r.InUnit)
	}
	return r.In - r.Out/int(r.OutUnit)*int(r.InUnit)
}

// MinRoom is the room in bytes that a [Decoder] may count on: it is given no
// shorter dst, so no unit of any decoder is longer.
const MinRoom = 16

// MaxUnit bounds the source bytes that a [Decoder] may have to see at once.
// Given that many, or the end, it turns something.
const MaxUnit = 256

// A Decoder turns a prefix of src into a prefix of dst, which has at least
// [MinRoom] bytes, and says what it turned as one Run. It keeps neither slice,
// does no I/O, and returns the empty Run to ask for more source or, if dst is
// not as long as the one before, more room. With atEOF no more source will
// come; the empty Run then means the end.
//
// An error ends the decoding; the Run beside it is good. An [*Error] made by a
// Decoder has its Offset counted from src[0]; the Stage adds the rest. One that
// is Mild ends nothing: it is told (see [Chain.Mild]) and decoding goes on, so a
// Decoder makes one for each kind of damage at most between Resets.
type Decoder interface {
	Decode(dst, src []byte, atEOF bool) (Run, error)

	// Reset makes the Decoder what it was when new.
	Reset()
}

// A BatchDecoder is a Decoder whose runs are short. It converts many in one call, and
// adds them to the Map itself.
type BatchDecoder interface {
	Decoder

	// DecodeBatch is Decode over and over, until dst has less than MinRoom left, or
	// Decode returns the empty Run or an error, whose Offset is counted from
	// src[0] here too. It returns what was turned in all.
	DecodeBatch(m *Map, dst, src []byte, atEOF bool) (in, out int, err error)
}

// A Stage is a reader that knows where in its input its output came from. All
// offsets are in bytes, from 0. A Read returns what is there, and does not
// wait to fill its slice; an error comes after the bytes that stood before it.
type Stage interface {
	io.Reader

	// Origin returns the input offset of the unit that the output byte at off
	// belongs to, and whether off begins it, so that the offset is the byte's
	// own. At the end of what was read it is the end of the last unit.
	Origin(off int64) (in int64, exact bool)

	// Span returns the input [lo, hi) that became the output [start, end):
	// from the beginning of the first byte's unit to the end of the last
	// byte's. Input that was taken out before the first or behind the last is
	// not in it. It is exact if no unit is cut. An empty span has lo == hi.
	Span(start, end int64) (lo, hi int64, exact bool)

	// Forget lets the stage drop what it knows of output before off. What is
	// asked of forgotten output later is answered with the oldest that is
	// known, and not exact.
	Forget(off int64)
}

// An Error is damage that a stage found in what it reads. It reads like
//
//	utf-16le: 1 byte left of a code unit of 2 at offset 17
type Error struct {
	Stage  string // the step that gave up: "utf-16le", "html", ...
	Offset int64  // of the damage; from a [Chain], in its raw stream
	What   string // what is wrong there
	Mild   bool   // decoding went on
	Limit  int    // not 0: this is no damage, but so much was the limit
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s at offset %d", e.Stage, e.What, e.Offset) }

// Replace makes c of n bytes of source. What is put in the place of markup stands
// where the markup begins, so that it can be told by its offset as well.
func Replace(dst []byte, c byte, n int) Run {
	dst[0] = c
	return Run{n, 1, uint8(n), 1}
}
