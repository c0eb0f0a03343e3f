package xz

import "bufio"

// The library allocates the dictionary that a block declares, and keeps it for later
// blocks. xz -9 declares 64 MiB, even for a short text. If we know that the text is
// shorter, we declare a smaller dictionary to the library. We know it from the block
// header, which has the size if xz used threads, or from the first chunk, if it is the
// only one.

// firstText returns the size of the text of the block whose data is next, if that data is one
// chunk that fits the buffer, or is the rest of the file. Otherwise it returns unknown.
func (in *input) firstText() uint64 {
	c, _ := in.Peek(6)
	if len(c) < 6 {
		return 0
	}
	text, size := chunkHeader(c).text(), chunkHeader(c).bytes()+chunkHeader(c).size()
	if size > 6 {
		c, err := in.Peek(size + 1)
		if err == bufio.ErrBufferFull || err == nil && c[size] != 0 {
			return unknown
		}
	}
	return uint64(text)
}

// lower declares a smaller dictionary, which has room for size bytes of text. It uses few
// sizes, each four times the one before, so that blocks of different sizes rarely need a
// new dictionary.
func (b *block) lower(size int64) {
	props := b.filters[b.n-1].props
	declared := props[0]
	for props[0] = dictionaryLeast; props[0] < declared && b.dictionary() < size; {
		props[0] += 4
	}
	props[0] = min(props[0], declared)
}
