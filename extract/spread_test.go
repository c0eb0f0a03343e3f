package extract_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract"
)

// gzipMembers returns text as gzip members of random sizes up to most. Some are
// empty, and some hold what looks like a member.
func gzipMembers(t testing.TB, rnd *rand.Rand, text []byte, most int) []byte {
	t.Helper()
	var b bytes.Buffer
	for len(text) > 0 {
		level := gzip.DefaultCompression
		n := min(len(text), 1+rnd.IntN(most))
		piece := text[:n]
		text = text[n:]
		switch rnd.IntN(8) {
		case 0: // and as it stands
			level = gzip.NoCompression
			piece = append(bytes.Clone(piece), pack(t, "gzip", []byte("see http://false.example/ there\n"))...)
		case 1:
			b.Write(pack(t, "gzip", nil))
		}
		z, _ := gzip.NewWriterLevel(&b, level)
		_, _ = z.Write(piece)
		_ = z.Close()
	}
	return b.Bytes()
}

// zstdMembers is gzipMembers for frames of zstd.
func zstdMembers(t testing.TB, rnd *rand.Rand, text []byte, most int) (data []byte) {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		t.Fatal(err)
	}
	for len(text) > 0 {
		n := min(len(text), 1+rnd.IntN(most))
		piece := text[:n]
		text = text[n:]
		switch rnd.IntN(8) {
		case 0: // of chance bytes, which are left as they are
			noise := make([]byte, 300)
			for i := range noise {
				noise[i] = byte(rnd.Uint32())
			}
			piece = append(append(bytes.Clone(piece), noise...), pack(t, "zstd", []byte("see http://false.example/ there\n"))...)
		case 1:
			data = z.EncodeAll(nil, data)
		case 2:
			data = append(data, skippable(rnd.IntN(40))...)
		case 3:
			data = append(data, skippable(4)...)
		}
		data = z.EncodeAll(piece, data)
	}
	return data
}

// TestSpread reads files of many members with several workers: all is as with one.
func TestSpread(t *testing.T) {
	defer extract.HelpFrom(1 << 10)()
	rnd := rand.New(rand.NewPCG(1952, 8878))
	path := filepath.Join(t.TempDir(), "file")
	mbox := bytes.Repeat([]byte("From a@b Mon Jan  5 12:00:00 1998\nSubject: <http://a.example/\n b>\n\nsee <http://b.example/\nc> there\n\n"), 3000)
	for round := range 12 / stride() {
		text := sample(3000)
		if round%4 == 3 {
			text = mbox
		}
		most := []int{200, 2000, 65280}[round%3]
		defer extract.StretchesOf([]int64{300, 2000, 20000}[round/2%3])()
		data := gzipMembers(t, rnd, text, most)
		if round%2 == 1 {
			data = zstdMembers(t, rnd, text, most)
		}
		spoiled := bytes.Clone(data)
		spoiled[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
		for how, data := range map[string][]byte{
			"whole": data, "cut": data[:rnd.IntN(len(data))], "spoiled": spoiled,
			"padded": append(bytes.Clone(data), make([]byte, 70000)...), "trailing": append(bytes.Clone(data), "more"...),
			"parted": slices.Concat(data, make([]byte, 600), data),
		} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			var want string
			var stats extract.Stats
			for _, workers := range []int{1, 2, 3, 7} {
				x := extractor(t, extract.Options{Workers: workers})
				got := run(t, x, extract.Walk(path))
				now := x.Stats()
				if workers == 1 {
					want, stats = got, now
					continue
				}
				if sum := now.DiskBytes + now.DiskLeft; sum != int64(len(data)) {
					t.Errorf("round %d, %s, %d workers: %d bytes are read or left of %d", round, how, workers, sum, len(data))
				}
				now.DiskBytes, now.DiskLeft = stats.DiskBytes, stats.DiskLeft
				if got != want || now != stats {
					t.Errorf("round %d, %s, %d workers: not the same as with one: %s\n%+v\n%+v", round, how, workers, firstOther(got, want), now, stats)
				}
			}
		}
	}
	read, dropped := extract.SpreadJobs()
	t.Logf("%d stretches by helpers, %d dropped", read, dropped)
	if read == 0 || dropped == 0 {
		t.Errorf("%d stretches by helpers, %d dropped", read, dropped)
	}
}

// TestSpreadLeave leaves the loop over a file of members at several items, and ends
// it by a limit.
func TestSpreadLeave(t *testing.T) {
	defer extract.StretchesOf(2000)()
	rnd := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, gzipMembers(t, rnd, sample(5000), 3000), 0o600); err != nil {
		t.Fatal(err)
	}
	for leave := 1; leave < 5000; leave = 2*leave + 5 {
		n := 0
		for range extractor(t, extract.Options{Workers: 3}).Run(t.Context(), extract.Walk(path)) {
			if n++; n == leave {
				break
			}
		}
		if n != leave {
			t.Errorf("left at %d, want %d", n, leave)
		}
		limit := extract.Limits{Size: int64(leave * 60)}
		want := run(t, extractor(t, extract.Options{Workers: 1, Limits: limit}), extract.Walk(path, path))
		if got := run(t, extractor(t, extract.Options{Workers: 3, Limits: limit}), extract.Walk(path, path)); got != want {
			t.Errorf("to %d bytes: %s", limit.Size, firstOther(got, want))
		}
	}
}

// TestSpreadLong reads members that are longer than what is read before a worker is
// asked to read ahead: then one has a job, and no second helper.
func TestSpreadLong(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var data, text []byte
	for range 4 {
		text = text[:0]
		for i := range 8000 {
			for range 30 {
				text = fmt.Appendf(text, "%x ", rnd.Uint64())
			}
			text = fmt.Appendf(text, " http://h%d.example/%x\n", i, rnd.Uint64())
		}
		data = append(data, pack(t, "gzip", text)...)
	}
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, data, 0o600))
	rounds := 6
	if raceEnabled || testing.Short() {
		rounds = 1
	}
	one := extractor(t, extract.Options{Workers: 1})
	want := run(t, one, extract.Walk(path))
	for range rounds {
		for _, workers := range []int{3, 5} {
			x := extractor(t, extract.Options{Workers: workers})
			if got := run(t, x, extract.Walk(path)); got != want {
				t.Fatalf("%d workers: %s", workers, firstOther(got, want))
			}
			if x.Stats() != one.Stats() {
				t.Errorf("%d workers: %+v, want %+v", workers, x.Stats(), one.Stats())
			}
		}
	}
}

// TestSpreadFrames reads frames that have room in the ring of a job, some of them or
// none, that are too long to be taken whole, damaged, and all of them by turns.
func TestSpreadFrames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	lines := func(n int) (text []byte) { // a line of each 800 bytes is another
		for i := 0; len(text) < n; i++ {
			text = fmt.Appendf(text, "%s http://h%d.example/%x\n", bytes.Repeat([]byte("word "), 150), i, rnd.Uint64())
		}
		return text[:n]
	}
	noise := make([]byte, 3<<19)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	must(t, err)
	frame := func(text []byte) (sized, unsized []byte) {
		sized = z.EncodeAll(text, nil)
		b.Reset()
		z.Reset(&b)
		for len(text) > 0 {
			n := min(len(text), 90_000)
			_, err := z.Write(text[:n])
			must(t, err)
			must(t, z.Flush())
			text = text[n:]
		}
		must(t, z.Close())
		return sized, bytes.Clone(b.Bytes())
	}
	var kinds [][]byte
	for _, text := range [][]byte{lines(100), lines(1000), lines(300_000), lines(1_000_000), lines(1 << 20), lines(9 << 17), lines(9<<17 + 1), lines(5_000_000), noise} {
		sized, unsized := frame(text)
		kinds = append(kinds, sized, unsized)
	}
	path := filepath.Join(t.TempDir(), "file")
	for round := range 14 / stride() {
		var data []byte
		few := kinds[rnd.IntN(len(kinds)):]
		few = few[:min(len(few), 1+rnd.IntN(6))]
		for len(data) < 3_000_000/stride() && bytes.Count(data, few[0][:4]) < 40 {
			data = append(data, few[rnd.IntN(len(few))]...)
		}
		if round%4 == 3 {
			data[rnd.IntN(len(data))] ^= 1
		}
		must(t, os.WriteFile(path, data, 0o600))
		alone := extractor(t, extract.Options{Workers: 1})
		want, stats := run(t, alone, extract.Walk(path)), alone.Stats()
		for _, workers := range []int{2, 3} {
			x := extractor(t, extract.Options{Workers: workers})
			got, now := run(t, x, extract.Walk(path)), x.Stats()
			if sum := now.DiskBytes + now.DiskLeft; sum != int64(len(data)) {
				t.Errorf("round %d, %d workers: %d bytes are read or left of %d", round, workers, sum, len(data))
			}
			now.DiskBytes, now.DiskLeft = stats.DiskBytes, stats.DiskLeft
			if got != want || now != stats {
				t.Errorf("round %d, %d workers: not the same as with one: %s\n%+v\n%+v", round, workers, firstOther(got, want), now, stats)
			}
		}
	}
}

// TestSpreadFalse reads a file in each stretch of which a false frame stands, and
// before it one to be skipped that seems to have no end. No worker follows those far.
func TestSpreadFalse(t *testing.T) {
	const stretch = 128 << 10
	frame := pack(t, "zstd", []byte("see http://a.example/ there\n"))
	skip := []byte(zstdSkip + "\xff\xff\xff\xff")
	fake := append(pack(t, "zstd", []byte("false\n")), skip...)
	data := append(bytes.Clone(frame), frame...)
	for k := 1; k < 256; k++ {
		body := make([]byte, k*stretch+stretch/2-len(data)-8)
		copy(body[k*stretch+10-len(data)-8:], fake)
		data = binary.LittleEndian.AppendUint32(append(data, zstdSkip...), uint32(len(body)))
		data = append(append(data, body...), frame...)
	}
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, data, 0o600))
	want := run(t, extractor(t, extract.Options{Workers: 1}), extract.Walk(path))
	for range 3 {
		if got := run(t, extractor(t, extract.Options{Workers: 4}), extract.Walk(path)); got != want {
			t.Fatal(firstOther(got, want))
		}
	}
}

// zstdSkip begins a frame that is to be skipped; its length follows.
const zstdSkip = "\x50\x2a\x4d\x18"
