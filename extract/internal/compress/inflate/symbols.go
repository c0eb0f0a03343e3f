package inflate

// What ended a fast loop.
type end uint8

const (
	atLimit end = iota // of the input or the window
	atEnd              // the end of the block
	atBad              // a code that no symbol has, or a distance that is too large
)

const (
	margin = 8       // bytes of input that a fast loop may need
	trial  = 2 << 10 // bytes of a block that are decoded before lit gets pairs
)

// symbols decodes a compressed block. It reports whether it needs more input.
func (d *Reader) symbols() bool {
	b, _ := d.in.Peek(d.in.Buffered())
	var used int
	for len(b)-used >= margin && d.out < window { // each iteration consumes a symbol
		part := b[used:]
		if d.tab == &d.own && !d.own.pairs {
			if d.inside >= trial {
				d.own.buildLits(&d.work, true)
			} else if most := trial - d.inside + margin; len(part) > most {
				part = part[:most]
			}
		}
		n, why := d.fast(part)
		used += n
		d.inside += n
		if why != atLimit {
			d.discard(used)
			d.endSymbols(why)
			return false
		}
	}
	if d.out >= window {
		d.discard(used)
		return false
	}
	n, why := d.slow(b[used:])
	d.discard(used + n)
	if why != atLimit {
		d.endSymbols(why)
		return false
	}
	return d.out < window
}

// endSymbols ends a block.
func (d *Reader) endSymbols(why end) {
	if why == atBad {
		d.corrupt()
		return
	}
	if d.tab == &d.own { // blocks with fixed codes are short, and say nothing of others
		d.long = d.inside > 2*trial
	}
	d.endBlock()
}

// slow decodes b symbol by symbol, where less than a margin is left of the input. It
// returns how much of b it has consumed. Each iteration decodes a symbol.
func (d *Reader) slow(b []byte) (used int, why end) {
	acc, n, at := d.bits, d.n, 0
	for d.out < window {
		for ; n <= 56 && at < len(b); at++ {
			acc |= uint64(b[at]) << n
			n += 8
		}
		l, e := d.symbol(acc, n)
		if l == 0 && e == atLimit {
			break
		}
		acc >>= l
		n -= l
		if e != atLimit {
			why = e
			break
		}
	}
	at -= int(n >> 3)
	d.n = n & 7
	d.bits = acc & (1<<d.n - 1)
	return at, why
}

// symbol decodes one symbol, and for a length the distance after it, from the n bits of
// acc. It returns how many bits these are, without a code that is bad; 0 if n is not enough.
func (d *Reader) symbol(acc uint64, n uint) (used uint, why end) {
	s, l, bad := d.tab.litCode.decode(acc, n)
	switch {
	case bad || l > 0 && s > 285:
		return 0, atBad
	case l == 0:
		return 0, atLimit
	case s < 256:
		d.win[d.out] = byte(s)
		d.out++
		return l, atLimit
	case s == 256:
		return l, atEnd
	}
	x := lengthOf[s-257]
	used = l + uint(x.bits)
	if used > n {
		return 0, atLimit
	}
	length := int(x.base) + int(acc>>l)&(1<<x.bits-1)
	s, l, bad = d.tab.distCode.decode(acc>>used, n-used)
	switch {
	case bad || l > 0 && s >= maxDists:
		return used, atBad
	case l == 0:
		return 0, atLimit
	}
	x = distOf[s]
	more := l + uint(x.bits)
	if used+more > n {
		return 0, atLimit
	}
	dist := int(x.base) + int(acc>>(used+l))&(1<<x.bits-1)
	if dist > d.out-d.base {
		return used, atBad
	}
	for range length {
		d.win[d.out] = d.win[d.out-dist]
		d.out++
	}
	return used + more, atLimit
}
