package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract"
)

// frames writes zstd frames with blocks of chosen sizes.
type frames struct {
	t testing.TB
	b bytes.Buffer
}

// frame writes a frame of text. If flush is more than 0, blocks have at most that many
// bytes.
func (f *frames) frame(text []byte, flush int, opts ...zstd.EOption) {
	z, err := zstd.NewWriter(&f.b, append(opts, zstd.WithEncoderConcurrency(1))...)
	must(f.t, err)
	for len(text) > 0 {
		n := len(text)
		if flush > 0 {
			n = min(n, flush)
		}
		_, err = z.Write(text[:n])
		must(f.t, err)
		if flush > 0 {
			must(f.t, z.Flush())
		}
		text = text[n:]
	}
	must(f.t, z.Close())
}

// TestLongFrame reads long frames: complete, truncated, damaged, between other frames,
// and over a limit. One and several workers must give the same.
func TestLongFrame(t *testing.T) {
	defer extract.AheadFrom(1)()
	defer extract.RatioFrom(1 << 18)()
	rnd := rand.New(rand.NewPCG(7, 8))
	var text []byte
	for i := 0; len(text) < 2_000_000; i++ { // stretches that compress well, badly and not at all
		switch i % 400 {
		case 100:
			text = append(text, bytes.Repeat([]byte("same "), 60_000)...)
		case 200:
			for range 200_000 {
				text = append(text, byte(rnd.Uint32()))
			}
		}
		text = fmt.Appendf(text, "%s http://h%d.example/%x\n", bytes.Repeat([]byte("word "), rnd.IntN(50)), i, rnd.Uint64())
	}
	made := func(make func(f *frames)) []byte {
		f := frames{t: t}
		make(&f)
		return f.b.Bytes()
	}
	files := map[string][]byte{
		"one":    made(func(f *frames) { f.frame(text, 0) }),
		"blocks": made(func(f *frames) { f.frame(text, 30_000, zstd.WithEncoderCRC(false)) }),
		"best":   made(func(f *frames) { f.frame(text, 0, zstd.WithEncoderLevel(zstd.SpeedBestCompression)) }),
		"wide":   made(func(f *frames) { f.frame(text, 0, zstd.WithWindowSize(16<<20)) }),
		"some": made(func(f *frames) {
			f.b.Write(skippable(30))
			f.frame(text[:700_000], 0, zstd.WithWindowSize(64<<10))
			f.b.Write(skippable(100_000))
			f.frame(text[700_000:], 0)
			f.frame(nil, 0, zstd.WithZeroFrames(true))
		}),
		"dense":   made(func(f *frames) { f.frame(bytes.Repeat(text[:3000], 600), 0) }),
		"tiny":    made(func(f *frames) { f.frame(text[:300_000], 10) }),
		"noughts": made(func(f *frames) { f.frame(append(make([]byte, 3_000_000), text[:50_000]...), 0) }),
	}
	path := filepath.Join(t.TempDir(), "file")
	turn := 0
	try := func(how string, data []byte, limits extract.Limits) {
		t.Helper()
		must(t, os.WriteFile(path, data, 0o600))
		alone := extractor(t, extract.Options{Workers: 1, Limits: limits})
		want, stats := run(t, alone, extract.Walk(path)), alone.Stats()
		numbers := []int{2, 3}
		if !long { // each in turn
			turn++
			numbers = numbers[turn%2:][:1]
		}
		for _, workers := range numbers {
			x := extractor(t, extract.Options{Workers: workers, Limits: limits})
			got, now := run(t, x, extract.Walk(path)), x.Stats()
			if sum := now.StoredRead + now.StoredNotRead; sum != int64(len(data)) {
				t.Errorf("%s, %d workers: %d bytes are read or left of %d", how, workers, sum, len(data))
			}
			now.StoredRead, now.StoredNotRead = stats.StoredRead, stats.StoredNotRead // they depend on how far was read after damage
			if got != want || now != stats {
				t.Errorf("%s, %d workers: not the same as with one: %s\n%+v\n%+v", how, workers, firstOther(got, want), now, stats)
			}
		}
	}
	n := 1
	switch {
	case raceEnabled:
		n = 0
	case full:
		n = 12
	case long:
		n = 6
	}
	for name, data := range files {
		try(name, data, extract.Limits{})
		try(name+", trailing", append(bytes.Clone(data), "more http://more.example/"...), extract.Limits{})
		try(name+", twice", append(bytes.Clone(data), data...), extract.Limits{})
		try(name+", long", data, extract.Limits{Size: 1_234_567})
		for range n {
			at := rnd.IntN(len(data))
			try(fmt.Sprintf("%s, cut at %d", name, at), data[:at], extract.Limits{})
			at = rnd.IntN(len(data))
			spoiled := bytes.Clone(data)
			spoiled[at] ^= 1 << rnd.IntN(8)
			try(fmt.Sprintf("%s, spoiled at %d", name, at), spoiled, extract.Limits{})
			ratio := 1 + rnd.IntN(60)
			try(fmt.Sprintf("%s, ratio %d", name, ratio), data, extract.Limits{Ratio: ratio})
		}
		spoiled := bytes.Clone(data) // damage the checksum, if there is one
		spoiled[len(data)-1] ^= 1
		try(name+", spoiled at the end", spoiled, extract.Limits{})
	}
}

// TestChecksum reads a frame with a wrong checksum. The error must come after all results of the
// frame.
func TestChecksum(t *testing.T) {
	text := sample(20000)
	data := pack(t, "zstd", text)
	data[len(data)-1] ^= 1
	x := extractor(t, extract.Options{Workers: 1})
	got, errs := all(t, x.Run(t.Context(), slices.Values([]extract.Source{memory("a", data)})))
	want, _ := all(t, x.Run(t.Context(), slices.Values([]extract.Source{memory("a", text)})))
	if !slices.Equal(got, want) || len(errs) != 1 || !errors.Is(errs[0], zstd.ErrCRCMismatch) {
		t.Errorf("%d references of %d, %v", len(got), len(want), errs)
	}
}

// FuzzLongFrame reads bytes that may be zstd frames, with one worker and with two. The results must
// be equal, and nothing may panic.
func FuzzLongFrame(f *testing.F) {
	f.Cleanup(extract.AheadFrom(1))
	for _, flush := range []int{0, 1000} {
		for _, text := range [][]byte{sample(30), sample(9000), bytes.Repeat(sample(40), 300)} {
			w := frames{t: f}
			w.frame(text, flush)
			f.Add(w.b.Bytes())
			f.Add(append(skippable(9), w.b.Bytes()[:w.b.Len()-3]...))
		}
	}
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append([]byte("\x28\xb5\x2f\xfd"), bytes.TrimPrefix(data, []byte("\x28\xb5\x2f\xfd"))...)
		must(t, os.WriteFile(path, data, 0o600))
		limits := extract.Limits{Size: 1 << 22}
		want := run(t, extractor(t, extract.Options{Workers: 1, Limits: limits}), extract.Walk(path))
		if got := run(t, extractor(t, extract.Options{Workers: 2, Limits: limits}), extract.Walk(path)); got != want {
			t.Errorf("not the same as with one worker: %s", firstOther(got, want))
		}
	})
}
