//go:build !(amd64 || arm64) || safe

package lzma

// A table is probabilities, and bytes are input or text, with bounds checks.
type (
	table = []uint16
	bytes = []byte
)

func tableOf(s []uint16) table { return s }
func bytesOf(s []byte) bytes   { return s }

func get(t table, i uint32) uint32   { return uint32(t[i]) }
func put(t table, i, v uint32)       { t[i] = uint16(v) }
func byteAt(b bytes, i int) uint32   { return uint32(b[i]) }
func setByte(b bytes, i int, v byte) { b[i] = v }

// copyMatch copies a match of n bytes.
func copyMatch(text bytes, out, from, dist, n int) {
	if dist >= n {
		copy(text[out:out+n], text[from:])
		return
	}
	for i := range n {
		text[out+i] = text[from+i]
	}
}
