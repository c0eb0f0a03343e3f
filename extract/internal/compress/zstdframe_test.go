package compress_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// skippable returns a skippable frame with n bytes in it.
func skippable(n int) []byte {
	return append([]byte{0x50 + byte(n%16), 0x2a, 0x4d, 0x18, byte(n), byte(n >> 8), 0, 0}, bytes.Repeat([]byte{0x28}, n)...)
}

// zstdFrames returns consecutive random frames, and where each begins. Skippable frames may come
// before and after each.
func zstdFrames(t testing.TB, rnd *rand.Rand) (data []byte, begins []int) {
	t.Helper()
	for range 1 + rnd.IntN(6) {
		text := sample(rnd.IntN(60))
		switch rnd.IntN(4) {
		case 0:
			text = bytes.Repeat([]byte("a"), rnd.IntN(400<<10))
		case 1:
			for i := range text {
				text[i] = byte(rnd.Uint32())
			}
		}
		begins = append(begins, len(data))
		if rnd.IntN(4) == 0 {
			data = append(data, skippable(rnd.IntN(300))...)
		}
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(rnd.IntN(2) == 0),
			zstd.WithSingleSegment(rnd.IntN(2) == 0), zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.EncoderLevel(1+rnd.IntN(3))))
		if err != nil {
			t.Fatal(err)
		}
		if rnd.IntN(2) == 0 {
			data = z.EncodeAll(text, data)
			continue
		}
		var b bytes.Buffer // a frame of unknown size, in several blocks
		z.Reset(&b)
		for len(text) > 0 {
			n := min(len(text), 1+rnd.IntN(100<<10))
			_, _ = z.Write(text[:n])
			_ = z.Flush()
			text = text[n:]
		}
		_ = z.Close()
		data = append(data, b.Bytes()...)
	}
	return data, begins
}

// sameUnpacked decompresses data with the frame reader and with the library alone, and compares
// texts and errors.
func sameUnpacked(t *testing.T, data []byte) []int {
	t.Helper()
	const window = 8 << 20 // the window size of the default level
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<62), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	_ = z.Reset(struct{ io.Reader }{bytes.NewReader(data)})
	want, wantErr := io.ReadAll(z)
	left, _ := io.ReadAll(z) // the text of a block whose frame has a wrong checksum
	want = append(want, left...)
	got, begins, err := compress.UnpackZstd(data, window)
	if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("%d bytes: %d bytes come of them, %v; without the frame reader %d, %v", len(data), len(got), err, len(want), wantErr)
	}
	return begins
}

// TestZstdFrameReader reads frames that are complete, truncated, damaged, and followed by
// other bytes. Text and errors must be those of the library without the frame reader.
func TestZstdFrameReader(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8878, 1))
	for range zstdTexts() {
		data, want := zstdFrames(t, rnd)
		if begins := sameUnpacked(t, data); !slices.Equal(begins, want) {
			t.Errorf("frames begin at %d, want %d", begins, want)
		}
		rounds := 20
		if !long {
			rounds = 7
		}
		for range rounds {
			sameUnpacked(t, data[:rnd.IntN(len(data))])
			spoiled := bytes.Clone(data)
			spoiled[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			sameUnpacked(t, spoiled)
			at := want[rnd.IntN(len(want))] // damage a header more often than other bytes
			if at += rnd.IntN(12); at < len(data) {
				spoiled = bytes.Clone(data)
				spoiled[at] ^= 1 << rnd.IntN(8)
				sameUnpacked(t, spoiled)
			}
		}
		for _, tail := range []string{"\x00", "\x00\x00\x00\x00\x00", "more", "x", "\x28\xb5", "\x28\xb5\x2f\xfd", "\x51\x2a\x4d\x18\x05\x00", string(skippable(7))} {
			sameUnpacked(t, append(bytes.Clone(data), tail...))
		}
	}
}

// sameWalk compares the ends of frames that a walk over the block headers finds with those that
// decompression finds, if data is undamaged.
func sameWalk(t *testing.T, data []byte) {
	t.Helper()
	ends := compress.FrameEnds(data)
	_, begins, err := compress.UnpackZstd(data, 8<<20)
	if len(ends) > len(data) || !slices.IsSorted(ends) {
		t.Errorf("frames end at %d of %d bytes", ends, len(data))
	}
	for i := range begins[1:] {
		if i < len(ends) && ends[i] != begins[i+1] {
			t.Errorf("frames end at %d, begin at %d", ends, begins)
		}
	}
	if err == nil && len(ends) < len(begins)-1 {
		t.Errorf("frames end at %d, begin at %d", ends, begins)
	}
}

// zstdTexts is how many random files of frames are tried.
func zstdTexts() int {
	if long {
		return 60
	}
	return 5
}

// TestZstdWalk walks over complete, truncated and damaged frames.
func TestZstdWalk(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8878, 3))
	for range zstdTexts() {
		data, begins := zstdFrames(t, rnd)
		if ends := compress.FrameEnds(data); !slices.Equal(ends, append(begins[1:], len(data))) {
			t.Errorf("frames end at %d, begin at %d", ends, begins)
		}
		for range 20 {
			sameWalk(t, data[:rnd.IntN(len(data))])
			spoiled := bytes.Clone(data)
			spoiled[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			sameWalk(t, spoiled)
		}
	}
	if ends := compress.FrameEnds(skippable(9)); ends != nil {
		t.Errorf("no frame ends at %d", ends)
	}
}

// TestZstdDictionary reads frames that need a dictionary. The number has 1, 2 or 4 bytes, and a byte
// with the size of the window or fields with the size of the text may surround it.
func TestZstdDictionary(t *testing.T) {
	const magic, text = "\x28\xb5\x2f\xfd", "\xe1\x00\x00see http://a.example/ there\n" // a last block of 28 verbatim bytes
	p := compress.NewPool(compress.Limits{Depth: 3, Window: 8 << 20, Ratio: 1000}, compress.Hooks{
		BeforeBlock: func() bool { return true }, AfterBlock: func() {}, Stopped: no, Interrupted: no, InConsumer: no,
	}, new(ledger.Ledger))
	for head, number := range map[string]string{
		"\x21\x07\x1c": "7", "\x22\x07\x01\x1c": "263", "\x23\x04\x03\x02\x01\x1c": "16909060", // the size of the text in one byte
		"\x01\x00\x07": "7", "\x02\x00\x07\x01": "263", "\x03\x00\xff\xff\xff\xff": "4294967295", // the size of the window
		"\x61\x07\x00\x00": "7", "\xe1\x07\x1c\x00\x00\x00\x00\x00\x00\x00": "7", "\x41\x00\x07\x00\x00": "7",
		"\x21\x00\x1c": "", "\x00\x00": "", // 0 is no dictionary
	} {
		for _, in := range []io.Reader{strings.NewReader(magic + head + text), iotest.OneByteReader(strings.NewReader(magic + head + text))} {
			p.Source.Reset(in, nil)
			r, _ := p.Open(&p.Source, "")
			got, err := io.ReadAll(r)
			switch {
			case number == "" && (err != nil || string(got) != text[3:]):
				t.Errorf("% x: %q, %v", head, got, err)
			case number != "" && (!errors.Is(err, zstd.ErrUnknownDictionary) || err.Error() != "zstd: the frame needs dictionary "+number+", which is not here"):
				t.Errorf("% x: %v, want number %s", head, err, number)
			}
			p.Reset()
		}
		if number != "" { // the frame can be passed over
			if ends := compress.FrameEnds([]byte(magic + head + text)); !slices.Equal(ends, []int{len(magic + head + text)}) {
				t.Errorf("% x: frames end at %d", head, ends)
			}
		}
	}
}

func no() bool { return false }

// FuzzZstdFrameReader is TestZstdFrameReader and TestZstdWalk for any bytes.
func FuzzZstdFrameReader(f *testing.F) {
	rnd := rand.New(rand.NewPCG(8878, 2))
	for range 8 {
		data, _ := zstdFrames(f, rnd)
		f.Add(data[:min(len(data), 2000)])
	}
	f.Add(skippable(3))
	f.Fuzz(func(t *testing.T, data []byte) {
		sameUnpacked(t, data)
		sameWalk(t, data)
	})
}

// TestIndexMember compares the search for frames with a slow search, byte by byte.
func TestIndexMember(t *testing.T) {
	pieces := []string{"\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18", "\x5f\x2a\x4d\x18", "\x60\x2a\x4d\x18", "\x2a\x4d\x18", "\x1f\x8b\x08", "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x01\x00", "\x1f\x8b\x08\x08\x01\x02\x03\x04\x02\x03", "\x1f\x8b\x08\x20\x01\x02\x03\x04\x02\x03", "\x1f\x8b\x08\x20\x01\x02\x03\x04\x03\x03", "x"}
	rnd := rand.New(rand.NewPCG(6, 6))
	for range 20000 {
		var b []byte
		for range rnd.IntN(8) {
			b = append(b, pieces[rnd.IntN(len(pieces))]...)
		}
		b = b[:len(b)-min(len(b), rnd.IntN(5))]
		zs, bs := -1, -1
		for i := len(b) - 1; i >= 0; i-- {
			at := b[i:]
			if bytes.HasPrefix(at, []byte(pieces[0])) {
				zs = i
			}
			if len(at) >= 10 && bytes.HasPrefix(at, []byte(pieces[5])) && at[3] < 32 && (at[8] == 0 || at[8] == 2 || at[8] == 4) && (at[9] < 14 || at[9] == 255) {
				bs = i
			}
		}
		if got := compress.IndexMember(b, true); got != zs {
			t.Fatalf("zstd: %q at %d, want %d", b, got, zs)
		}
		if got := compress.IndexMember(b, false); got != bs {
			t.Fatalf("gzip: %q at %d, want %d", b, got, bs)
		}
	}
}

// sample returns n lines of text with URLs that are all different.
func sample(n int) (text []byte) {
	for i := range n {
		text = fmt.Appendf(text, "line %d: see http://host%d.example/path/%x?q=%d for more of it\n", i, i%97, i*i, i)
	}
	return text
}

// must ends the test if err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
