package decode

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Quoted-printable is three things: bytes that stand for themselves, escapes of
// three bytes for one, and soft line breaks, which stand for nothing. Each is a
// Run; what stands for itself goes in stretches that end at a '='.
//
// What real mail has beside the rules of RFC 2045 section 6.7 is read so that
// references come out whole: hexadecimal digits of either case; blanks between
// the '=' of a soft break and its line end (transport padding), and stray
// carriage returns there; a '=' that begins nothing, as in lines that a mailing
// list appended unencoded, is itself. Blanks at a line's end, which a reader
// may drop, stay: no reference ends in one.

type quoted struct{ told bool }

// NewQuotedPrintable returns a Decoder of quoted-printable (RFC 2045 section
// 6.7) to the bytes that were encoded, in whatever charset they are. An escape
// is a unit of 3 bytes. A '=' that begins no escape stays, and is mild damage,
// which is told once.
func NewQuotedPrintable() Decoder { return new(quoted) }

func (d *quoted) Reset() { *d = quoted{} }

// Decode is that of [Decoder]. A byte that stands for itself is looked at once;
// a '=' has at most MaxUnit bytes behind it looked at, which hold no other '='.
func (d *quoted) Decode(dst, src []byte, atEOF bool) (Run, error) {
	if n := unescape(dst, src); n > 0 {
		return Run{3 * n, n, 3, 1}, nil
	}
	var err error
	n := copyTo(dst, src, '=')
	for n < len(src) && n < len(dst) { // each turn takes a literal '=' and what is up to the next one
		kind, size := quotedUnit(src[n:], atEOF)
		if kind == quotedSoft && n == 0 { // else what stands before it comes first
			return Run{In: size}, nil
		}
		if kind != quotedLiteral {
			break
		}
		if !d.told {
			d.told = true
			err = &Error{Stage: "quoted-printable", Offset: int64(n), What: "'=' that begins no escape", Mild: true}
		}
		dst[n] = '='
		n++
		n += copyTo(dst[n:], src[n:], '=')
	}
	return Run{n, n, 1, 1}, err
}

// turn is that of runner. Stretches and escapes, which come in turns, are told
// from each other here; what else a '=' may begin is for Decode.
func (d *quoted) turn(m *Map, dst, src []byte, atEOF bool) (in, out int, err error) {
	room, rest := dst, src
	lead := 0 // bytes of a soft break, which goes with what stands behind it
	for len(room) >= MinRoom && len(rest) > 0 {
		n := 0
		switch {
		case rest[0] != '=':
			n = copyTo(room, rest, '=')
			m.Add(Run{lead + n, n, 1, 1})
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
			m.Add(Run{lead + 3*n, n, 3, 1})
			room, rest, lead = room[n:], rest[3*n:], 0
			continue
		}
		run, err := d.Decode(room, rest, atEOF)
		if e, ok := err.(*Error); ok {
			e.Offset += int64(len(src) - len(rest))
		}
		m.Add(Run{In: lead})
		m.Add(run)
		room, rest, lead = room[run.Out:], rest[run.In:], 0
		if err != nil || run.In == 0 {
			return len(src) - len(rest), len(dst) - len(room), err
		}
	}
	m.Add(Run{In: lead})
	return len(src) - len(rest), len(dst) - len(room), nil
}

// copyTo copies src to dst up to the first stop, and returns how many bytes that
// was. What it writes behind them is no output. Each turn takes sixteen bytes, or
// one, and the last one finds stop in them: short stretches are the usual case,
// for which a search and a copy cost more to call than to do.
func copyTo(dst, src []byte, stop byte) (n int) {
	const ones = 0x0101010101010101
	stops := ones * uint64(stop)
	most := min(len(dst), len(src))
	for ; n+16 <= most; n += 16 {
		if n == 48 { // it is long: now a call pays
			i := bytes.IndexByte(src[n:most], stop)
			if i < 0 {
				i = most - n
			}
			return n + copy(dst[n:], src[n:n+i])
		}
		s, d := src[n:n+16:n+16], dst[n:n+16:n+16]
		v, w := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:])
		binary.LittleEndian.PutUint64(d, v)
		binary.LittleEndian.PutUint64(d[8:], w)
		v, w = v^stops, w^stops // a byte that is 0 is stop
		v, w = (v-ones)&^v&(ones<<7), (w-ones)&^w&(ones<<7)
		if v|w != 0 {
			if v == 0 {
				return n + 8 + bits.TrailingZeros64(w)/8
			}
			return n + bits.TrailingZeros64(v)/8
		}
	}
	for ; n < most && src[n] != stop; n++ {
		dst[n] = src[n]
	}
	return n
}

// copyToEither is copyTo for two bytes to stop at.
func copyToEither(dst, src []byte, stop [2]byte) (n int) {
	const ones = 0x0101010101010101
	a, b := ones*uint64(stop[0]), ones*uint64(stop[1])
	most := min(len(dst), len(src))
	for ; n+8 <= most; n += 8 {
		w := binary.LittleEndian.Uint64(src[n:])
		binary.LittleEndian.PutUint64(dst[n:], w)
		x, y := w^a, w^b
		// The lowest mark is right; those above it may be set by a borrow.
		if x = ((x-ones)&^x | (y-ones)&^y) & (ones << 7); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for ; n < most && src[n] != stop[0] && src[n] != stop[1]; n++ {
		dst[n] = src[n]
	}
	return n
}

// What a '=' begins.
const (
	quotedMore    = iota // not to be told without more source
	quotedLiteral        // nothing: it stands for itself
	quotedEscape         // "=3D"
	quotedSoft           // a soft line break
)

// quotedUnit tells what the '=' at the beginning of src begins, and of how many
// bytes a soft break is. What is longer than MaxUnit is none.
func quotedUnit(src []byte, atEOF bool) (kind, size int) {
	if len(src) >= 3 && hexDigit[src[1]]|hexDigit[src[2]] < 16 {
		return quotedEscape, 3
	}
	// '=', blanks, any number of carriage returns, and a line feed.
	window := src[:min(len(src), MaxUnit)]
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
	case len(window) == MaxUnit: // all there is to see
	case i == len(window) || len(window) == 2 && hexDigit[window[1]] < 16:
		if !atEOF {
			return quotedMore, 0
		}
		if i == len(window) { // the end of the text is that of a line
			return quotedSoft, i
		}
	}
	if i > end { // the end of a line that has no line feed
		return quotedSoft, i
	}
	return quotedLiteral, 1
}

// unescape turns the escapes at the beginning of src and returns how many. Each
// turn takes one.
func unescape(dst, src []byte) (n int) {
	for i := range dst {
		if len(src) < 3 || src[0] != '=' {
			return i
		}
		hi, lo := hexDigit[src[1]], hexDigit[src[2]]
		if hi|lo >= 16 {
			return i
		}
		dst[i] = hi<<4 | lo
		src = src[3:]
	}
	return len(dst)
}

// hexDigit has the value of each hexadecimal digit, and 16 for what is none.
var hexDigit = func() (t [256]byte) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = byte(c - '0')
		case 'A' <= c && c <= 'F':
			t[c] = byte(c - 'A' + 10)
		case 'a' <= c && c <= 'f':
			t[c] = byte(c - 'a' + 10)
		default:
			t[c] = 16
		}
	}
	return t
}()
