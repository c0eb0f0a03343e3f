package uri

import (
	"strconv"
)

// A Reason is the kind of an [Error].
type Reason uint8

const (
	BadByte   Reason = iota + 1 // a byte that the component does not allow
	BadEscape                   // '%' without two hexadecimal digits
	BadHost                     // brackets without an IP literal between them
	BadPort                     // a port that is not a number
	BadStart                    // a first byte that a segment or scheme does not allow
	Missing                     // a component that the grammar requires
	BadScheme                   // a scheme for which the grammar has no production
	TooLong                     // more than [MaxLen] bytes
	BadExcess                   // more ".." than the base has levels, see [AppendTarget]
	Misread                     // components that would be parsed as other ones, see [Builder]
)

// An Error says why and where a text is not a reference, or why a reference has no
// target. Its message looks like
//
//	uri: query: byte '^' at offset 31 is not in rfc3986 (url-1993 has it): "http://…"
//
// and quotes at most 100 bytes of the text, passwords included; see
// [AppendRedacted].
type Error struct {
	Text      string    // the rejected text, a copy; of one that is TooLong the first 100 bytes
	Offset    int       // of the rejected byte in Text; len(Text) if something is missing at the end
	Component Component // that contains the byte
	Reason    Reason
	Grammar   Grammar // the grammars by which the text was checked
	Accepts   Grammar // the grammars that accept the text; often none
}

// Error returns one line: the component, the reason, and the beginning of the text,
// quoted as by [strconv.Quote].
func (e *Error) Error() string {
	b := make([]byte, 0, 200) // enough for most messages
	b = append(b, "uri: "...)
	b = append(b, e.Component.String()...)
	b = append(b, ": "...)
	if e.Reason == TooLong {
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
	case BadEscape:
		b = append(b, "'%'"...)
		at()
		b = append(b, " begins no escape"...)
	case BadExcess:
		b = append(b, "\"..\""...)
		at()
		b = append(b, " goes above the root of the base"...)
	case Misread:
		b = append(b, "what begins"...)
		at()
		b = append(b, " would be read as another part"...)
	case BadHost:
		b = appendByte(b, e)
		at()
		b = append(b, " is not in the address in [ ] of "...)
		b = append(b, e.Grammar.String()...)
	case BadScheme:
		b = append(b, "the name that ends"...)
		at()
		b = append(b, " is not in "...)
		b = append(b, e.Grammar.String()...)
	case BadStart:
		b = appendByte(b, e)
		at()
		b = append(b, " begins none in "...)
		b = append(b, e.Grammar.String()...)
	case Missing:
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

// String returns r in a few words, as in "bad byte".
func (r Reason) String() string {
	if r == 0 || int(r) >= len(reasonNames) {
		return "fault"
	}
	return reasonNames[r]
}

var reasonNames = [...]string{
	BadByte: "bad byte", BadEscape: "broken escape", BadHost: "bad host", BadPort: "bad port",
	BadStart: "bad start", Missing: "missing part", BadScheme: "unknown scheme",
	TooLong: "too long", BadExcess: "excess \"..\"", Misread: "misread part",
}
