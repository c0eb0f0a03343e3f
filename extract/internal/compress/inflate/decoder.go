package inflate

import "encoding/binary"

// Sizes in bytes.
const (
	history = 32 << 10        // how far back a match may reach
	block   = 64 << 10        // decoded at once
	room    = 2 + 9*32        // what an iteration of the fast loop may write beyond the window
	window  = history + block // where decoding pauses, so that the text can be read
	winSize = window + room
)

// A decoder has what the loops need: the next bits of the stream, the tables that give them a
// meaning, and the text. The loops are fast (fast.go), fastSafe and slow.
type decoder struct {
	bits uint64  // the bits of a byte that is partly consumed
	n    uint    // number of them, below 8
	tab  *tables // of the current block
	safe bool    // use fastSafe; for tests
	win  textWindow
}

// reset resets d, except for what tests have set.
func (d *decoder) reset() {
	d.bits, d.n, d.tab = 0, 0, nil
	d.win.base, d.win.returned, d.win.out = 0, 0, 0
}

// A textWindow is the text that was decoded last. Matches may refer to text[base:out];
// text[returned:out] is still to be returned.
type textWindow struct {
	base, returned, out int
	text                [winSize]byte // last, so that a test can put a page after it that must not be touched
}

// slide makes room in a window that is full. All text in it must have been returned.
func (w *textWindow) slide() {
	if w.out >= window {
		n := copy(w.text[:history], w.text[w.out-history:w.out])
		w.base, w.returned, w.out = 0, n, n
	}
}

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
// returns how much of b it has consumed.
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

// fastSafe is fast without package unsafe, line by line, and is as long for the same
// reason. It runs where fast does not, and tests compare fast with it.
func (d *decoder) fastSafe(b []byte) (used int, why loopEnd) {
	acc, n, at, out := d.bits, uint64(d.n), 0, d.win.out
	limit := len(b) - margin
	litBits := d.tab.litBits
	litMask := uint64(1)<<litBits - 1
	win := &d.win.text
	for at <= limit && out < window {
		acc |= binary.LittleEndian.Uint64(b[at:]) << (n & 63)
		at += int(^n>>3) & 7
		n |= 56
		e := d.tab.lit[acc&litMask]
		length := int(e>>matchShift) + 2
		if e >= isMatch || e&(3<<countShift) != 0 {
			acc >>= e & 63
			n -= uint64(e & 63)
			binary.LittleEndian.PutUint16(win[out:], uint16(e>>8))
			out += int(e>>countShift) & 3
			if e < isMatch {
				continue
			}
		} else {
			if e&kindMask == kindLink {
				e = d.tab.lit[uint64(e>>valueShift)+acc>>litBits&(1<<(e&63)-1)]
			}
			acc >>= e & 63
			n -= uint64(e & 63)
			switch e & kindMask {
			case kindLiteral:
				win[out] = byte(e >> valueShift)
				out++
				continue
			case kindEnd:
				why = atEnd
			case kindBad:
				why = atBad
			}
			if why != atLimit {
				break
			}
			x := e >> extraShift
			length = int(e>>valueShift)&511 + int(acc)&(1<<x-1)
			acc >>= x
			n -= uint64(x)
		}
		e = d.tab.dist[acc&(1<<distBits-1)]
		if e&distSpecial != 0 {
			if e&distBad == 0 {
				e = d.tab.dist[uint64(e>>baseShift)+acc>>distBits&(1<<(e>>codeShift&15)-1)]
			}
			if e&distBad != 0 {
				why = atBad
				break
			}
		}
		dist := int(e>>baseShift) + int(acc&(1<<(e&63)-1)>>(e>>codeShift&15))
		from := out - dist
		if from < d.win.base {
			why = atBad
			break
		}
		acc >>= e & 63
		n -= uint64(e & 63)
		if dist >= length {
			copy(win[out:out+length], win[from:])
			out += length
			continue
		}
		for range length {
			win[out] = win[from]
			out++
			from++
		}
	}
	at -= int(n >> 3)
	d.n = uint(n & 7)
	d.bits = acc & (1<<d.n - 1)
	d.win.out = out
	return at, why
}
