package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// sameInUnits reads sources with one worker, and with several that share files in
// units of so many bytes, and wants all the same. It returns what became of the
// units.
func sameInUnits(t *testing.T, what string, opts extract.Options, sources iter.Seq[extract.Source], unit, warm int64) (linked, void int64) {
	t.Helper()
	opts.Workers = 1
	x := extractor(t, opts)
	want := run(t, x, sources)
	stats := disk(x.Stats())
	for _, workers := range []int{2, 3, 7} {
		opts.Workers = workers
		x := extractor(t, opts)
		x.SetUnits(unit, warm, linger)
		if got := run(t, x, sources); got != want {
			t.Errorf("%s, %d workers, units of %d: %s", what, workers, unit, firstDiffer(got, want))
		}
		if s := disk(x.Stats()); s != stats {
			t.Errorf("%s, %d workers, units of %d:\n got %+v\nwant %+v", what, workers, unit, s, stats)
		}
		l, v := x.Units()
		linked, void = linked+l, void+v
		opts.Unordered = true
		x = extractor(t, opts)
		x.SetUnits(unit, warm, linger)
		if got := run(t, x, sources); sorted(got) != sorted(want) {
			t.Errorf("%s, %d workers, units of %d, unordered: something else", what, workers, unit)
		}
		if s := disk(x.Stats()); s != stats {
			t.Errorf("%s, %d workers, units of %d, unordered:\n got %+v\nwant %+v", what, workers, unit, s, stats)
		}
		opts.Unordered = false
	}
	return linked, void
}

// linger lets workers that have nothing else to do claim units.
func linger() { time.Sleep(20 * time.Microsecond) }

// disk returns s with what depends on how much is read at once taken together: where
// a limit ends a source, or damage.
func disk(s extract.Stats) extract.Stats {
	s.DiskLeft, s.DiskBytes = s.DiskLeft+s.DiskBytes, 0
	return s
}

// firstDiffer shows the first line that is not the same.
func firstDiffer(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if a, b := at(g, i), at(w, i); a != b {
			return fmt.Sprintf("line %d of %d is %q, want %q of %d", i, len(g), a, b, len(w))
		}
	}
	return ""
}

// stored writes data to a file and returns it as a source.
func stored(t testing.TB, data []byte) iter.Seq[extract.Source] {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return asFiles(extract.Walk(path))
}

// asFiles returns sources whose files are opened as big ones are, however small.
func asFiles(sources iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for src := range sources {
			src.Open = func() (io.ReadCloser, error) { return os.Open(src.Name) }
			if !yield(src) {
				return
			}
		}
	}
}

// TestUnitsFixtures reads all fixtures together, in small units.
func TestUnitsFixtures(t *testing.T) {
	sources := asFiles(extract.Walker{Hidden: true}.Walk(fixtures))
	var linked, void int64
	for i, unit := range []int64{300, 1000, 4096, 20000} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		for _, opts := range []extract.Options{
			{},
			{Format: extract.Plain, Refused: true, Delimit: delimit.Options{Extras: delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address}},
			{Format: extract.Plain, Limits: extract.Limits{Size: 5000}},
		} {
			l, v := sameInUnits(t, "fixtures", opts, sources, unit, 2000)
			linked, void = linked+l, void+v
		}
	}
	t.Logf("%d units linked, %d void", linked, void)
	if linked < 1000 || void < 100 {
		t.Errorf("%d units linked, %d void", linked, void)
	}
}

// unitPieces are what openers, wrapped references and long runs are made of.
var unitPieces = []string{
	"http://a.example/", "<http://b.example/x\n y>", "<URL:http://c.example/\nlong\n>", "\"http://d.example/\n  e\"", "<", "\"", "http://f/", ">", "\n", "\n", "\n\n", " ", "> ", "\n> ", "word ", "URL:", "<ht\ntp://g/>",
	"mailto:h@i.example", "Message-ID: <j@k.example>\n", " <1234567@l.example>\n", "www.m.example/n", "hxxp://o[.]example/", "p@q.example", "ü", "“http://r.example/s”", "'http://t.example/'",
	strings.Repeat("x", 70), strings.Repeat("word ", 30) + "\n", "http://u.example/" + strings.Repeat("v", 300), "http://w.example/" + strings.Repeat("x", 9000),
}

// TestUnitsRandom reads random texts in units that are smaller than what stands in
// them.
func TestUnitsRandom(t *testing.T) {
	rounds := 100
	if raceEnabled || testing.Short() {
		rounds = 30
	}
	var linked, void int64
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		var b bytes.Buffer
		if seed%5 == 0 {
			b.WriteString("\ufeff")
		}
		for n := 2000 + rnd.IntN(200000); b.Len() < n; {
			b.WriteString(unitPieces[rnd.IntN(len(unitPieces)-1+rnd.IntN(200)/199)])
		}
		opts := extract.Options{Refused: true, Format: extract.Plain}
		if seed%2 == 0 {
			opts.Delimit.Extras = delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address
		}
		if seed%3 == 0 {
			opts.Delimit.MaxLen = 500
		}
		l, v := sameInUnits(t, fmt.Sprint("seed ", seed), opts, stored(t, b.Bytes()), 100+rnd.Int64N(2000), 600+rnd.Int64N(3000))
		linked, void = linked+l, void+v
		if t.Failed() {
			break
		}
	}
	t.Logf("%d units linked, %d void", linked, void)
	if linked < 100 || void < 100 {
		t.Errorf("%d units linked, %d void", linked, void)
	}
}
