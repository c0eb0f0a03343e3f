package lzma_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	library "github.com/ulikunitz/xz/lzma"

	"github.com/urlsift/urlsift/extract/internal/compress/lzma"
)

// packed compresses text. It returns the parameters, and the data.
func packed(t testing.TB, text []byte, p library.Properties, mark bool) (lzma.Params, []byte) {
	var b bytes.Buffer
	c := library.WriterConfig{Properties: &p, DictCap: 1 << 16, EOSMarker: mark}
	if !mark {
		c.SizeInHeader, c.Size = true, int64(len(text))
	}
	w, err := c.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	head := b.Next(13)
	params := lzma.Params{Dict: int64(binary.LittleEndian.Uint32(head[1:])), Size: int64(binary.LittleEndian.Uint64(head[5:]))}
	if !params.SetProperties(head[0]) {
		t.Fatal(head[0])
	}
	return params, b.Bytes()
}

// random returns a text with matches of all distances.
func random(r *rand.Rand) (text []byte) {
	for len(text) < 1+r.IntN(200000) {
		switch n := r.IntN(300); {
		case n < 3:
			text = append(text, make([]byte, 20_000)...)
		case r.IntN(3) > 0 && len(text) > n:
			at := r.IntN(len(text) - n)
			text = append(text, text[at:at+n]...)
		case r.IntN(2) == 0:
			text = append(text, "see http://a.example/ and more text\n"[:n%36]...)
		default:
			for range n % 40 {
				text = append(text, byte(r.UintN(256)))
			}
		}
	}
	return text
}

// read reads data in pieces. It returns the text, what is left of data, and the error.
func read(r *lzma.Reader, in io.Reader, p lzma.Params, buffer, into int) (text, rest []byte, err error) {
	b := bufio.NewReaderSize(in, buffer)
	r.Reset(b, p)
	return readAll(r, b, into)
}

// readAll reads r, which reads b, into pieces of that many bytes.
func readAll(r io.Reader, b *bufio.Reader, into int) (text, rest []byte, err error) {
	for buf := make([]byte, into); err == nil && len(text) < 1<<20; {
		var n int
		if n, err = r.Read(buf); n == 0 && err == nil {
			return text, nil, errors.New("a Read returned nothing")
		}
		text = append(text, buf[:n]...)
	}
	rest, _ = io.ReadAll(b)
	return text, rest, err
}

// TestReader compares the text with that which was compressed, whole, in pieces, cut short and damaged.
func TestReader(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var r lzma.Reader
	for _, p := range []library.Properties{{LC: 3, PB: 2}, {LC: 0, LP: 2, PB: 2}, {LC: 8, LP: 0, PB: 0}, {LC: 1, LP: 3, PB: 4}, {LC: 4, LP: 0, PB: 3}} {
		for _, mark := range []bool{true, false} {
			for i := range 4 {
				text := random(rnd)
				if i == 0 { // a long match where the window ends
					text = append(append(text, make([]byte, 150_000)...), "end"...)
				}
				params, data := packed(t, text, p, mark)
				whole := append(data[:len(data):len(data)], "rest"...)
				for _, in := range []struct {
					r            io.Reader
					buffer, into int
				}{{bytes.NewReader(whole), 64 << 10, 64 << 10}, {iotest.OneByteReader(bytes.NewReader(whole)), 16, 100}, {bytes.NewReader(whole), 4 << 10, 1}} {
					got, rest, err := read(&r, in.r, params, in.buffer, in.into)
					if !bytes.Equal(got, text) || string(rest) != "rest" || err != io.EOF {
						t.Fatalf("%+v, mark %t: %d bytes of %d, %q, %v", p, mark, len(got), len(text), rest, err)
					}
				}
				if r.Consumed() != int64(len(data)) {
					t.Errorf("%d bytes consumed, of %d", r.Consumed(), len(data))
				}
				cut := rnd.IntN(len(data))
				got, _, err := read(&r, bytes.NewReader(data[:cut]), params, 16, 1000)
				if !bytes.HasPrefix(text, got) || err != io.ErrUnexpectedEOF || cut > 100 && len(got) == 0 {
					t.Errorf("cut at %d of %d: %d bytes, %v", cut, len(data), len(got), err)
				}
				data[rnd.IntN(len(data))] ^= 0x55
				if _, _, err := read(&r, bytes.NewReader(data), params, 4<<10, 1000); err == nil {
					t.Error("damaged data has no end")
				}
			}
		}
	}
}

// compare compares what a decoder returns with what the twin returns.
func compare(t *testing.T, decode func(in io.Reader, buffer, into int) (text, rest []byte, err error), data, want, rest []byte, wantErr error) {
	t.Helper()
	for _, how := range []struct {
		in           io.Reader
		buffer, into int
	}{{bytes.NewReader(data), 64 << 10, 64 << 10}, {iotest.OneByteReader(bytes.NewReader(data)), 16, 7}, {bytes.NewReader(data), 100, 1000}} {
		got, left, err := decode(how.in, how.buffer, how.into)
		switch {
		case wantErr == errMost:
			if len(got) < len(want) || !bytes.Equal(got[:len(want)], want) {
				t.Fatalf("into %d: %d bytes, %v; want more than %d", how.into, len(got), err, len(want))
			}
		case !bytes.Equal(got, want) || err != wantErr || err == io.EOF && !bytes.Equal(left, rest):
			t.Fatalf("into %d: %d bytes, %d left, %v; want %d, %d, %v", how.into, len(got), len(left), err, len(want), len(rest), wantErr)
		}
	}
}

// FuzzReader compares the text with that of the twin, and with that of the library as far as both find no damage.
func FuzzReader(f *testing.F) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, mark := range []bool{true, false} {
		p, data := packed(f, random(rnd)[:50], library.Properties{LC: 3, PB: 2}, mark)
		f.Add(data, byte(0x5d), p.Size)
		p, data = packed(f, random(rnd), library.Properties{LC: 1, LP: 3, PB: 4}, mark)
		f.Add(data[:min(len(data), 4<<10)], byte((4*5+3)*9+1), p.Size)
	}
	f.Fuzz(func(t *testing.T, data []byte, properties byte, size int64) {
		const dict = 1 << 12
		p := lzma.Params{Dict: dict, Size: max(-1, size%(1<<16))}
		if !p.SetProperties(properties) || p.LC+p.LP > 8 || len(data) > 4<<10 {
			return
		}
		want, rest, wantErr := lzma1(data, p)
		var r lzma.Reader
		compare(t, func(in io.Reader, buffer, into int) ([]byte, []byte, error) { return read(&r, in, p, buffer, into) }, data, want, rest, wantErr)
		head := binary.LittleEndian.AppendUint32([]byte{properties}, dict)
		z, libErr := library.NewReader(io.MultiReader(bytes.NewReader(binary.LittleEndian.AppendUint64(head, uint64(p.Size))), bytes.NewReader(data)))
		if libErr != nil {
			return
		}
		text, libErr := io.ReadAll(io.LimitReader(z, most))
		if n := min(len(text), len(want)); !bytes.Equal(text[:n], want[:n]) || libErr == nil && wantErr == io.EOF && len(text) != len(want) {
			t.Fatalf("%d bytes, %v; the library has %d, %v", len(want), wantErr, len(text), libErr)
		}
	})
}

// FuzzReader2 compares the text of LZMA2 with that of the twin. The seeds in testdata/fuzz were written by xz.
func FuzzReader2(f *testing.F) {
	f.Add([]byte("\x01\x00\x02abc\x02\x00\x00d\x00rest"))
	var r lzma.Reader2
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 16<<10 {
			return
		}
		want, rest, wantErr := lzma2(data, 1<<12)
		compare(t, func(in io.Reader, buffer, into int) ([]byte, []byte, error) {
			b := bufio.NewReaderSize(in, buffer)
			r.Reset(b, 1<<12)
			return readAll(&r, b, into)
		}, data, want, rest, wantErr)
	})
}

func BenchmarkReader(b *testing.B) {
	text := bytes.Repeat([]byte("192.0.2.1 - - [01/Jan/2024:00:00:00 +0000] \"GET /index.html HTTP/1.1\" 200 1234 \"http://a.example/\" \"-\"\n"), 200)
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range text {
		if rnd.IntN(12) == 0 {
			text[i] = byte('0' + rnd.IntN(10))
		}
	}
	params, data := packed(b, bytes.Repeat(text, 20), library.Properties{LC: 3, PB: 2}, true)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(20 * len(text)))
		var r lzma.Reader
		for b.Loop() {
			r.Reset(bufio.NewReader(bytes.NewReader(data)), params)
			_, _ = io.Copy(io.Discard, &r)
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(20 * len(text)))
		head := binary.LittleEndian.AppendUint32([]byte{0x5d}, uint32(params.Dict))
		head = binary.LittleEndian.AppendUint64(head, uint64(params.Size))
		for b.Loop() {
			r, err := library.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(head), bytes.NewReader(data))))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, r)
		}
	})
}
