package decode

import "bytes"

// The places of newlines, of which a stream of text has one every few dozen bytes: to
// search for each by itself costs more than the search. So they come by the chunk,
// from a kernel where there is one.

// chunk is how many bytes are looked at together: few enough for a place in uint16,
// and a multiple of the 64 that a kernel looks at.
const chunk = 512

// newlines writes the places of the newlines in b, which is no longer than chunk, to
// out, in order, and returns how many there are. What it writes behind those means
// nothing.
func newlines(b []byte, out *[chunk + 4]uint16) (n int) {
	i := 0
	if hasAVX2 && len(b) >= 64 {
		i = len(b) &^ 63
		n = newlinesAVX2(b[:i], out)
	}
	return newlinesFrom(b, i, out, n)
}

// newlinesFrom is newlines for b[i:], where n were found before. Each turn passes one.
func newlinesFrom(b []byte, i int, out *[chunk + 4]uint16, n int) int {
	for {
		k := bytes.IndexByte(b[i:], '\n')
		if k < 0 {
			return n
		}
		out[n] = uint16(i + k)
		i += k + 1
		n++
	}
}
