package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A line that ends in a space flows on in the next one, if that is quoted as
// deep. With DelSp=yes the space was put there with the break, so both go, with
// the quote marks and the stuffing of the next line: a reference that was
// broken is whole again, inside a quotation too.
//
//	> see http://a/b ⏎      > see http://a/bcd⏎
//	> cd⏎
//
// All else stays as it is. A flowed line's end stays in src until it is clear
// what the next line begins with.

// NewFlowed returns a Decoder that joins the flowed lines of text/plain with
// format=flowed and DelSp=yes (RFC 3676 section 4). What stays: a break between
// lines of different quote depth, and around the line "-- " in front of a
// signature, quoted or not; quote marks and stuffing of each line that is no
// continuation; a space at the end of the text. Without DelSp a space
// separates words, and there is nothing to do.
func NewFlowed() decode.Decoder {
	d := new(flowed)
	d.Reset()
	return d
}

type flowed struct {
	content bool // quote marks and stuffing of the line are after
	depth   int  // of quotation of this line
	dashes  int  // bytes of content so far; 3 if they do not begin "--"
}

func (d *flowed) Reset() { *d = flowed{} }

// Decode implements [decode.Decoder]. Each iteration of its loop takes a quote mark or a
// line, or is the last, and examines MaxUnit bytes after it at most.
func (d *flowed) Decode(dst, src []byte, atEOF bool) (decode.Run, error) {
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
			if end > 0 { // the join comes first in a call of its own
				n = end
				break
			}
			size, more := d.join(src, i+1, atEOF)
			if size > 0 {
				d.dashes = 3
			}
			if size > 0 || more {
				return decode.Run{In: size}, nil
			}
		}
		n += i + 1
		*d = flowed{}
	}
	copy(dst, src[:n])
	return decode.Run{In: n, Out: n, InUnit: 1, OutUnit: 1}, nil
}

// pass notes that text is content of the line. It is the two dashes of a
// signature's line, or the beginning of them, only while nothing else came.
func (d *flowed) pass(text []byte) {
	for _, c := range text[:min(len(text), 3)] {
		if d.dashes == 3 || c != '-' {
			d.dashes = 3
			return
		}
		d.dashes++
	}
}

// join examines the line that begins at src[at:], after one that is flowed and
// ends there. If it is a continuation, size is the length of the flowed line's
// end and of the quote marks and stuffing of this one.
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
		return 0, false // quoted too deep to see on
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

// beforeSpace returns the place of a space, or a space and a carriage return,
// just before end, or else that of the carriage return, or else end, never
// before start.
func beforeSpace(src []byte, start, end int) int {
	at := beforeCR(src, start, end)
	if at > start && src[at-1] == ' ' {
		return at - 1
	}
	return at
}
