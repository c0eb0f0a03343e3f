package bzip2

// This file continues reading after a damaged block. The decoder may have read beyond the end
// of that block, into the blocks after it. So the bytes that it consumes for a block are kept,
// and the next block is searched for in them first.
//
// The decoder may read to the end of the file and find no end of a block. If another block
// or the end of the stream begins in the consumed bytes, the block is damaged; otherwise it
// is cut.

// findBlock consumes the input up to the magic number of the next block. whole reports whether
// that number begins at the first bit of a byte; if it does, head is the four bytes in front of
// it. Each iteration consumes a byte.
func (b *bitReader) findBlock() (head string, whole, ok bool) {
	var before, v uint64 // v has the last 8 bytes, and before the 8 bytes in front of these
	for {
		c, err := b.consume()
		if err != nil {
			b.err = err // io.EOF, or an error of the input
			return "", false, false
		}
		b.keep() // the bytes before are not needed again
		before, v = before<<8|v>>56, v<<8|uint64(c)
		if pair := v >> 16 & (1<<16 - 1); pairs[pair/64]>>(pair%64)&1 == 0 {
			continue
		}
		for rest := range 8 {
			if v>>rest&(1<<48-1) == blockMagic {
				b.acc, b.have = v, uint(rest)
				return string([]byte{byte(before >> 8), byte(before), byte(v >> 56), byte(v >> 48)}), rest == 0, true
			}
		}
	}
}

// firstMagic reads a magic number that begins at any bit of the first byte. Each iteration
// skips a bit.
func (b *bitReader) firstMagic() uint64 {
	magic := b.read(48)
	for i := 0; i < 7 && magic != blockMagic; i++ {
		magic = (magic<<1 | b.read(1)) & (1<<48 - 1)
	}
	return magic
}

// swallowed is called when the current block has ended with an error. If the input ended in this
// block, other blocks may have been consumed as a part of it: swallowed returns the offset of the
// first block, or end of a stream, among the consumed bytes. It returns -1 if there is none, or if
// the input ended with the error stopped. Each iteration examines a byte.
func (b *bitReader) swallowed(stopped error) int64 {
	if _, damaged := b.err.(*Error); damaged || b.ended == nil || b.ended == stopped {
		return -1
	}
	var v uint64
	for i, c := range b.kept {
		v = v<<8 | uint64(c)
		for rest := range 8 {
			if m := v >> rest & (1<<48 - 1); m == blockMagic || m == endMagic {
				return b.n - int64(len(b.kept)) + int64(8*(i+1)-rest-48)/8
			}
		}
	}
	return -1
}
