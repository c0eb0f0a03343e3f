package xz

import "io"

// LZMA2: a block is chunks, each with a control byte:
//
//	00           the end
//	01 02        size; bytes verbatim. 01 empties the window first
//	80 to ff     size of the text, of the data; LZMA. Bits 5 and 6 say how much is
//	             forgotten first: 0 nothing, 1 the symbols, 2 them, and properties
//	             follow, 3 the window as well

const chunkMost = 64 << 10 // bytes of data in a chunk

// lzma2 decodes the chunks of one block.
type lzma2 struct {
	win  window
	lzma lzma
	from *input

	begun    bool  // a chunk has emptied the window
	known    bool  // a chunk had properties
	left     int   // bytes of text of the chunk still to be decoded
	verbatim bool  // the chunk is not compressed
	open     bool  // the chunk is, and its end was not checked yet
	size     int   // bytes of data in the chunk
	have     int   // of them, those in data
	cut      error // of reading, behind those
	given    int   // where the text in the window begins that Read has not returned
	err      error // returned after that

	data [chunkMost + symbolBytes]byte
}

// reset begins a block whose header declares a window of size bytes.
func (d *lzma2) reset(from *input, size int) {
	d.from = from
	d.win.reset(size)
	d.begun, d.known, d.open, d.left, d.given, d.err = false, false, false, 0, 0, nil
	d.have, d.lzma.at = 0, 0
}

// Read returns io.EOF after the last chunk. It decodes what is there, and waits only if
// that is no text. Each iteration reads the header of a chunk, or some of its data.
func (d *lzma2) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for d.given == d.win.pos && d.err == nil {
		d.err = d.step()
	}
	n := copy(p, d.win.buf[d.given:d.win.pos])
	if d.given += n; n > 0 {
		return n, nil
	}
	return 0, d.err
}

// step goes on in the chunk, or to the next.
func (d *lzma2) step() (err error) {
	switch {
	case d.left > 0:
		d.win.room()
		d.given = d.win.pos
		err = d.fill(min(len(d.win.buf), d.win.pos+d.left))
		d.left -= d.win.pos - d.given
	case d.open:
		d.open = false
		err = d.finish()
	default:
		err = d.begin()
	}
	return err
}

// place returns how many bytes of the file were decoded, as damage is found: what was
// read of the chunk may be more.
func (d *lzma2) place() int64 { return d.from.n - int64(max(0, d.have-d.lzma.at)) }

// begin reads the header of a chunk.
func (d *lzma2) begin() error {
	d.have, d.lzma.at = 0, 0
	control, err := d.from.byte()
	switch {
	case err != nil:
		return err
	case control == 0:
		return io.EOF
	case control >= 0xe0 || control == 1:
		d.begun, d.known = true, false
		d.win.empty()
		d.given = 0
	case !d.begun:
		return damage("first chunk needs a window")
	}
	if control < 0x80 {
		return d.beginVerbatim(control)
	}
	head, err := d.from.next(4)
	if err != nil {
		return err
	}
	d.verbatim = false
	d.left = int(control&0x1f)<<16 + int(head[0])<<8 + int(head[1]) + 1
	d.size = int(head[2])<<8 + int(head[3]) + 1
	if control >= 0xc0 {
		b, err := d.from.byte()
		if err != nil {
			return err
		}
		if d.known = d.lzma.props(b); !d.known {
			return damage("bad properties of LZMA")
		}
	}
	if !d.known {
		return damage("chunk without properties")
	}
	if control >= 0xa0 {
		d.lzma.resetState()
	}
	return d.beginRange()
}

// beginVerbatim reads the size of a chunk that is not compressed.
func (d *lzma2) beginVerbatim(control byte) error {
	if control > 2 {
		return damage("bad control byte of a chunk")
	}
	head, err := d.from.next(2)
	if err == nil {
		d.verbatim, d.left = true, int(head[0])<<8+int(head[1])+1
	}
	return err
}

// beginRange starts the range decoder: a byte that is 0, and the code.
func (d *lzma2) beginRange() error {
	const n = 5
	if d.size < n {
		return damage("chunk too short")
	}
	head, err := d.from.next(n)
	if err != nil {
		return err
	}
	if head[0] != 0 {
		return damage("bad first byte of a chunk")
	}
	rc := &d.lzma.rangeDecoder
	rc.span, rc.code = 1<<32-1, 0
	for _, b := range head[1:] {
		rc.code = rc.code<<8 | uint32(b)
	}
	rc.in = d.data[:]
	d.size, d.cut, d.open = d.size-n, nil, true
	return nil
}

// fill decodes text up to d.win.pos = end, or as much as there is data for. It reads
// once, if what is there is not enough. An error is that of reading, or damage; the
// text before it is in the window.
func (d *lzma2) fill(end int) error {
	if d.verbatim {
		n, err := d.from.read(d.win.buf[d.win.pos:end])
		d.win.pos += n
		return err
	}
	if d.have < d.size && d.have-d.lzma.at < symbolBytes && d.cut == nil {
		var n int
		n, d.cut = d.from.read(d.data[d.have:d.size])
		d.have += n
	}
	last := d.have
	if d.have < d.size && d.cut == nil {
		last -= symbolBytes // a symbol that is begun is there
	}
	clear(d.data[d.have : d.have+symbolBytes])
	switch err := d.lzma.decode(&d.win, end, last, d.have); {
	case err != nil:
		return err
	case d.cut != nil && d.win.pos < end:
		return d.cut
	case d.lzma.at > d.have:
		return damage("chunk ends within a symbol")
	}
	return nil
}

// finish checks the end of a chunk: all data was used, and no part of a match is left.
func (d *lzma2) finish() error {
	const differs = damage("chunk does not end where it should")
	if d.lzma.pending > 0 || d.size-d.lzma.at > 1 { // the last normalization reads a byte at most
		return differs
	}
	if d.have < d.size && d.cut == nil {
		var n int
		n, d.cut = d.from.read(d.data[d.have:d.size])
		d.have += n
	}
	if d.have < d.size {
		return d.cut
	}
	d.lzma.normalize()
	if d.lzma.code != 0 || d.lzma.at != d.size {
		return differs
	}
	return nil
}
