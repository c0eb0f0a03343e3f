package decode

import "io"

// A Conversion describes what one call of a [Decoder] converted. The input had In bytes, which
// became Out bytes of output. InUnit bytes of input became OutUnit bytes of output, such as 4
// bytes 3 in base64. Out is a whole number of units.
//
// If In is more than these units need, the rest was removed in front of them, such as a line
// end in front of a group of base64. If InUnit is 0, all In bytes were removed, and then Out
// bytes were inserted. If Out is 0, all In bytes were removed, and the units have no meaning.
// In the empty Conversion both In and Out are 0.
type Conversion struct {
	In, Out         int
	InUnit, OutUnit uint8
}

// removed returns how many bytes of In were removed in front of the output. Out must not be 0.
// Most units have one byte, and need no division.
func (r Conversion) removed() int {
	switch {
	case r.InUnit == r.OutUnit:
		return r.In - r.Out
	case r.OutUnit == 1:
		return r.In - r.Out*int(r.InUnit)
	case r.OutUnit == 3: // the compiler divides by a constant without a division
		return r.In - r.Out/3*int(r.InUnit)
	}
	return r.In - r.Out/int(r.OutUnit)*int(r.InUnit)
}

// MinRoom is the least length of dst that a [Decoder] is given, in bytes. No unit of output is
// longer.
const MinRoom = 16

// MaxUnit is the most input, in bytes, that a [Decoder] needs to convert something. It needs
// less at the end of the input.
const MaxUnit = 256

// MaxAhead is the most input, in bytes, that a [Decoder] may ask for if later bytes decide how
// earlier ones are converted, as after a quotation mark in a table.
const MaxAhead = bufSize / 2

// A Decoder converts a prefix of src to a prefix of dst, and returns what it did as one
// Conversion. dst has at least [MinRoom] bytes. The Decoder keeps neither slice and does no I/O. It
// returns the empty Conversion to ask for more input or, if dst is shorter than in an earlier call,
// for more room. With atEOF no more input will come; the empty Conversion then means the end.
//
// An error ends the decoding; the Conversion that is returned with it is valid. It is a
// *damage.Damage whose Offset is counted from src[0]; the link adds the offset of src[0]. A
// Damage that is Mild ends nothing: it is reported to [Chain.Mild] and decoding continues.
// Between two Resets, a Decoder returns at most one Mild Damage of each kind.
type Decoder interface {
	Decode(dst, src []byte, atEOF bool) (Conversion, error)

	// Reset returns the Decoder to its initial state.
	Reset()
}

// A MappedReader is a reader that knows from which part of its input each part of its output was
// made. All offsets are in bytes, from 0. Read returns the available bytes and does not wait to
// fill its slice. An error is returned after the bytes in front of it.
type MappedReader interface {
	io.Reader

	// Origin returns the input offset of the unit that the output byte at off belongs to.
	// exact says that the byte is the first of its unit. At the end of the output, Origin
	// returns the end of the last unit.
	Origin(off int64) (in int64, exact bool)

	// Span returns the input [lo, hi) that became the output [start, end): from the
	// beginning of the first byte's unit to the end of the last byte's unit. Input that was
	// removed in front of the first byte or after the last one is not included. exact says
	// that no unit is cut. An empty span has lo == hi.
	Span(start, end int64) (lo, hi int64, exact bool)

	// Forget lets the link drop what it knows of output before off. For forgotten output,
	// Origin and Span return the oldest input offset that is still known, and exact is false.
	Forget(off int64)
}

// Copy copies as much of src to dst as there is room for.
func Copy(dst, src []byte) Conversion {
	n := copy(dst, src)
	return Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
}

// Replace writes c to dst in place of n bytes of input, as one unit. So the origin of c is the first
// of these bytes, such as the '<' of a tag.
func Replace(dst []byte, c byte, n int) Conversion {
	dst[0] = c
	return Conversion{n, 1, uint8(n), 1}
}

// bufSize is the size of the input buffer of a link. It is many times MaxUnit, so a
// decoder that asks for more input can always be given some.
const bufSize = 8 << 10

// An Attr is one reference that is not text: from an attribute of HTML, a header field, a macro of
// roff, or a command or field of TeX.
type Attr struct {
	Tag  string // name of the element of HTML, in lower case; "" if it is unknown, and in other formats
	Name string // name of the attribute, header field, command or field, in lower case; of a macro, as written

	// Request says that a browser always requests the target of the attribute, as with FORM
	// action and IMG src (1997, section 3; 2002, section 4.2).
	Request bool

	// Bracketed says that the value was in angle brackets, in a header field that may also hold
	// other text.
	Bracketed bool

	// Element says that the value is the base of its element: an attribute xml:base of XML. Ends says
	// that the last such element has ended; then there is no value, and no Tag.
	Element, Ends bool

	// Value is the reference, with the escapes of the format decoded, without white space around
	// it and without line breaks and tabs in it. It is valid only during the call of the sink,
	// which may change it. It is empty only for an empty attribute of HTML, such as href="".
	Value []byte

	// Start and End bound the source of Value in the input of the decoder that has found it.
	// If that is the topmost link, [Chain.SpanBelow] converts them to raw offsets.
	Start, End int64
}
