package inflate

import "encoding/binary"

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
