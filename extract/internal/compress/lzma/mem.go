//go:build (amd64 || arm64) && !safe

package lzma

import "unsafe"

// A table is probabilities, and bytes are input or text, without bounds checks; see fast.go.
type (
	table = unsafe.Pointer
	bytes = unsafe.Pointer
)

func tableOf(s []uint16) table { return unsafe.Pointer(unsafe.SliceData(s)) }
func bytesOf(s []byte) bytes   { return unsafe.Pointer(unsafe.SliceData(s)) }

func get(t table, i uint32) uint32   { return uint32(*(*uint16)(unsafe.Add(t, uint64(i)*2))) }
func put(t table, i, v uint32)       { *(*uint16)(unsafe.Add(t, uint64(i)*2)) = uint16(v) }
func byteAt(b bytes, i int) uint32   { return uint32(*(*byte)(unsafe.Add(b, i))) }
func setByte(b bytes, i int, v byte) { *(*byte)(unsafe.Add(b, i)) = v }

// move16 copies 16 bytes, which are loaded before any is stored.
func move16(to, from unsafe.Pointer) { *(*[16]byte)(to) = *(*[16]byte)(from) }

// copyMatch copies a match of n bytes, in pieces that may end up to 32 bytes after it.
func copyMatch(text bytes, out, from, dist, n int) {
	src, dst := unsafe.Add(text, from), unsafe.Add(text, out)
	switch {
	case dist >= 16: // a piece of 16 bytes does not overlap itself
		move16(dst, src)
		move16(unsafe.Add(dst, 16), unsafe.Add(src, 16))
		for ; n > 32; n -= 32 {
			src, dst = unsafe.Add(src, 32), unsafe.Add(dst, 32)
			move16(dst, src)
			move16(unsafe.Add(dst, 16), unsafe.Add(src, 16))
		}
	case dist == 1:
		v := uint64(*(*byte)(src)) * 0x0101010101010101
		for ; n > 0; n -= 8 {
			*(*uint64)(dst) = v
			dst = unsafe.Add(dst, 8)
		}
	default: // of each 8 bytes that are copied only the first dist are right, and the next copy begins after these
		step := min(dist, 8)
		for ; n > 0; n -= step {
			*(*uint64)(dst) = *(*uint64)(src)
			src, dst = unsafe.Add(src, step), unsafe.Add(dst, step)
		}
	}
}
