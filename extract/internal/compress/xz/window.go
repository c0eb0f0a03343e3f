package xz

import "bufio"

// The library allocates the dictionary that a block declares, and keeps it for later
// blocks. xz -9 declares 64 MiB, however short the text is. So where we can tell that the
// text is shorter, the library sees a smaller one: from the block header, which has the
// size if xz used threads, or from the first chunk, if there is no other.

// firstText returns how much text a block has whose data is next, if that is one chunk
// which fits the buffer, or as much of one as the file has. Else it is unknown.
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

// lower declares a smaller dictionary, which still has room for size bytes of text. There
// are few sizes, each four times as large as the one before, so that blocks of different
// sizes seldom need a new one.
func (b *block) lower(size int64) {
	props := b.filters[b.n-1].props
	declared := props[0]
	for props[0] = dictionaryLeast; props[0] < declared && b.dictionary() < size; {
		props[0] += 4
	}
	props[0] = min(props[0], declared)
}
