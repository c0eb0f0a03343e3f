package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// A writer64 writes Deflate64 with the fixed codes, bit by bit.
type writer64 struct {
	out  []byte
	bits uint
}

// put appends the lowest n bits of v.
func (w *writer64) put(v, n uint) {
	for ; n > 0; n-- {
		if w.bits%8 == 0 {
			w.out = append(w.out, 0)
		}
		w.out[len(w.out)-1] |= byte(v&1) << (w.bits % 8)
		v >>= 1
		w.bits++
	}
}

// symbol appends the fixed code of a literal or length (RFC 1951, section 3.2.6).
func (w *writer64) symbol(s uint) {
	switch {
	case s < 144:
		w.put(reverse(0x30+s, 8), 8)
	case s < 256:
		w.put(reverse(0x190+s-144, 9), 9)
	case s < 280:
		w.put(reverse(s-256, 7), 7)
	default:
		w.put(reverse(0xc0+s-280, 8), 8)
	}
}

// match appends a length, always with symbol 285, and a distance.
func (w *writer64) match(length, dist int) {
	w.symbol(285)
	w.put(uint(length-3), 16)
	base, s := 1, uint(0)
	for n := uint(0); ; s++ {
		if s >= 4 && s%2 == 0 {
			n++
		}
		if dist < base+1<<n {
			w.put(reverse(s, 5), 5)
			w.put(uint(dist-base), n)
			return
		}
		base += 1 << n
	}
}

// made64 returns a stream of Deflate64, with its text: literals, stored blocks, and matches of all
// lengths and distances.
func made64(r *rand.Rand) (data, text []byte) {
	var w writer64
	for blocks := 1 + r.IntN(4); blocks > 0; blocks-- {
		w.put(uint(1/blocks), 1)
		if r.IntN(3) == 0 {
			n := r.IntN(1000)
			w.put(0, 2)
			w.put(0, (8-w.bits%8)%8)
			w.put(uint(n), 16)
			w.put(^uint(n), 16)
			for range n {
				c := byte(r.UintN(256))
				w.put(uint(c), 8)
				text = append(text, c)
			}
			continue
		}
		w.put(1, 2)
		for range r.IntN(100) {
			if r.IntN(2) == 0 || len(text) == 0 {
				c := byte(r.UintN(256))
				w.symbol(uint(c))
				text = append(text, c)
				continue
			}
			length, dist := 3+r.IntN(1<<(2+r.IntN(15))), 1+r.IntN(min(len(text), 1<<(1+r.IntN(16))))
			w.match(length, dist)
			for range length {
				text = append(text, text[len(text)-dist])
			}
		}
		w.symbol(256)
	}
	return w.out, text
}

// read64 reads data in pieces, and returns the text, what is left of data, and the error.
func read64(d *Reader64, data []byte, buffer, into int, oneByte bool) (text, rest []byte, err error) {
	var r io.Reader = bytes.NewReader(data)
	if oneByte {
		r = iotest.OneByteReader(r)
	}
	in := bufio.NewReaderSize(r, buffer)
	d.Reset(in)
	for p := make([]byte, into); err == nil && len(text) < most; {
		var n int
		if n, err = d.Read(p); n == 0 && err == nil {
			return text, nil, errors.New("a Read returned nothing")
		}
		text = append(text, p[:n]...)
	}
	rest, _ = io.ReadAll(in)
	return text, rest, err
}

func TestReader64(t *testing.T) {
	var d Reader64
	r := rand.New(rand.NewPCG(1, 2))
	far := 0
	for range 60 {
		data, want := made64(r)
		if len(want) > 1<<15 {
			far++
		}
		for _, w := range ways {
			text, rest, err := read64(&d, append(data[:len(data):len(data)], "rest"...), w.buffer, w.into, w.bytes)
			if !bytes.Equal(text, want) || string(rest) != "rest" || err != io.EOF {
				t.Fatalf("%d bytes of %d, %q, %v", len(text), len(want), rest, err)
			}
		}
		if n := r.IntN(len(data)); true { // cut short
			text, _, err := read64(&d, data[:n], 16, 100, false)
			if !bytes.HasPrefix(want, text) || err != io.ErrUnexpectedEOF {
				t.Fatalf("cut: %d bytes, %v", len(text), err)
			}
		}
	}
	if far < 10 {
		t.Errorf("only %d texts are longer than the window of deflate", far)
	}
}

// TestReader64Deflate compares a Reader64 with a Reader for streams of deflate without long matches.
func TestReader64Deflate(t *testing.T) {
	var d Reader64
	text := strings.Repeat("see http://a.example/ and http://b.example/c\n", 3)
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		text += string(rune('a'+r.IntN(16))) + "http://"[:r.IntN(8)]
	}
	for _, level := range []int{0, 1, 6, 9} {
		var b bytes.Buffer
		z, err := flate.NewWriter(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		if got, _, err := read64(&d, b.Bytes(), 4<<10, 1000, false); string(got) != text || err != io.EOF {
			t.Errorf("level %d: %d bytes of %d, %v", level, len(got), len(text), err)
		}
	}
}

// FuzzReader64 checks that the text and the error do not depend on the sizes of reads.
func FuzzReader64(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		data, _ := made64(r)
		f.Add(data[:min(len(data), 300)])
	}
	f.Add([]byte("\x05\xc0\x81\x00\x00\x00\x00\x00\x90\xff\x6b\x23\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			return
		}
		var d Reader64
		text, rest, err := read64(&d, data, 64<<10, 64<<10, false)
		again, restAgain, errAgain := read64(&d, data, 16, 100, true)
		if n := min(len(text), len(again)); !bytes.Equal(text[:n], again[:n]) || n < most && (len(text) != len(again) || string(rest) != string(restAgain) || err.Error() != errAgain.Error()) {
			t.Fatalf("%d bytes, %q, %v; in pieces %d, %q, %v", len(text), rest, err, len(again), restAgain, errAgain)
		}
	})
}
