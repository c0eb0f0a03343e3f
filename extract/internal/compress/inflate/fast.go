//go:build (amd64 || arm64) && !safe

package inflate

import "unsafe"

// The fast loop reads and writes without bounds checks. It relies on these facts:
//
//   - Input: an iteration reads 8 bytes at one place, and only if they are in b.
//   - Output: an iteration begins in front of the limit of the window, and writes at most
//     two literals and a match of 258 bytes in pieces of 32. The window has that much room.
//   - Matches: the distance is compared with the text that is there.
//   - Tables: the index has as many bits as the table. Tables that a link leads to are
//     only made by code.long, with as many entries as the link says.
//
// All of it is one function, so that the state stays in registers. With calls, or with
// bounds checks, it takes 1.3 to 2 times as long.
//
// Shift counts are the lowest six bits of entries. The processor ignores the other bits, so
// "& 63" costs nothing. For the same reason n may have any bits above the lowest six.

func load64(p unsafe.Pointer, at int) uint64 { return *(*uint64)(unsafe.Add(p, at)) }

// fetch returns the entry of a table with the index i.
func fetch(table unsafe.Pointer, i uint64) uint32 { return *(*uint32)(unsafe.Add(table, i*4)) }

// move16 copies 16 bytes, which are loaded before any is stored.
func move16(to, from unsafe.Pointer) { *(*[16]byte)(to) = *(*[16]byte)(from) }

// fast decodes b until less than a margin is left of it, or the window is full, or the
// block ends. It returns how many bytes it has consumed. If a code is bad, it has consumed
// the bytes in front of that code. b has at least a margin. Each iteration consumes an entry of
// lit. It is long because it is one loop, whose state has to stay in registers.
func (d *decoder) fast(b []byte) (used int, why loopEnd) {
	if d.safe {
		return d.fastSafe(b)
	}
	in, win := unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(&d.win.text)
	lit, dists := unsafe.Pointer(&d.tab.lit), unsafe.Pointer(&d.tab.dist)
	litBits := d.tab.litBits
	litMask := uint64(1)<<litBits - 1
	acc, n, at, out := d.bits, uint64(d.n), 0, d.win.out
	limit := len(b) - margin
	e := fetch(lit, (acc|load64(in, 0)<<n)&litMask)
	for at <= limit && out < window {
		// Fill acc. All its 64 bits are bits of the stream now, but n counts only 56 to 63 of
		// them; the next iteration adds the others again. e was fetched in the iteration before,
		// so that the processor can do both at once.
		acc |= load64(in, at) << (n & 63)
		at += int(^n>>3) & 7
		n |= 56
		length := int(e>>matchShift) + 2
		if e >= isMatch || e&(3<<countShift) != 0 {
			acc >>= e & 63
			n -= uint64(e)
			*(*uint16)(unsafe.Add(win, out)) = uint16(e >> 8) // two literals, though there may be fewer
			out += int(e>>countShift) & 3
			if e < isMatch {
				e = fetch(lit, acc&litMask)
				continue
			}
		} else { // special
			if e&kindMask == kindLink {
				e = fetch(lit, uint64(e>>valueShift)+acc>>litBits&(1<<(e&63)-1))
			}
			acc >>= e & 63
			n -= uint64(e)
			switch e & kindMask {
			case kindLiteral:
				*(*byte)(unsafe.Add(win, out)) = byte(e >> valueShift)
				out++
				e = fetch(lit, acc&litMask)
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
			acc >>= x & 63
			n -= uint64(x)
		}

		// At most 20 of the 64 bits were consumed, and a distance takes at most 28. So at least
		// 16 are left after it, and the index of lit needs 12.
		e = fetch(dists, acc&(1<<distBits-1))
		if e&distSpecial != 0 {
			if e&distBad == 0 {
				e = fetch(dists, uint64(e>>baseShift)+acc>>distBits&(1<<(e>>codeShift&15)-1))
			}
			if e&distBad != 0 {
				why = atBad
				break
			}
		}
		dist := int(e>>baseShift) + int((acc&^(^uint64(0)<<(e&63)))>>(e>>codeShift&15))
		from := out - dist
		if from < d.win.base {
			why = atBad
			break
		}
		acc >>= e & 63
		n -= uint64(e)
		e = fetch(lit, acc&litMask)

		// Copy the match, in pieces that may end after it.
		src, dst := unsafe.Add(win, from), unsafe.Add(win, out)
		out += length
		switch {
		case dist >= 16: // a piece of 16 bytes does not overlap itself
			move16(dst, src)
			move16(unsafe.Add(dst, 16), unsafe.Add(src, 16))
			for ; length > 32; length -= 32 {
				src, dst = unsafe.Add(src, 32), unsafe.Add(dst, 32)
				move16(dst, src)
				move16(unsafe.Add(dst, 16), unsafe.Add(src, 16))
			}
		case dist == 1:
			v := uint64(*(*byte)(src)) * 0x0101010101010101
			for ; length > 0; length -= 8 {
				*(*uint64)(dst) = v
				dst = unsafe.Add(dst, 8)
			}
		default: // dist is 2 to 15: of each 8 bytes that are copied only the first dist are right, and the next copy begins after these
			step := min(dist, 8)
			for ; length > 0; length -= step {
				*(*uint64)(dst) = *(*uint64)(src)
				src, dst = unsafe.Add(src, step), unsafe.Add(dst, step)
			}
		}
	}
	n &= 63
	at -= int(n >> 3)
	d.n = uint(n & 7)
	d.bits = acc & (1<<d.n - 1)
	d.win.out = out
	return at, why
}
