package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

type unfold struct{}

// NewUnfold returns a Decoder of content lines: it removes each line end (CRLF or LF) with the space
// or tab after it, undoes the escapes of text, \\ \; \, \: and \n or \N for a line end, and copies
// everything else. It is for text/calendar (RFC 5545, sections 3.1 and 3.3.11), text/vcard (RFC 6350,
// sections 3.2 and 3.4) and text/directory (RFC 2425, section 5.8). Some programs fold within a
// character, so use it in front of the decoder of the charset.
func NewUnfold() decode.Decoder { return unfold{} }

func (unfold) Reset() {}

// Decode implements [decode.Decoder]. A line end stays in src until the byte after it is
// seen.
func (unfold) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	most := min(len(dst), len(src))
	n := 0
	for n < most {
		i := bytes.IndexAny(src[n:most], "\\\n")
		if i >= 0 && src[n+i] == '\\' {
			if n += i; n > 0 {
				break
			}
			char, size := unescapeText(src, atEOF)
			dst[0] = char
			return decode.Conversion{In: size, Out: min(size, 1), InUnit: uint8(size), OutUnit: 1}, nil
		}
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

// unescapeText returns the character that src, which begins with a backslash, stands for, and how many
// bytes of src it takes. A line may be folded within an escape. A backslash that begins no escape is
// itself. size is 0 if more bytes are needed.
func unescapeText(src []byte, atEOF bool) (char byte, size int) {
	const mostFolds = 64 // bytes
	for k := 1; k < min(len(src), mostFolds); {
		switch c := src[k]; c {
		case '\\', ';', ',', ':':
			return c, k + 1
		case 'n', 'N':
			return '\n', k + 1
		}
		n := octet.LineEnd(src[k:])
		if n == 0 && string(src[k:]) != "\r" || n > 0 && k+n < len(src) && !octet.IsBlank(src[k+n]) {
			return '\\', 1
		}
		k += n + 1
	}
	if atEOF || len(src) >= mostFolds {
		return '\\', 1
	}
	return 0, 0
}

// beforeCR returns the offset of a carriage return just in front of end, or end if there is
// none at or after start.
func beforeCR(src []byte, start, end int) int {
	if end > start && src[end-1] == '\r' {
		return end - 1
	}
	return end
}
