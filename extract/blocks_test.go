package extract_test

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	oldxz "github.com/ulikunitz/xz"

	"github.com/urlsift/urlsift/extract"
)

// Text in many small consecutive streams, or blocks. Each is as large as a small file,
// and may declare a window of any size.

// pieceLines is the number of lines of sample in a piece. testdata/piece.bz2 has as many.
const pieceLines = 66

// A blockKind makes text of n pieces, compressed separately or together.
type blockKind struct {
	name string
	many func(t testing.TB, n int) []byte
	one  func(t testing.TB, n int) []byte // a similar amount of text, in few blocks
}

// blockKinds has each compression that allows several streams in a row.
func blockKinds() []blockKind {
	var list []blockKind
	for _, format := range append(slices.Clone(packed), "lz4 legacy") {
		if format == "bzip2" {
			continue // below
		}
		packed := func(t testing.TB, text []byte) []byte {
			if format == "xz" { // the xz writer clears tables as large as its window
				return windowed(t, text, 64<<10)
			}
			return pack(t, format, text)
		}
		list = append(list, blockKind{format,
			func(t testing.TB, n int) []byte {
				var b []byte
				for piece := range slices.Chunk(slices.Collect(bytes.Lines(sample(n*pieceLines))), pieceLines) {
					b = append(b, packed(t, bytes.Join(piece, nil))...)
				}
				return b
			},
			func(t testing.TB, n int) []byte { return pack(t, format, sample(n*pieceLines)) },
		})
	}
	return append(list,
		blockKind{"xz, windows of 64 MiB", // the streams declare this window, but are much smaller
			func(t testing.TB, n int) []byte { return bytes.Repeat(wide(t, sample(pieceLines)), n) },
			func(t testing.TB, n int) []byte { return wide(t, sample(n*pieceLines)) }},
		blockKind{"bzip2",
			func(t testing.TB, n int) []byte { return bytes.Repeat(bzipped(t, "piece"), n) },
			func(t testing.TB, n int) []byte { return bytes.Repeat(bzipped(t, "lines"), n*pieceLines/4000) }},
	)
}

// wide compresses text with xz and a declared window of 64 MiB.
func wide(t testing.TB, text []byte) []byte {
	t.Helper()
	return windowed(t, text, 64<<20)
}

// windowed compresses text with xz and a declared window of that size.
func windowed(t testing.TB, text []byte, window int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := oldxz.WriterConfig{DictCap: window}.NewWriter(&b)
	must(t, err)
	_, err = w.Write(text)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func bzipped(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".bz2")
	must(t, err)
	return data
}

// TestBlocks reads many blocks of each kind. All references must be found.
func TestBlocks(t *testing.T) {
	skipRace(t)
	const n = 130
	for i, c := range blockKinds() {
		if !long && i%2 == 1 && c.name != "bzip2" {
			continue
		}
		for how, data := range map[string][]byte{"many": c.many(t, n), "one": c.one(t, n)} {
			want := n * pieceLines
			if c.name == "bzip2" && how == "one" {
				want = n * pieceLines / 4000 * 4000
			}
			urls, errs := read(t, extractor(t, extract.Options{Workers: 1}), data)
			if len(urls) != want || len(errs) > 0 {
				t.Errorf("%s, %s: %d references, want %d; %v", c.name, how, len(urls), want, errs)
			}
		}
	}
}

// TestBlocksMemory counts all allocations, with all streams in one source and with each in its own
// source. They may be at most three times the allocations for one block, plus 1 MiB.
func TestBlocksMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("counts what the race detector allocates")
	}
	n := 400
	if !long {
		n = 100
	}
	allocated := func(sources ...extract.Source) uint64 {
		x := extractor(t, extract.Options{Workers: 1})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for _, err := range x.Run(t.Context(), slices.Values(sources)) {
			must(t, err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for i, c := range blockKinds() {
		if !long && i%2 == 0 && c.name != "bzip2" {
			continue
		}
		one := allocated(memory("one", c.one(t, n)))
		many := allocated(memory("many", c.many(t, n)))
		files := allocated(slices.Repeat([]extract.Source{memory("file", c.many(t, 1))}, n)...)
		t.Logf("%s: %d KiB of one block, %d of %d, %d of as many files", c.name, one>>10, many>>10, n, files>>10)
		if most := 3*one + 1<<20; many > most || files > most {
			t.Errorf("%s: %d KiB of one block, %d of %d, %d of as many files", c.name, one>>10, many>>10, n, files>>10)
		}
	}
}

// TestBlocksLinear checks that four times as many blocks take at most eight times the time, and
// that many blocks take at most three times the time of as much text in few blocks.
func TestBlocksLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("takes its time")
	}
	const n = 128
	x := extractor(t, extract.Options{Workers: 1})
	read := func(data []byte) func() {
		return func() {
			for _, err := range x.Read(t.Context(), "data", bytes.NewReader(data)) {
				must(t, err)
			}
		}
	}
	for i, c := range blockKinds() {
		if !long && i%5 != 1 {
			continue
		}
		few, many := fourfold(t, c.name, n, 5, func(n int) func() { return read(c.many(t, n)) })
		one, reads := time.Hour, read(c.one(t, 4*n))
		for range 5 {
			start := clock()
			reads()
			if one = min(one, clock()-start); !long {
				break // this round is within the bound, and only the shortest counts
			}
		}
		t.Logf("%s: %v for %d, %v for %d, %v for one block", c.name, few, n, many, 4*n, one)
		if many > 3*one+20*time.Millisecond {
			t.Errorf("%s: %v for %d, %v for one block", c.name, many, 4*n, one)
		}
	}
}

// TestBlocksWindow checks that only one window is in memory, even if many streams declare one.
func TestBlocksWindow(t *testing.T) {
	if raceEnabled {
		t.Skip("watches memory")
	}
	data := bytes.Repeat(wide(t, sample(1)), 5000)
	found := 0
	most := watch(func() {
		for _, err := range extractor(t, extract.Options{Workers: 1}).Read(t.Context(), "data", bytes.NewReader(data)) {
			must(t, err)
			found++
		}
	})
	if t.Logf("%d KiB", most>>10); found != 5000 || most > 4<<20 {
		t.Errorf("%d references, %d KiB", found, most>>10)
	}
}
