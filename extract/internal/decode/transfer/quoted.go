package transfer

import (
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Quoted-printable consists of bytes that stand for themselves, escapes of three bytes for one,
// and soft line breaks, which are removed. Each is a Conversion; bytes that stand for themselves are
// copied in stretches that end at a '='.
//
// Real mail breaks the rules of RFC 2045 section 6.7. The decoder accepts this, so that
// references stay whole: hexadecimal digits may have either case; blanks and carriage
// returns may be between the '=' of a soft break and its line end; a '=' that begins no
// escape, as in lines that a mailing list has appended, is copied. Blanks at the end of a
// line, which a decoder may drop, are kept: no reference ends in one.

type quoted struct{ reported bool }

// NewQuotedPrintable returns a Decoder of quoted-printable (RFC 2045 section 6.7). Its
// output may be in any charset. An escape is a unit of 3 bytes. A '=' that begins no escape
// is copied, and is mild damage, reported once.
func NewQuotedPrintable() decode.Decoder { return new(quoted) }

func (d *quoted) Reset() { *d = quoted{} }

// Decode implements [decode.Decoder]. It examines a literal byte once. After a '=' it examines at
// most MaxUnit bytes, which contain no other '='.
func (d *quoted) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if n := unescape(dst, src); n > 0 {
		return decode.Conversion{In: 3 * n, Out: n, InUnit: 3, OutUnit: 1}, nil
	}
	var err error
	n := octet.CopyTo(dst, src, '=')
	for n < len(src) && n < len(dst) {
		kind, size := quotedUnit(src[n:], atEOF)
		if kind == quotedSoft && n == 0 { // otherwise the text in front of it comes first
			return decode.Conversion{In: size}, nil
		}
		if kind != quotedLiteral {
			break
		}
		if !d.reported {
			d.reported = true
			err = damage.Skipped(damage.StageQuoted, int64(n), "'=' that begins no escape")
		}
		dst[n] = '='
		n++
		n += octet.CopyTo(dst[n:], src[n:], '=')
	}
	return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, err
}

// DecodeBatch implements [decode.BatchDecoder]. It handles copied stretches, escapes and
// plain soft breaks itself, and leaves every other '=' to Decode.
func (d *quoted) DecodeBatch(m *decode.Map, dst, src []byte, atEOF bool) (in, out int, err error) {
	room, rest := dst, src
	lead := 0 // bytes of a soft break, which is removed together with what follows it
	for len(room) >= decode.MinRoom && len(rest) > 0 {
		n := 0
		switch {
		case rest[0] != '=':
			n = octet.CopyTo(room, rest, '=')
			m.Add(decode.Conversion{In: lead + n, Out: n, InUnit: 1, OutUnit: 1})
			room, rest, lead = room[n:], rest[n:], 0
			continue
		case len(rest) < 3:
		case rest[1] == '\n':
			rest, lead = rest[2:], lead+2
			continue
		case rest[1] == '\r' && rest[2] == '\n':
			rest, lead = rest[3:], lead+3
			continue
		default:
			n = unescape(room, rest)
		}
		if n > 0 {
			m.Add(decode.Conversion{In: lead + 3*n, Out: n, InUnit: 3, OutUnit: 1})
			room, rest, lead = room[n:], rest[3*n:], 0
			continue
		}
		conv, err := d.Decode(room, rest, atEOF)
		if e, ok := err.(*damage.Damage); ok {
			e.Offset += int64(len(src) - len(rest))
		}
		m.Add(decode.Conversion{In: lead})
		m.Add(conv)
		room, rest, lead = room[conv.Out:], rest[conv.In:], 0
		if err != nil || conv.In == 0 {
			return len(src) - len(rest), len(dst) - len(room), err
		}
	}
	m.Add(decode.Conversion{In: lead})
	return len(src) - len(rest), len(dst) - len(room), nil
}

// What a '=' begins.
const (
	quotedMore    = iota // undecided without more input
	quotedLiteral        // nothing: it is literal
	quotedEscape         // "=3D"
	quotedSoft           // a soft line break
)

// quotedUnit decides what the '=' at the beginning of src begins, and returns the length of
// a soft break. A soft break longer than MaxUnit is not recognised.
func quotedUnit(src []byte, atEOF bool) (kind, size int) {
	if len(src) >= 3 && octet.Hex[src[1]]|octet.Hex[src[2]] < 16 {
		return quotedEscape, 3
	}
	// '=', blanks, any number of carriage returns, and a line feed.
	window := src[:min(len(src), decode.MaxUnit)]
	i := 1
	for i < len(window) && (window[i] == ' ' || window[i] == '\t') {
		i++
	}
	end := i
	for i < len(window) && window[i] == '\r' {
		i++
	}
	switch {
	case i < len(window) && window[i] == '\n':
		return quotedSoft, i + 1
	case len(window) == decode.MaxUnit: // no more is examined
	case i == len(window) || len(window) == 2 && octet.Hex[window[1]] < 16:
		if !atEOF {
			return quotedMore, 0
		}
		if i == len(window) { // the end of the text ends the line
			return quotedSoft, i
		}
	}
	if i > end { // a line end without a line feed
		return quotedSoft, i
	}
	return quotedLiteral, 1
}

// unescape decodes the escapes at the beginning of src and returns their number.
func unescape(dst, src []byte) (n int) {
	for i := range dst {
		if len(src) < 3 || src[0] != '=' {
			return i
		}
		hi, lo := octet.Hex[src[1]], octet.Hex[src[2]]
		if hi|lo >= 16 {
			return i
		}
		dst[i] = hi<<4 | lo
		src = src[3:]
	}
	return len(dst)
}
