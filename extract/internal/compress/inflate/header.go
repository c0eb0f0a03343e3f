package inflate

import (
	"encoding/binary"
)

const (
	maxLits  = 286 // symbols in a code of literals and lengths
	maxDists = 30  // symbols in a code of distances
)

// order is the order in which the lengths of the code of code lengths are stored (RFC 1951,
// section 3.2.7).
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// A bitReader reads the header of a block. It waits for a byte only if that is part of it,
// and if it may wait. If not, and the header is not all there, it has consumed nothing.
type bitReader struct {
	d     *Reader
	b     []byte // buffered input
	at    int    // bytes of b in acc, or consumed
	acc   uint64
	n     uint // bits in acc
	wait  bool // it may wait
	short bool // it may not, but had to
	fail  bool // the input has failed; d.err says why
}

func (r *bitReader) begin(d *Reader) {
	r.d, r.acc, r.n = d, d.bits, d.n
	r.b, _ = d.in.Peek(d.in.Buffered())
	r.wait = d.given == d.out
}

// end gives back the bytes that were not needed.
func (r *bitReader) end() {
	d := r.d
	r.at -= int(r.n >> 3)
	d.n = r.n & 7
	d.bits = r.acc & (1<<d.n - 1)
	d.discard(r.at)
}

// need makes sure that acc has n bits, at most 32. It reports whether it could.
func (r *bitReader) need(n uint) bool {
	if r.n >= n {
		return true
	}
	if r.at+8 <= len(r.b) {
		r.acc |= binary.LittleEndian.Uint64(r.b[r.at:]) << r.n
		r.at += int(63-r.n) >> 3
		r.n |= 56
		r.acc &= 1<<r.n - 1
		return true
	}
	for r.n < n { // each iteration takes a byte
		if r.at == len(r.b) {
			if !r.wait {
				r.short = true
				return false
			}
			r.d.discard(r.at)
			r.at = 0
			if _, err := r.d.in.Peek(1); err != nil {
				r.b, r.fail = nil, true
				r.d.fail(err)
				return false
			}
			r.b, _ = r.d.in.Peek(r.d.in.Buffered())
		}
		r.acc |= uint64(r.b[r.at]) << r.n
		r.at++
		r.n += 8
	}
	return true
}

// take returns n bits that need has promised.
func (r *bitReader) take(n uint) uint {
	v := uint(r.acc) & (1<<n - 1)
	r.acc >>= n
	r.n -= n
	return v
}

// header reads the header of a block. It reports whether there is text to be returned in
// front of it, and more input is needed.
func (d *Reader) header() bool {
	var r bitReader
	r.begin(d)
	ok := d.readHeader(&r)
	switch {
	case r.short:
		d.step = atHeader
		return true
	case r.fail:
		return false
	}
	if r.end(); !ok {
		d.corrupt()
	}
	return false
}

// readHeader reports whether there is a valid header.
func (d *Reader) readHeader(r *bitReader) bool {
	if !r.need(3) {
		return false
	}
	d.final = r.take(1) == 1
	switch r.take(2) {
	case 0:
		d.step = inStored
		return d.storedHeader(r)
	case 1:
		d.step = inSymbols
		d.tab, d.inside = fixed(), 0
		return true
	case 2:
		d.step = inSymbols
		return d.dynamicHeader(r)
	}
	return false
}

// storedHeader reads the length of a stored block, from the next byte on.
func (d *Reader) storedHeader(r *bitReader) bool {
	r.take(r.n & 7)
	if !r.need(32) {
		return false
	}
	n := r.take(16)
	d.left = int(n)
	if r.take(16) != n^0xffff {
		return false
	}
	if n == 0 {
		d.endBlock()
	}
	return true
}

// stored copies bytes of a stored block. It reports whether it needs more of them.
func (d *Reader) stored() bool {
	b, _ := d.in.Peek(d.in.Buffered())
	if len(b) == 0 {
		return true
	}
	n := copy(d.win[d.out:window], b[:min(len(b), d.left)])
	d.out += n
	d.discard(n)
	if d.left -= n; d.left == 0 {
		d.endBlock()
	}
	return false
}

// dynamicHeader reads the codes of a block (RFC 1951, section 3.2.7).
func (d *Reader) dynamicHeader(r *bitReader) bool {
	if !r.need(14) {
		return false
	}
	lits, dists, used := r.take(5)+257, r.take(5)+1, r.take(4)+4
	if lits > maxLits || dists > maxDists {
		return false
	}
	var lens [19]uint8
	for _, s := range order[:used] {
		if !r.need(3) {
			return false
		}
		lens[s] = uint8(r.take(3))
	}
	var first [1 << 7]uint8 // symbol<<3 | length of its code; 0 for none
	if !prefixes(&first, &lens) || !d.readLens(r, &first, int(lits+dists)) {
		return false
	}
	d.tab, d.inside = &d.own, 0
	if !d.own.set(&d.work, d.lens[:lits], d.lens[lits:lits+dists]) {
		return false
	}
	d.own.buildLits(&d.work, d.long)
	return true
}

// prefixes fills first from the lengths of the code of code lengths. It reports whether
// they are a code, by the rules of [code.init].
func prefixes(first *[1 << 7]uint8, lens *[19]uint8) bool {
	var c code
	if !c.init(lens[:]) {
		return false
	}
	at, next := 0, uint(0)
	for l := uint(1); l <= 7; l++ {
		for range c.count[l] { // at most 19 times in all
			s := c.sorted[at]
			at++
			for i := reverse(next, l); i < 1<<7; i += 1 << l {
				first[i] = uint8(s)<<3 | uint8(l)
			}
			next++
		}
		next <<= 1
	}
	return true
}

// readLens reads n code lengths. Each iteration reads one or more.
func (d *Reader) readLens(r *bitReader, first *[1 << 7]uint8, n int) bool {
	for i := 0; i < n; {
		e := first[r.acc&127]
		for r.n < uint(e&7) { // at most one byte each
			if !r.need(r.n + 1) {
				return false
			}
			e = first[r.acc&127]
		}
		if e == 0 {
			return false
		}
		r.take(uint(e & 7))
		s := e >> 3
		if s < 16 {
			d.lens[i] = s
			i++
			continue
		}
		var extra, least uint = 7, 11
		var v uint8
		switch s {
		case 16:
			if i == 0 {
				return false
			}
			extra, least, v = 2, 3, d.lens[i-1]
		case 17:
			extra, least = 3, 3
		}
		if !r.need(extra) {
			return false
		}
		to := i + int(least+r.take(extra))
		if to > n {
			return false
		}
		for ; i < to; i++ {
			d.lens[i] = v
		}
	}
	return true
}
