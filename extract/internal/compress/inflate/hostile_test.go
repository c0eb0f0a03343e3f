//go:build unix

package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"io"
	"runtime"
	"testing"
	"time"
)

// hostile has functions that make streams of n blocks. Each stream takes much time and has little
// text.
var hostile = map[string]func(n int) []byte{
	"empty stored blocks": func(n int) []byte { return bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, n) },
	"empty fixed blocks": func(n int) []byte {
		w := new(bitWriter)
		for range n {
			w.put(0, 1).put(1, 2).put(0, 7)
		}
		return w.bytes()
	},
	"small dynamic blocks": func(n int) []byte {
		w := new(bitWriter)
		for range n {
			w.small().put(0, 1)
		}
		return w.bytes()
	},
	"deep codes": func(n int) []byte {
		lens := make([]uint8, 257)
		for i := range 14 {
			lens[i] = uint8(i + 1)
		}
		lens[14], lens[256] = 15, 15
		w := new(bitWriter)
		for range n {
			w.dynamic(0, lens, []uint8{1}).put(0x7fff, 15)
		}
		return w.bytes()
	},
	"fixed and dynamic blocks": func(n int) []byte {
		w := new(bitWriter)
		for range n / 2 {
			w.put(0, 1).put(1, 2).put(0, 7).small().put(0, 1)
		}
		return w.bytes()
	},
}

// small begins a dynamic block with the shortest header: the end, of 1 bit, is the only
// symbol.
func (w *bitWriter) small() *bitWriter {
	w.put(0, 1).put(2, 2).put(0, 5).put(0, 5).put(14, 4) // 18 lengths, the last is that of symbol 1
	for _, s := range order[:18] {
		switch s {
		case 18:
			w.put(1, 3)
		case 0, 1:
			w.put(2, 3)
		default:
			w.put(0, 3)
		}
	}
	// The codes: 0 for 18, 01 for 0, 11 for 1.
	return w.put(0, 1).put(127, 7).put(0, 1).put(107, 7).put(0b11, 2).put(0b01, 2)
}

// TestHostile reads the hostile streams. The time must be linear, and at most 8 times that of
// compress/flate.
func TestHostile(t *testing.T) {
	d, twin := new(Reader), flate.NewReader(bytes.NewReader(nil))
	in := bufio.NewReader(nil)
	took := func(data []byte, r io.Reader, reset func()) time.Duration {
		least, tries := time.Hour, 5
		if !long {
			tries = 2
		}
		for range tries { // try again, because the machine may be busy
			in.Reset(bytes.NewReader(data))
			reset()
			runtime.GC()
			start := used()
			_, err := io.Copy(io.Discard, struct{ io.Reader }{r})
			if least = min(least, used()-start); err != io.ErrUnexpectedEOF {
				t.Fatal(err)
			}
		}
		return max(least, time.Microsecond)
	}
	for name, stream := range hostile {
		n := 3000
		few, many := stream(n), stream(8*n)
		a := took(few, d, func() { d.Reset(in) })
		b := took(many, d, func() { d.Reset(in) })
		c := took(many, twin, func() { _ = twin.(flate.Resetter).Reset(in, nil) })
		t.Logf("%s: %v and %v, %v each; compress/flate %v", name, a, b, b/time.Duration(8*n), c)
		if b > 16*a+20*time.Millisecond || b > 8*c+20*time.Millisecond {
			t.Errorf("%s: %v for %d blocks and %v for %d; compress/flate takes %v", name, a, n, b, 8*n, c)
		}
	}
}
