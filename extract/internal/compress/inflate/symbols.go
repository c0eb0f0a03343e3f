package inflate

// A loopEnd says what ended a loop.
type loopEnd uint8

const (
	atLimit loopEnd = iota // of the input or the window
	atEnd                  // the end of the block
	atBad                  // a code that no symbol has, or a distance that is too large
)

// margin is how many bytes of input a fast loop may need.
const margin = 8

// slow decodes b symbol by symbol, where less than a margin is left of the input. It
// returns how much of b it has consumed. Each iteration decodes a symbol.
func (d *decoder) slow(b []byte) (used int, why loopEnd) {
	acc, n, at := d.bits, d.n, 0
	for d.win.out < window {
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
// acc. It returns how many bits it used, not counting a bad code; 0 if n bits are not
// enough.
func (d *decoder) symbol(acc uint64, n uint) (used uint, why loopEnd) {
	s, l, bad := d.tab.litCode.decode(acc, n)
	switch {
	case bad || l > 0 && s > 285:
		return 0, atBad
	case l == 0:
		return 0, atLimit
	case s < 256:
		d.win.text[d.win.out] = byte(s)
		d.win.out++
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
	if dist > d.win.out-d.win.base {
		return used, atBad
	}
	for range length {
		d.win.text[d.win.out] = d.win.text[d.win.out-dist]
		d.win.out++
	}
	return used + more, atLimit
}
