package compress_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// lz4Frames returns consecutive random frames of each kind, and their text.
func lz4Frames(t testing.TB, rnd *rand.Rand) (data, text []byte) {
	t.Helper()
	for i := range 1 + rnd.IntN(6) {
		piece := sample(rnd.IntN(60))
		switch rnd.IntN(4) {
		case 0:
			piece = bytes.Repeat([]byte("a"), rnd.IntN(400<<10))
		case 1:
			for i := range piece {
				piece[i] = byte(rnd.Uint32())
			}
		}
		if i > 0 && rnd.IntN(4) == 0 {
			data = append(data, skippable(rnd.IntN(300))...)
		}
		if i > 0 && rnd.IntN(4) == 0 {
			data = append(data, make([]byte, rnd.IntN(9))...)
		}
		text = append(text, piece...)
		var b bytes.Buffer
		w := lz4.NewWriter(&b)
		options := []lz4.Option{lz4.ChecksumOption(rnd.IntN(2) == 0), lz4.BlockChecksumOption(rnd.IntN(2) == 0), lz4.BlockSizeOption(lz4.Block64Kb << (2 * rnd.IntN(3)))}
		switch rnd.IntN(4) {
		case 0:
			options = append(options, lz4.SizeOption(uint64(len(piece))))
		case 1: // a legacy frame, as of lz4 -l, in blocks of random size
			data = append(data, "\x02\x21\x4c\x18"...)
			for part := range slices.Chunk(piece, 1+rnd.IntN(100<<10)) {
				block := make([]byte, lz4.CompressBlockBound(len(part)))
				n, err := lz4.CompressBlock(part, block, nil)
				must(t, err)
				data = append(binary.LittleEndian.AppendUint32(data, uint32(n)), block[:n]...)
			}
			continue
		}
		must(t, w.Apply(options...))
		_, err := w.Write(piece)
		must(t, err)
		must(t, w.Close())
		data = append(data, b.Bytes()...)
	}
	return data, text
}

// TestLZ4Frames reads random frames, in reads of random size.
func TestLZ4Frames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 5))
	pool := newPool(new(ledger.Ledger))
	for range 200 {
		data, text := lz4Frames(t, rnd)
		n := 1 + rnd.IntN(8<<10)
		pool.Source.Reset(&short{r: bytes.NewReader(data), n: n}, nil)
		in, d := pool.Open(&pool.Source, "")
		if d != nil {
			t.Fatal(d)
		}
		got, err := io.ReadAll(in)
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("in reads of %d: %d bytes, want %d; %v; %x", n, len(got), len(text), err, data[:min(64, len(data))])
		}
		pool.Reset()
	}
}

// A short reader returns at most n bytes at once.
type short struct {
	r io.Reader
	n int
}

func (s *short) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.n)]) }
