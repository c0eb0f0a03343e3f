package uri

import (
	"strconv"
)

// A reason is the kind of an [Error]. Error.Reason has its name, and says what it means.
type reason uint8

const (
	badByte reason = iota + 1
	badEscape
	badHost
	badPort
	badStart
	missing
	badScheme
	tooLong
	badExcess
	misread
)

// An Error says why and where a text is not a reference, or why a reference has no
// target. Its message looks like
//
//	uri: query: byte '^' at offset 31 is not in rfc3986 (url-1993 has it): "http://…"
//
// and quotes at most 100 bytes of the text, passwords included; see
// [AppendRedacted].
type Error struct {
	Text      string    // the rejected text, a copy; of one that is too long the first 100 bytes
	Offset    int       // of the rejected byte in Text; len(Text) if something is missing at the end
	Component Component // that contains the byte
	Grammar   Grammar   // the grammars by which the text was checked
	Accepts   Grammar   // the grammars that accept the text; often none

	// Reason says in a few words, which do not change, what is wrong:
	//
	//	bad byte        a byte that the component does not allow
	//	broken escape   '%' without two hexadecimal digits
	//	bad host        brackets without an IP literal between them
	//	bad port        a port that is not a number
	//	bad start       a byte that must not be the first of a segment or scheme
	//	missing part    a component that the grammar requires
	//	unknown scheme  a scheme for which the grammar has no production
	//	too long        more than [MaxLen] bytes
	//	excess ".."     more ".." than the base has levels, see [AppendTarget]
	//	misread part    components that would be parsed as other ones, see [Builder]
	Reason string
}

// Error returns one line: the component, the reason, and the beginning of the text,
// quoted as by [strconv.Quote].
func (e *Error) Error() string {
	b := make([]byte, 0, 200) // enough for most messages
	b = append(b, "uri: "...)
	b = append(b, e.Component.String()...)
	b = append(b, ": "...)
	if e.Reason == tooLong.String() {
		b = append(b, "text of more than "...)
		b = strconv.AppendInt(b, MaxLen, 10)
		return string(append(b, " bytes"...))
	}
	b = e.appendReason(b)
	if e.Accepts != 0 {
		b = append(b, " ("...)
		b = append(b, e.Accepts.String()...)
		if e.Accepts&(e.Accepts-1) == 0 {
			b = append(b, " has it)"...)
		} else {
			b = append(b, " have it)"...)
		}
	}
	b = append(b, ": "...)
	if len(e.Text) > 100 { // a character that is cut is quoted as bytes
		b = strconv.AppendQuote(b, e.Text[:100])
		return string(append(b, "…"...))
	}
	return string(strconv.AppendQuote(b, e.Text))
}

// appendReason appends which byte is rejected, where it is, and why.
func (e *Error) appendReason(b []byte) []byte {
	at := func() {
		b = append(b, " at offset "...)
		b = strconv.AppendInt(b, int64(e.Offset), 10)
	}
	switch e.Reason {
	case badEscape.String():
		b = append(b, "'%'"...)
		at()
		b = append(b, " begins no escape"...)
	case badExcess.String():
		b = append(b, "\"..\""...)
		at()
		b = append(b, " goes above the root of the base"...)
	case misread.String():
		b = append(b, "what begins"...)
		at()
		b = append(b, " would be read as another part"...)
	case badHost.String():
		b = appendByte(b, e)
		at()
		b = append(b, " is not in the address in [ ] of "...)
		b = append(b, e.Grammar.String()...)
	case badScheme.String():
		b = append(b, "the name that ends"...)
		at()
		b = append(b, " is not in "...)
		b = append(b, e.Grammar.String()...)
	case badStart.String():
		b = appendByte(b, e)
		at()
		b = append(b, " cannot come first in "...)
		b = append(b, e.Grammar.String()...)
	case missing.String():
		b = append(b, "nothing"...)
		at()
		b = append(b, " where "...)
		b = append(b, e.Grammar.String()...)
		b = append(b, " demands more"...)
	default:
		b = appendByte(b, e)
		at()
		b = append(b, " is not in "...)
		b = append(b, e.Grammar.String()...)
	}
	return b
}

// appendByte appends the rejected byte in printable ASCII.
func appendByte(b []byte, e *Error) []byte {
	if e.Offset >= len(e.Text) {
		return append(b, "nothing"...)
	}
	c := e.Text[e.Offset]
	if c >= 0x80 { // part of a character
		b = append(b, "byte 0x"...)
		return strconv.AppendUint(b, uint64(c), 16)
	}
	b = append(b, "byte "...)
	return strconv.AppendQuoteRune(b, rune(c))
}

// String returns the [Error].Reason of r.
func (r reason) String() string { return reasonNames[r] }

var reasonNames = [...]string{
	badByte: "bad byte", badEscape: "broken escape", badHost: "bad host", badPort: "bad port",
	badStart: "bad start", missing: "missing part", badScheme: "unknown scheme",
	tooLong: "too long", badExcess: `excess ".."`, misread: "misread part",
}
