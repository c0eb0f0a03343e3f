package html

import "github.com/urlsift/urlsift/extract/internal/decode"

// A state is what the next byte belongs to.
type state uint8

const (
	inText    state = iota // running text
	inRCData               // text of an element that holds no other: title, textarea
	inRaw                  // the same without character references: script, style
	inRest                 // the same up to the end of the document: plaintext
	inComment              // after "<!--"
	inDecl                 // after "<!" or "<?"
	inWords                // a value that is text
	textStates

	inTag     = iota - 1 // the name of a tag
	inBetween            // between attributes
	inName               // the name of an attribute
	inAfter              // after the name of an attribute
	inEquals             // after its '='
	inValue              // at the first byte of its value
	inDropped            // a value that is dropped
	inDoctype            // the document type, up to its end or its internal subset
	inKept               // a value that holds references
	inHanded             // after a kept value: the sink is called next
)

// nameCap is the longest name of a tag or an attribute that is compared. Longer names are
// skipped and are unknown.
const nameCap = 32

// insertBreak puts a blank line in front of or after a value that is text. The blank line replaces
// the quote around the value; without a quote, the blank line is inserted. The blank line ends a
// wrapper around the tag.
func insertBreak(dst []byte, quote byte) decode.Conversion {
	dst[0], dst[1] = '\n', '\n'
	if quote == 0 {
		return decode.Conversion{In: 0, Out: 2, InUnit: 0, OutUnit: 2}
	}
	return decode.Conversion{In: 1, Out: 2, InUnit: 1, OutUnit: 2}
}

// literally copies the first byte of src as text.
func literally(dst, src []byte) (decode.Conversion, bool) {
	return decode.Replace(dst, src[0], 1), false
}
