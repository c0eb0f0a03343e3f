//go:build (amd64 || arm64) && !safe

package inflate

import "unsafe"

// load and store read and write without checking bounds.
func load64(p unsafe.Pointer, at int) uint64 { return *(*uint64)(unsafe.Add(p, at)) }

// fast decodes b until less than a margin is left of it, or the window is full, or the
// block ends. It returns how many bytes it has consumed.
func (d *Reader) fast(b []byte) (used int, why end) {
	if d.safe {
		return d.fastSafe(b)
	}
	in := unsafe.Pointer(unsafe.SliceData(b))
	win := unsafe.Pointer(&d.win)
	acc, n, at, out := d.bits, uint64(d.n), 0, d.out
	limit := len(b) - margin
	litBits := d.tab.litBits
	litMask := uint64(1)<<litBits - 1
	lit, dists := &d.tab.lit, &d.tab.dist
	e := lit[(acc|load64(in, 0)<<n)&litMask]
	for at <= limit && out < window {
		acc |= load64(in, at) << (n & 63)
		at += int(^n>>3) & 7
		n |= 56
		length := int(e>>matchShift) + 2
		if e >= isMatch || e&(3<<countShift) != 0 {
			acc >>= e & 63
			n -= uint64(e)
			*(*uint16)(unsafe.Add(win, out)) = uint16(e >> 8)
			out += int(e>>countShift) & 3
			if e < isMatch {
				e = *(*uint32)(unsafe.Add(unsafe.Pointer(lit), acc&litMask*4))
				continue
			}
		} else {
			if e&kindMask == kindLink {
				e = lit[uint64(e>>valueShift)+acc>>litBits&(1<<(e&63)-1)]
			}
			acc >>= e & 63
			n -= uint64(e & 63)
			switch e & kindMask {
			case kindLiteral:
				*(*byte)(unsafe.Add(win, out)) = byte(e >> valueShift)
				out++
				e = *(*uint32)(unsafe.Add(unsafe.Pointer(lit), acc&litMask*4))
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
		e = *(*uint32)(unsafe.Add(unsafe.Pointer(dists), acc&(1<<distBits-1)*4))
		if e&distSpecial != 0 {
			if e&distBad == 0 {
				e = dists[uint64(e>>baseShift)+acc>>distBits&(1<<(e>>codeShift&15)-1)]
			}
			if e&distBad != 0 {
				why = atBad
				break
			}
		}
		dist := int(e>>baseShift) + int((acc&^(^uint64(0)<<(e&63)))>>(e>>codeShift&15))
		from := out - dist
		if from < d.base {
			why = atBad
			break
		}
		acc >>= e & 63
		n -= uint64(e)
		e = *(*uint32)(unsafe.Add(unsafe.Pointer(lit), acc&litMask*4))
		src, dst := unsafe.Add(win, from), unsafe.Add(win, out)
		out += length
		if dist >= 16 {
			*(*[16]byte)(dst) = *(*[16]byte)(src)
			*(*[16]byte)(unsafe.Add(dst, 16)) = *(*[16]byte)(unsafe.Add(src, 16))
			for length > 32 {
				src = unsafe.Add(src, 32)
				dst = unsafe.Add(dst, 32)
				*(*[16]byte)(dst) = *(*[16]byte)(src)
				*(*[16]byte)(unsafe.Add(dst, 16)) = *(*[16]byte)(unsafe.Add(src, 16))
				length -= 32
			}
			continue
		}
		if dist >= 8 {
			for {
				*(*uint64)(dst) = *(*uint64)(src)
				src = unsafe.Add(src, 8)
				dst = unsafe.Add(dst, 8)
				if length -= 8; length <= 0 {
					break
				}
			}
			continue
		}
		if dist == 1 {
			v := uint64(*(*byte)(src)) * 0x0101010101010101
			for {
				*(*uint64)(dst) = v
				dst = unsafe.Add(dst, 8)
				if length -= 8; length <= 0 {
					break
				}
			}
			continue
		}
		for {
			*(*uint64)(dst) = *(*uint64)(src)
			src = unsafe.Add(src, dist)
			dst = unsafe.Add(dst, dist)
			if length -= dist; length <= 0 {
				break
			}
		}
	}
	n &= 63
	at -= int(n >> 3)
	d.n = uint(n & 7)
	d.bits = acc & (1<<d.n - 1)
	d.out = out
	return at, why
}
