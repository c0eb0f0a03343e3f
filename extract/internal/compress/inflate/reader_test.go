package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// sample returns n bytes: stretches of text, base64, zeros and noise, with matches of all lengths
// and distances.
func sample(n int) []byte {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	var b []byte
	for len(b) < n {
		switch rnd.IntN(6) {
		case 0:
			for range rnd.IntN(200) {
				b = fmt.Appendf(b, "10.0.%d.%d - - \"GET http://host%d.example.org/%d\"\n", rnd.IntN(20), rnd.IntN(255), rnd.IntN(9), rnd.IntN(3000))
			}
		case 1:
			for range rnd.IntN(3000) {
				b = append(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[rnd.IntN(64)])
			}
		case 2:
			b = append(b, strings.Repeat(string(rune('a'+rnd.IntN(26))), rnd.IntN(1000))...)
		case 3:
			for range rnd.IntN(1000) {
				b = append(b, byte(rnd.Uint32()))
			}
		default: // repeat earlier bytes
			if len(b) == 0 {
				continue
			}
			dist := 1 + rnd.IntN(min(len(b), 1<<rnd.IntN(16)))
			for range rnd.IntN(400) {
				b = append(b, b[len(b)-dist])
			}
		}
	}
	return b[:n]
}

// deflate compresses text with compress/flate.
func deflate(t testing.TB, text []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLevels reads streams of many sizes, which are followed by something else.
func TestLevels(t *testing.T) {
	d := new(Reader)
	for _, n := range []int{0, 1, 2, 100, 1000, history - 1, history, history + 1, window - 1, window, window + 1, 300_000, 1_000_000} {
		text := sample(n)
		for level := -2; level <= 9; level++ {
			if !long && (level+n)%8 != 0 {
				continue
			}
			data := append(deflate(t, text, level), "what follows"...)
			if got, _, err := ways[0].run(d, data); !bytes.Equal(got, text) || err != io.EOF {
				t.Errorf("%d bytes, level %d: %d bytes, %v", n, level, len(got), err)
			}
			compare(t, d, data)
		}
	}
}

// TestDamage flips bits in, and truncates, streams that are longer than all buffers.
func TestDamage(t *testing.T) {
	d := new(Reader)
	rnd := rand.New(rand.NewPCG(2, 3))
	rounds := 60
	if long {
		rounds = 1500
	}
	for _, level := range []int{-2, 0, 1, 6, 9} {
		whole := deflate(t, sample(150_000), level)
		for range rounds / 5 {
			data := bytes.Clone(whole)
			if at := rnd.IntN(len(data)); rnd.IntN(3) == 0 {
				data = data[:at]
			} else {
				data[at] ^= 1 << rnd.IntN(8)
			}
			compare(t, d, data)
		}
	}
}

// bitWriter writes streams that no compressor writes.
type bitWriter struct {
	b   []byte
	acc uint64
	n   uint
}

// put writes n bits of v, the lowest first.
func (w *bitWriter) put(v uint64, n uint) *bitWriter {
	w.acc |= v << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.b = append(w.b, byte(w.acc))
		w.acc >>= 8
	}
	return w
}

func (w *bitWriter) bytes() []byte { return append(w.b, byte(w.acc)) }

// dynamic begins a dynamic block. The code of code lengths has all 16 lengths with 4 bits.
func (w *bitWriter) dynamic(final uint64, lits, dists []uint8) *bitWriter {
	w.put(final, 1).put(2, 2).put(uint64(len(lits)-257), 5).put(uint64(len(dists)-1), 5).put(15, 4)
	for _, s := range order {
		if s < 16 {
			w.put(4, 3)
		} else {
			w.put(0, 3)
		}
	}
	for _, l := range append(bytes.Clone(lits), dists...) {
		w.put(uint64(reverse(uint(l), 4)), 4)
	}
	return w
}

// lengths returns n code lengths. pairs has symbols, each followed by its length; other lengths are
// 0.
func lengths(n int, pairs ...int) []uint8 {
	lens := make([]uint8, n)
	for i := 0; i < len(pairs); i += 2 {
		lens[pairs[i]] = uint8(pairs[i+1])
	}
	return lens
}

// TestCodes reads blocks with incomplete and oversubscribed codes, and with codes of one symbol or
// none.
func TestCodes(t *testing.T) {
	d := new(Reader)
	deep := lengths(257, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 256, 15)
	one := []uint8{1}
	full := lengths(258, 'a', 1, 256, 2, 257, 2) // a, the end, a match of 3 bytes
	for name, c := range map[string]struct {
		lits, dists []uint8
		body        uint64
		bits        uint
		want        string
		bad         bool
	}{
		"one distance":         {lits: full, dists: one, body: 0b01_0_11_0_0_0, bits: 8, want: "aaaaaa"},
		"the other distance":   {lits: full, dists: one, body: 0b01_1_11_0_0_0, bits: 8, want: "aaa", bad: true},
		"no distance":          {lits: full, dists: []uint8{0}, body: 0b01_0_11_0_0_0, bits: 8, want: "aaa", bad: true},
		"no distance, unused":  {lits: full, dists: []uint8{0}, body: 0b01_0_0, bits: 4, want: "aa"},
		"too far":              {lits: full, dists: []uint8{1, 1}, body: 0b01_1_11_0, bits: 6, want: "a", bad: true},
		"too far at once":      {lits: full, dists: one, body: 0b01_0_11, bits: 5, bad: true},
		"incomplete distances": {lits: full, dists: []uint8{2, 2}, body: 0b01, bits: 2, bad: true},
		"too many distances":   {lits: full, dists: []uint8{1, 1, 1}, body: 0b01, bits: 2, bad: true},
		"incomplete":           {lits: lengths(257, 'a', 2, 256, 2), dists: one, body: 0b01, bits: 2, bad: true},
		"too many":             {lits: lengths(257, 'a', 1, 'b', 1, 256, 2), dists: one, body: 0b01, bits: 2, bad: true},
		"only an end":          {lits: lengths(257, 256, 1), dists: one, body: 0, bits: 1},
		"not even an end":      {lits: lengths(257), dists: one, body: 0, bits: 1, bad: true},
		"no end":               {lits: lengths(257, 'a', 1, 'b', 1), dists: one, body: 0, bits: 8, want: "aaaaaaaa"},
		"deep":                 {lits: deep, dists: one, body: 0b111111111111111_011111111111111_0, bits: 31, want: "\x00\x0e"},
	} {
		w := new(bitWriter).dynamic(1, c.lits, c.dists).put(c.body, c.bits)
		for _, rest := range []string{"", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
			data := append(w.bytes(), rest...)
			if text, _, err := ways[0].run(d, data); name != "no end" && (string(text) != c.want || (err == io.EOF) == c.bad) {
				t.Errorf("%s: %q, %v", name, text, err)
			}
			compare(t, d, data)
		}
	}
}

// TestPrompt checks that all text that can be decoded is returned before the next byte of input is
// read.
func TestPrompt(t *testing.T) {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 6)
	ends := map[int]int{} // maps the number of bytes read to the number of bytes of text that must be returned by then
	total := 0
	for i := range 20 {
		n, _ := fmt.Fprintf(w, "line %d, and more of it\n", i)
		total += n
		_ = w.Flush()
		ends[b.Len()] = total
	}
	_ = w.Close()
	got := 0
	read := 0
	in := readerFunc(func(p []byte) (int, error) {
		if want, ok := ends[read]; ok && got != want {
			t.Errorf("%d bytes of text at byte %d, want %d", got, read, want)
		}
		if read == b.Len() {
			return 0, io.EOF
		}
		p[0] = b.Bytes()[read]
		read++
		return 1, nil
	})
	var d Reader
	d.Reset(bufio.NewReader(in))
	p := make([]byte, 100)
	for {
		n, err := d.Read(p)
		if got += n; err != nil {
			if err != io.EOF || got != total {
				t.Errorf("%d bytes of %d, %v", got, total, err)
			}
			break
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
