package benchmarks

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// size is the minimum length of a haystack. It is larger than the caches of a core, and small
// enough for many rounds.
const size = 8 << 20

// stacks are small haystacks, made of fixtures of the parent module. candidates is the number of
// candidates in one copy, results the number that the grammar accepts. Speeds can be compared only
// if these numbers are equal.
var stacks = []struct {
	name, file          string
	candidates, results int
}{
	{"prose", "text/pep/pep-0001.rst", 27, 27},
	{"news", "spool/example/uri/1", 11, 11},
	{"mail", "mail/spamassassin-tests/fp-bug6188-1", 127, 127},
	{"access", "logs/apache_combined_first300.log", 242, 242},
	{"chat", "logs/irc-ubuntu-2014-12-21.train-c.raw.txt", 99, 99},
	{"none", "spool/inn/6", 0, 0},
}

// haystack returns copies of a fixture, at least size bytes. A blank line separates the copies, so
// that no reference continues into the next copy.
func haystack(tb testing.TB, file string) (text []byte, copies int) {
	tb.Helper()
	one, err := os.ReadFile(filepath.Join("..", "fixtures", file))
	if err != nil {
		tb.Fatal(err)
	}
	one = append(one, "\n\n"...)
	copies = size/len(one) + 1
	return bytes.Repeat(one, copies), copies
}

// BenchmarkScanner measures delimit alone, over text in memory.
func BenchmarkScanner(b *testing.B) {
	for _, h := range stacks {
		b.Run(h.name, func(b *testing.B) {
			text, copies := haystack(b, h.file)
			scan(b, text, h.candidates*copies)
		})
	}
}

// BenchmarkHostile measures delimit over texts that are made to be slow.
func BenchmarkHostile(b *testing.B) {
	for _, h := range Hostiles {
		b.Run(h.Name, func(b *testing.B) {
			text, units := h.Text(1 << 20)
			scan(b, []byte(text), h.Per*units)
		})
	}
}

// scan measures a scanner over text, and fails if it does not find want
// candidates; a negative want is not checked.
func scan(b *testing.B, text []byte, want int) {
	r := bytes.NewReader(text)
	s := delimit.NewScanner(r, delimit.Options{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(text)
		s.Reset(r)
		n := 0
		var c delimit.Candidate
		for {
			err := s.Next(&c)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if want >= 0 && n != want {
			b.Fatalf("found %d candidates, want %d", n, want)
		}
	}
}

// references returns the text of every candidate in the haystacks, once.
func references(tb testing.TB) (refs []string, total int64) {
	for _, h := range stacks {
		text, err := os.ReadFile(filepath.Join("..", "fixtures", h.file))
		if err != nil {
			tb.Fatal(err)
		}
		for c, err := range delimit.NewScanner(bytes.NewReader(text), delimit.Options{}).All() {
			if err != nil {
				tb.Fatal(err)
			}
			refs = append(refs, string(c.Text))
			total += int64(len(c.Text))
		}
	}
	return refs, total
}

// BenchmarkSplit splits each reference of the haystacks into its five components.
func BenchmarkSplit(b *testing.B) {
	refs, total := references(b)
	b.SetBytes(total)
	b.ReportAllocs()
	var p uri.Parts
	for b.Loop() {
		for _, s := range refs {
			p = uri.Split(s)
		}
	}
	_ = p
}

// BenchmarkAccepts checks each reference by one grammar, and by all six at once.
func BenchmarkAccepts(b *testing.B) {
	refs, total := references(b)
	parts := make([]uri.Parts, len(refs))
	for i, s := range refs {
		parts[i] = uri.Split(s)
	}
	for _, g := range []uri.Grammar{uri.URI2002, uri.Every} {
		name := "all"
		if g != uri.Every {
			name = g.String()
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(total)
			b.ReportAllocs()
			for b.Loop() {
				for i, s := range refs {
					uri.Accepts(s, parts[i], g)
				}
			}
		})
	}
}

// BenchmarkExtract measures the way from a stream to results, without files.
func BenchmarkExtract(b *testing.B) {
	for _, h := range stacks {
		b.Run(h.name, func(b *testing.B) {
			text, copies := haystack(b, h.file)
			read(b, text, int64(len(text)), h.results*copies)
		})
	}
}

// BenchmarkCompressed is BenchmarkExtract over compressed streams. For comparison, it also measures
// decompression alone.
func BenchmarkCompressed(b *testing.B) {
	h := stacks[0]
	text, copies := haystack(b, h.file)
	for _, c := range []struct {
		name       string
		compress   func(io.Writer) (io.WriteCloser, error)
		decompress func(io.Reader) (io.ReadCloser, error)
	}{
		{"gzip",
			func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
			func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
		{"zstd",
			func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
			func(r io.Reader) (io.ReadCloser, error) {
				z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
				if err != nil {
					return nil, err
				}
				return z.IOReadCloser(), nil
			}},
	} {
		packed := pack(b, text, c.compress)
		b.Run(c.name+"/alone", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			buf := make([]byte, 64<<10)
			for b.Loop() {
				z, err := c.decompress(bytes.NewReader(packed))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, z, buf); err != nil {
					b.Fatal(err)
				}
				z.Close()
			}
		})
		b.Run(c.name+"/extract", func(b *testing.B) {
			read(b, packed, int64(len(text)), h.results*copies)
		})
	}
}

func pack(tb testing.TB, text []byte, open func(io.Writer) (io.WriteCloser, error)) []byte {
	var b bytes.Buffer
	w, err := open(&b)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// read measures an Extractor over a stream that holds n bytes of text, and
// fails if it does not yield want results.
func read(b *testing.B, stream []byte, n int64, want int) {
	x, err := extract.New(extract.Options{Format: extract.Plain, Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(n)
	b.ReportAllocs()
	for b.Loop() {
		got := 0
		for _, err := range x.Read(b.Context(), "haystack", bytes.NewReader(stream)) {
			if err != nil {
				b.Fatal(err)
			}
			got++
		}
		if got != want {
			b.Fatalf("yielded %d results, want %d", got, want)
		}
	}
}

// TestHaystacks checks the counts that the benchmarks expect, so that go test
// finds a change without a run of the benchmarks.
func TestHaystacks(t *testing.T) {
	x, err := extract.New(extract.Options{Format: extract.Plain, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range stacks {
		text, err := os.ReadFile(filepath.Join("..", "fixtures", h.file))
		if err != nil {
			t.Fatal(err)
		}
		candidates, results := 0, 0
		for _, err := range delimit.NewScanner(bytes.NewReader(text), delimit.Options{}).All() {
			if err != nil {
				t.Fatal(err)
			}
			candidates++
		}
		for _, err := range x.Read(t.Context(), h.name, bytes.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			results++
		}
		if candidates != h.candidates || results != h.results {
			t.Errorf("%s: %d candidates and %d results, want %d and %d", h.name, candidates, results, h.candidates, h.results)
		}
	}
}

// TestHostiles checks the counts of the texts that are made to be slow, at two sizes.
func TestHostiles(t *testing.T) {
	for _, h := range Hostiles {
		for _, n := range []int{1 << 10, 1 << 18} {
			text, units := h.Text(n)
			got := 0
			for _, err := range delimit.NewScanner(strings.NewReader(text), delimit.Options{}).All() {
				if err != nil {
					t.Fatal(err)
				}
				got++
			}
			if h.Per >= 0 && got != h.Per*units {
				t.Errorf("%s, %d bytes: %d candidates, want %d", h.Name, len(text), got, h.Per*units)
			}
		}
	}
}

// TestHostileMails checks that each text is a mailbox of at least one message, and that it is read
// to its end.
func TestHostileMails(t *testing.T) {
	x, err := extract.New(extract.Options{Format: extract.Mbox, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range HostileMails {
		for _, n := range []int{1 << 10, 1 << 16} {
			text, units := h.Text(n)
			if len(text) < n || len(text) != len(h.Head)+units*len(h.Unit) {
				t.Errorf("%s: %d bytes, %d units, want %d bytes", h.Name, len(text), units, n)
			}
			messages := 0
			for r, err := range x.Read(t.Context(), h.Name, strings.NewReader(text+"\nFrom a Thu Jan  1 00:00:00 1970\nFrom: a\n\nhttp://last/\n")) {
				if err == nil && string(r.URL) == "http://last/" {
					messages = r.Origin.Message
				}
			}
			if messages < 2 {
				t.Errorf("%s, %d bytes: the message after it is number %d", h.Name, n, messages)
			}
		}
	}
}
