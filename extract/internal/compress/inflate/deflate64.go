package inflate

import (
	"bufio"
	"io"
)

// A Reader64 decompresses Deflate64 (method 9 of zip, APPNOTE.TXT, section 4.4.5), which Windows writes into
// zip archives of files over 2 GiB. It is deflate with a window of 64 KiB: the length symbol 285 has
// 16 extra bits, and the distance symbols 30 and 31 are used.
//
// A Reader64 decodes symbol by symbol, and is many times slower than a Reader. It reads no byte after the
// stream. The zero Reader64 is ready for [Reader64.Reset]; it takes 70 KiB, and allocates nothing.
type Reader64 struct {
	in    input
	phase phase
	final bool   // the current block is the last one
	left  int    // bytes left of a stored block, or of a match
	dist  uint16 // of the match, less 1
	bits  uint64 // of a byte that is partly consumed
	n     uint

	codes       codes
	lits, dists code

	window [1 << 16]byte
	at     uint16 // where the next byte is written in window
	known  int    // how many bytes of window were written
}

const (
	inMatch    = inSymbols + 1 // a phase: left bytes of a match are still to be copied
	maxDists64 = 32
	maxSymbol  = 8 // bytes that a symbol and what belongs to it need at most
)

// Reset makes d read the stream at the beginning of in.
func (d *Reader64) Reset(in *bufio.Reader) {
	d.in, d.phase, d.final = input{buf: in}, atHeader, false
	d.left, d.bits, d.n, d.at, d.known = 0, 0, 0, 0, 0
}

// Read is [Reader.Read].
func (d *Reader64) Read(p []byte) (n int, err error) {
	r := bitReader{in: &d.in, b: d.in.buffered(), acc: d.bits, n: d.n, wait: true}
	ok := true
	for n < len(p) && ok && d.in.err == nil && (n == 0 || d.phase == inMatch || r.at+maxSymbol <= len(r.b)) {
		switch d.phase {
		case atHeader:
			ok = d.header(&r)
		case inStored:
			if ok = r.need(8); ok {
				p[n] = d.put(byte(r.take(8)))
				n++
				d.count()
			}
		case inMatch:
			p[n] = d.put(d.window[d.at-d.dist-1])
			n++
			d.count()
		case inSymbols:
			var s uint
			if s, ok = symbolOf(&d.lits, &r); ok && s < 256 {
				p[n] = d.put(byte(s))
				n++
			} else if ok {
				ok = d.match(s, &r)
			}
		}
	}
	if !r.fail {
		d.bits, d.n = r.end()
		if !ok {
			d.in.corrupt()
		}
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, d.in.err
}

// put appends c to the window.
func (d *Reader64) put(c byte) byte {
	d.window[d.at] = c
	d.at++
	d.known = min(d.known+1, len(d.window))
	return c
}

// count counts a byte of a stored block or of a match.
func (d *Reader64) count() {
	if d.left--; d.left > 0 {
		return
	}
	if d.phase == inMatch {
		d.phase = inSymbols
		return
	}
	d.endBlock()
}

func (d *Reader64) endBlock() {
	if d.phase = atHeader; d.final {
		d.in.err = io.EOF
	}
}

// header reads the header of a block, and reports whether it is valid.
func (d *Reader64) header(r *bitReader) bool {
	if !r.need(3) {
		return false
	}
	d.final = r.take(1) == 1
	switch r.take(2) {
	case 0:
		r.take(r.n & 7)
		if !r.need(32) {
			return false
		}
		n := r.take(16)
		d.left, d.phase = int(n), inStored
		if r.take(16) != n^0xffff {
			return false
		}
		if n == 0 {
			d.endBlock()
		}
		return true
	case 1:
		d.phase = inSymbols
		d.lits, d.dists = fixed().litCode, fixed().distCode
		return true
	case 2:
		d.phase = inSymbols
		lits, dists, ok := d.codes.readAll(r, maxDists64)
		return ok && d.lits.init(lits) && d.dists.init(dists)
	}
	return false
}

func symbolOf(c *code, r *bitReader) (s uint, ok bool) {
	r.need(min(15, r.n+uint(8*(len(r.b)-r.at)))) // what is there, without waiting
	for {
		s, n, bad := c.decode(r.acc, r.n)
		switch {
		case bad:
			return 0, false
		case n > 0:
			r.take(n)
			return s, true
		case !r.need(r.n + 1):
			return 0, false
		}
	}
}

// match reads what follows the symbol s, the end of the block or a length, and reports whether it is
// valid.
func (d *Reader64) match(s uint, r *bitReader) bool {
	switch {
	case s == 256:
		d.endBlock()
		return true
	case s > 285:
		return false
	}
	x := lengthOf[s-257]
	if s == 285 {
		x = extra{3, 16}
	}
	if !r.need(uint(x.bits)) {
		return false
	}
	d.left = int(x.base) + int(r.take(uint(x.bits)))
	if s, ok := symbolOf(&d.dists, r); !ok {
		return false
	} else if s < maxDists {
		x = distOf[s]
	} else {
		x = extra{uint16(1 + (2+s%2)<<14), 14}
	}
	if !r.need(uint(x.bits)) {
		return false
	}
	dist := int(x.base) + int(r.take(uint(x.bits)))
	d.dist, d.phase = uint16(dist-1), inMatch
	return dist <= d.known
}
