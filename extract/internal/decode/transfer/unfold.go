package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

type unfold struct{}

// NewUnfold returns a Decoder that joins folded content lines: it removes each line end
// (CRLF or LF) with the space or tab after it, and copies everything else. It is for
// text/calendar (RFC 5545 section 3.1), text/vcard (RFC 6350 section 3.2) and
// text/directory (RFC 2425 section 5.8.1). Some programs fold within a character, so use it
// in front of the decoder of the charset.
func NewUnfold() decode.Decoder { return unfold{} }

func (unfold) Reset() {}

// Decode implements [decode.Decoder]. A line end stays in src until the byte after it is
// seen.
func (unfold) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	most := min(len(dst), len(src))
	n := 0
	for n < most {
		i := bytes.IndexByte(src[n:most], '\n')
		if i < 0 {
			n = beforeCR(src, n, most)
			if most == len(src) && atEOF {
				n = most
			}
			break
		}
		end := beforeCR(src, n, n+i)
		next := n + i + 1
		if next < len(src) && (src[next] == ' ' || src[next] == '\t') {
			if end == 0 {
				return decode.Conversion{In: next + 1}, nil
			}
			n = end
			break
		}
		if next == len(src) && !atEOF {
			n = end
			break
		}
		n = next
	}
	copy(dst, src[:n])
	return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, nil
}

// beforeCR returns the offset of a carriage return just in front of end, or end if there is
// none at or after start.
func beforeCR(src []byte, start, end int) int {
	if end > start && src[end-1] == '\r' {
		return end - 1
	}
	return end
}
