package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A line that ends in a space continues in the next line, if that has the same quote depth.
// With DelSp=yes the space was inserted with the break. So both are removed, and so are the
// quote marks and the stuffing of the next line. This joins a broken reference, in a
// quotation too.
//
//	> see http://a/b ⏎      > see http://a/bcd⏎
//	> cd⏎
//
// Everything else is copied. The end of a flowed line stays in src until the beginning of the
// next line is known.

// NewFlowed returns a Decoder that joins the flowed lines of text/plain with format=flowed and
// DelSp=yes (RFC 3676 section 4). It keeps breaks between lines of different quote depth, and
// breaks around the line "-- " in front of a signature, quoted or not. It also keeps the quote
// marks and the stuffing of lines that continue no other line, and a space at the end of the
// text. Without DelSp a space separates words, and there is nothing to join.
func NewFlowed() decode.Decoder {
	d := new(flowed)
	d.Reset()
	return d
}

type flowed struct {
	content bool // the quote marks and stuffing of the line were read
	depth   int  // quote depth of this line
	dashes  int  // dashes at the beginning of the content; 3 if it cannot be the line of a signature
}

func (d *flowed) Reset() { *d = flowed{} }

// Decode implements [decode.Decoder]. Decode examines at most MaxUnit bytes after the bytes that
// it consumes.
func (d *flowed) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	most := min(len(dst), len(src))
	n := 0
	for n < most {
		if !d.content {
			switch src[n] {
			case '>':
				d.depth++
				n++
				continue
			case ' ':
				n++
			}
			d.content = true
			continue
		}
		i := bytes.IndexByte(src[n:most], '\n')
		if i < 0 {
			end := most
			if most < len(src) || !atEOF {
				end = beforeSpace(src, n, most)
			}
			d.pass(src[n:end])
			n = end
			break
		}
		end := beforeSpace(src, n, n+i)
		d.pass(src[n:end])
		if src[end] == ' ' && d.dashes != 2 {
			if end > 0 { // the text in front of the join is returned first
				n = end
				break
			}
			size, more := d.join(src, i+1, atEOF)
			if size > 0 {
				d.dashes = 3
			}
			if size > 0 || more {
				return decode.Conversion{In: size}, nil
			}
		}
		n += i + 1
		*d = flowed{}
	}
	copy(dst, src[:n])
	return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, nil
}

// pass records that text is content of the line. dashes counts only dashes at its
// beginning, for the line of a signature.
func (d *flowed) pass(text []byte) {
	for _, c := range text[:min(len(text), 3)] {
		if d.dashes == 3 || c != '-' {
			d.dashes = 3
			return
		}
		d.dashes++
	}
}

// join examines the line that begins at src[at:], after a flowed line. If it continues that
// line, size is the number of bytes to remove between the texts of the two lines: the end of
// the flowed line, and the quote marks and the stuffing of this line.
func (d *flowed) join(src []byte, at int, atEOF bool) (size int, more bool) {
	const signature = "-- "
	window := src[:min(len(src), decode.MaxUnit-len(signature))]
	n := at
	for n < len(window) && window[n] == '>' {
		n++
	}
	if n-at > d.depth || n < len(window) && n-at != d.depth {
		return 0, false
	}
	if n < len(window) && window[n] == ' ' {
		n++
	}
	if n == decode.MaxUnit-len(signature) {
		return 0, false // more quote marks than are examined
	}
	rest := src[n:min(len(src), n+len(signature))]
	if len(rest) < len(signature) && string(rest) == signature[:len(rest)] && !atEOF {
		return 0, true
	}
	if len(rest) == 0 || string(rest) == signature {
		return 0, false
	}
	return n, false
}

// beforeSpace returns end, or the offset of a carriage return in front of end, or the offset of
// a space in front of either. It does not return less than start.
func beforeSpace(src []byte, start, end int) int {
	at := beforeCR(src, start, end)
	if at > start && src[at-1] == ' ' {
		return at - 1
	}
	return at
}
