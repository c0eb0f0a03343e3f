package octet

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestCopyToEither compares CopyToEither, with and without the kernel, with bytes.IndexAny.
func TestCopyToEither(t *testing.T) {
	defer func(was bool) { hasAVX2 = was }(hasAVX2)
	r := rand.New(rand.NewPCG(1, 2))
	room := make([]byte, 400)
	for range 20000 {
		src := room[r.IntN(40):][:r.IntN(200)]
		every := 1 + r.IntN(150)
		for i := range src {
			if src[i] = "\x00<&\xff\x80'%;=a"[r.IntN(10)]; r.IntN(every) > 0 {
				src[i] = 'b'
			}
		}
		stop := [2]byte{"<&\xff\x00"[r.IntN(4)], "&=\x80"[r.IntN(3)]}
		dst := make([]byte, r.IntN(200), 400)
		most := min(len(dst), len(src))
		want := most
		for i, c := range src[:most] {
			if c == stop[0] || c == stop[1] {
				want = i
				break
			}
		}
		for _, hasAVX2 = range []bool{hasAVX2, false} {
			n := CopyToEither(dst, src, stop)
			if n != want || !bytes.Equal(dst[:n], src[:n]) || bytes.Count(dst[len(dst):400], []byte{0}) < 400-len(dst) {
				t.Fatalf("kernel %v: %q with room for %d: copied %d, %q, want %d", hasAVX2, src, len(dst), n, dst[:n], want)
			}
		}
	}
}

// TestPlain compares Plain, with and without the kernel, with a search of single bytes.
func TestPlain(t *testing.T) {
	defer func(was bool) { hasAVX2 = was }(hasAVX2)
	r := rand.New(rand.NewPCG(3, 4))
	room := make([]byte, 400)
	stop := [3]byte{'=', '\n', '\r'}
	for range 20000 {
		src := room[r.IntN(40):][:r.IntN(200)]
		every := 1 + r.IntN(150)
		for i := range src {
			if src[i] = "\x00\x7f\x80\xff=\n\r\x0b<"[r.IntN(9)]; r.IntN(every) > 0 {
				src[i] = 'b'
			}
		}
		want := 0
		for want < len(src) && src[want] < 0x80 && bytes.IndexByte(stop[:], src[want]) < 0 {
			want++
		}
		for _, hasAVX2 = range []bool{hasAVX2, false} {
			if n := Plain(src, stop); n != want {
				t.Fatalf("kernel %v: %q: %d, want %d", hasAVX2, src, n, want)
			}
		}
	}
}

// TestPair compares Pair, with and without the kernel, with a search of single bytes.
func TestPair(t *testing.T) {
	defer func(was bool) { hasAVX2 = was }(hasAVX2)
	r := rand.New(rand.NewPCG(5, 6))
	room := make([]byte, 400)
	stop := [4]byte{'\n', 'C', 'c', 'F'}
	for range 20000 {
		src := room[r.IntN(40):][:r.IntN(200)]
		every := 1 + r.IntN(50)
		for i := range src {
			if src[i] = "\n\nCcFx\x8a"[r.IntN(7)]; r.IntN(every) > 0 {
				src[i] = 'b'
			}
		}
		want := -1
		for i := range max(0, len(src)-1) {
			if src[i] == '\n' && bytes.IndexByte(stop[1:], src[i+1]) >= 0 {
				want = i
				break
			}
		}
		for _, hasAVX2 = range []bool{hasAVX2, false} {
			if n := Pair(src, stop); n != want {
				t.Fatalf("kernel %v: %q: %d, want %d", hasAVX2, src, n, want)
			}
		}
	}
}
