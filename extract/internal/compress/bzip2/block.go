package bzip2

// decode reads a block, from the byte after its checksum on.
func (k *block) decode(b *bitReader) {
	if b.read(1) != 0 {
		b.fail("randomized block")
	}
	origin := int(b.read(24))
	n := k.readList(b)
	groups := k.readCodes(b, n+2)
	if b.err != nil {
		return
	}
	k.text.begin()
	k.symbols(b, n+1, groups)
	if b.err == nil && origin >= len(k.text.next) {
		b.fail("bad origin of a block")
	}
	if b.err == nil {
		k.text.invert(origin)
	}
}

// readList reads which bytes occur in the block, and returns their number.
func (k *block) readList(b *bitReader) (n int) {
	used := b.read(16)
	for i := range 16 {
		if used>>(15-i)&1 == 0 {
			continue
		}
		low := b.read(16)
		for j := range 16 {
			if low>>(15-j)&1 != 0 {
				k.list[n] = byte(16*i + j)
				n++
			}
		}
	}
	if n == 0 {
		b.fail("block without bytes")
	}
	return n
}

// readCodes reads the codes, each of n symbols, and the code that each group uses. It
// returns the number of groups. Each iteration of a loop reads at least one bit.
func (k *block) readCodes(b *bitReader, n int) (groups int) {
	codes := int(b.read(3))
	groups = int(b.read(15))
	if codes < 2 || codes > maxCodes || groups == 0 {
		b.fail("bad number of codes")
		return 0
	}
	recent := [maxCodes]uint8{0, 1, 2, 3, 4, 5}
	for i := range groups {
		j := 0
		for b.read(1) != 0 {
			if j++; j == codes {
				b.fail("group uses a code that does not exist")
			}
		}
		if b.err != nil {
			return 0
		}
		c := recent[j]
		copy(recent[1:j+1], recent[:j])
		recent[0], k.selectors[i] = c, c
	}
	for i := range codes {
		length := int(b.read(5))
		for j := range n {
			for length >= 1 && length <= maxCode && b.read(1) != 0 {
				length += 1 - 2*int(b.read(1))
			}
			if length < 1 || length > maxCode {
				b.fail("bad length of a code")
				return 0
			}
			k.lengths[j] = uint8(length)
		}
		if b.err == nil && !k.codes[i].set(k.lengths[:n]) {
			b.fail("code lengths that form no code")
		}
	}
	return groups
}
