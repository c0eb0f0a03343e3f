package inflate

import "encoding/binary"

// A bitReader reads the header of a block. It waits for a byte only if that is part of it,
// and if it may wait. If not, and the header is not all there, it has consumed nothing.
type bitReader struct {
	in    *input
	b     []byte // buffered input
	at    int    // bytes of b in acc, or consumed
	acc   uint64
	n     uint // bits in acc
	wait  bool // it may wait
	short bool // it may not, but had to
	fail  bool // the input has failed; in.err says why
}

// end gives back the bytes that were not needed. It returns the bits of a byte that is
// partly consumed.
func (r *bitReader) end() (bits uint64, n uint) {
	r.in.discard(r.at - int(r.n>>3))
	n = r.n & 7
	return r.acc & (1<<n - 1), n
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
			r.in.discard(r.at)
			r.at = 0
			if _, err := r.in.buf.Peek(1); err != nil {
				r.b, r.fail = nil, true
				r.in.fail(err)
				return false
			}
			r.b = r.in.buffered()
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
	dec := &d.dec
	r := bitReader{in: &d.in, b: d.in.buffered(), acc: dec.bits, n: dec.n, wait: dec.win.given == dec.win.out}
	ok := d.readHeader(&r)
	switch {
	case r.short:
		d.step = atHeader
		return true
	case r.fail:
		return false
	}
	if dec.bits, dec.n = r.end(); !ok {
		d.in.corrupt()
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
		d.dec.tab, d.codes.inside = fixed(), 0
		return true
	case 2:
		d.step = inSymbols
		d.dec.tab = &d.codes.own
		return d.codes.read(r)
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
	b, w := d.in.buffered(), &d.dec.win
	if len(b) == 0 {
		return true
	}
	n := copy(w.text[w.out:window], b[:min(len(b), d.left)])
	w.out += n
	d.in.discard(n)
	if d.left -= n; d.left == 0 {
		d.endBlock()
	}
	return false
}
