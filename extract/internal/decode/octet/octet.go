package octet

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// CopyTo copies src to dst up to the first stop, and returns how many bytes it copied. It may
// overwrite the bytes of dst after the copied ones. Each iteration copies sixteen bytes or one,
// or finds stop. Stretches are usually short, and then bytes.IndexByte and copy cost more than
// this loop: with them alone, mail in quoted-printable takes 1.05 times the processor time, and
// with this loop alone 1.06 times.
func CopyTo(dst, src []byte, stop byte) (n int) {
	const ones = 0x0101010101010101
	stops := ones * uint64(stop)
	most := min(len(dst), len(src))
	for ; n+16 <= most; n += 16 {
		if n == 48 { // the stretch is long: now IndexByte is faster
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
		v, w = v^stops, w^stops // a byte is 0 where stop was
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

// CopyToEither is CopyTo with two bytes to stop at. If it copies byte by byte, tables of CSV take
// 1.3 times the processor time.
func CopyToEither(dst, src []byte, stop [2]byte) (n int) {
	const ones = 0x0101010101010101
	a, b := ones*uint64(stop[0]), ones*uint64(stop[1])
	most := min(len(dst), len(src))
	for ; n+16 <= most; n += 16 {
		s, d := src[n:n+16:n+16], dst[n:n+16:n+16]
		v, w := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:])
		binary.LittleEndian.PutUint64(d, v)
		binary.LittleEndian.PutUint64(d[8:], w)
		va, vb, wa, wb := v^a, v^b, w^a, w^b
		// The lowest bit that is set is right; those above it may be set by a borrow.
		v = ((va-ones)&^va | (vb-ones)&^vb) & (ones << 7)
		w = ((wa-ones)&^wa | (wb-ones)&^wb) & (ones << 7)
		if v|w != 0 {
			if v == 0 {
				return n + 8 + bits.TrailingZeros64(w)/8
			}
			return n + bits.TrailingZeros64(v)/8
		}
	}
	for ; n < most && src[n] != stop[0] && src[n] != stop[1]; n++ {
		dst[n] = src[n]
	}
	return n
}

// ASCII returns how many bytes at the beginning of src are ASCII. It examines eight at a
// time; with one at a time, mail in ISO 8859-1 takes 1.16 times the processor time.
func ASCII(src []byte) (n int) {
	for n+8 <= len(src) {
		if high := binary.LittleEndian.Uint64(src[n:]) & 0x8080808080808080; high != 0 {
			return n + bits.TrailingZeros64(high)/8
		}
		n += 8
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return n
}
