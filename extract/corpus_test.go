package extract_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

var update = flag.Bool("update", false, "write fixtures/want again")

const fixtures = "../fixtures"

// corpus are the folders of fixtures that hold real text, and README files.
var corpus = []string{"logs", "mail", "spool", "text"}

// plain returns an Extractor that reads everything as running text. Therefore the expected results
// do not depend on the recognition of mail.
func plain(t testing.TB, workers int) *extract.Extractor {
	t.Helper()
	x, err := extract.New(extract.Options{Format: extract.Plain, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// inputs returns the paths of the corpus below fixtures, in lexical order.
func inputs(t testing.TB) (names []string) {
	t.Helper()
	for _, dir := range corpus {
		err := fs.WalkDir(os.DirFS(fixtures), dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && d.Name() != "README.md" {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// want returns the expected lines for a file of the corpus. A file without references has
// no file of expectations.
func want(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(fixtures, "want", name+".want"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// line describes a result as fixtures/README.md defines it: first the line that the
// command prints with -n --column, then what is special about it.
func line(r *extract.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d:%d:%s", r.Origin.Line, r.Origin.Column, r.URL)
	c := &r.Candidate
	if c.Form != delimit.Bare {
		fmt.Fprintf(&b, "\t%s", c.Form)
	}
	if c.Prefixed {
		b.WriteString("\tprefix")
	}
	if c.Breaks > 0 {
		fmt.Fprintf(&b, "\tbreaks=%d", c.Breaks)
	}
	if !bytes.Equal(c.Text, r.URL) {
		fmt.Fprintf(&b, "\ttext=%s", c.Text)
	}
	if len(c.Tail) > 0 {
		fmt.Fprintf(&b, "\ttail=%s", c.Tail)
	}
	for why, text := range c.Readings(nil) {
		if why != delimit.WithTail { // the line already contains the tail
			fmt.Fprintf(&b, "\t%s=%s", why, text)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// TestCorpus reads each file and compares the results with those that a person has checked. The
// bytes at the position of each result must be the reference, verbatim.
func TestCorpus(t *testing.T) {
	x := plain(t, 1)
	for _, name := range inputs(t) {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(fixtures, name))
			if err != nil {
				t.Fatal(err)
			}
			wide := strings.Contains(name, "-utf") // the raw bytes differ from the decoded text
			var got strings.Builder
			for r, err := range x.Read(t.Context(), name, bytes.NewReader(text)) {
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(line(r))
				o := r.Origin
				if there := text[o.Offset : o.Offset+o.Length]; !wide && !bytes.Equal(there, r.Candidate.Raw) {
					t.Errorf("%s: %q stands there, not %q", o, there, r.Candidate.Raw)
				}
				if n := int64(bytes.Count(text[:o.Offset], []byte("\n"))) + 1; !wide && o.Line != n {
					t.Errorf("%s: is in line %d", o, n)
				}
			}
			if *update {
				keep(t, name, got.String())
			}
			if diff := cmp.Diff(want(t, name), got.String()); diff != "" {
				t.Errorf("not as expected (-want +got):\n%s", diff)
			}
		})
	}
}

// keep writes found to the file of expected results.
func keep(t *testing.T, name, found string) {
	path := filepath.Join(fixtures, "want", name+".want")
	if found == "" {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(found), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCorpusWhole walks the folders with several workers. The results must be the same, in the
// order of the walk.
func TestCorpusWhole(t *testing.T) {
	var paths []string
	for _, dir := range corpus {
		paths = append(paths, filepath.Join(fixtures, dir))
	}
	for _, workers := range []int{1, 3} {
		var got strings.Builder
		for r, err := range plain(t, workers).Run(t.Context(), extract.Walk(paths...)) {
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(r.Origin.Source) != "README.md" {
				got.WriteString(filepath.ToSlash(r.Origin.Source) + ":" + line(r))
			}
		}
		var all strings.Builder
		for _, name := range inputs(t) {
			for l := range strings.Lines(want(t, name)) {
				all.WriteString(fixtures + "/" + name + ":" + l)
			}
		}
		if diff := cmp.Diff(all.String(), got.String()); diff != "" {
			t.Errorf("%d workers: not as expected (-want +got):\n%s", workers, diff)
		}
	}
}

// original returns the file of the corpus from which a compressed one was made.
func original(t *testing.T, packed string) string {
	for _, name := range inputs(t) {
		if strings.HasPrefix(packed, filepath.Base(name)+".") {
			return name
		}
	}
	t.Fatalf("%s is made of no file of the corpus", packed)
	return ""
}

// TestCompressed reads the compressed files. Results and offsets must be those of the uncompressed
// text, even if each Read returns few bytes.
func TestCompressed(t *testing.T) {
	x := plain(t, 1)
	files, err := filepath.Glob(filepath.Join(fixtures, "compressed", "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	skipRace(t)
	for _, file := range files {
		name := filepath.Base(file)
		if name == "README.md" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			expected := want(t, original(t, name))
			for _, r := range []*strings.Builder{
				found(t, x, bytes.NewReader(b)),
				found(t, x, iotest.OneByteReader(bytes.NewReader(b))),
				found(t, x, iotest.DataErrReader(bytes.NewReader(b))),
			} {
				if diff := cmp.Diff(expected, r.String()); diff != "" {
					t.Errorf("not as expected (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func found(t *testing.T, x *extract.Extractor, r interface{ Read([]byte) (int, error) }) *strings.Builder {
	t.Helper()
	var b strings.Builder
	for r, err := range x.Read(t.Context(), "stream", r) {
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(line(r))
	}
	return &b
}

// TestDamaged reads truncated and damaged files. The error is reported once, with the
// name of the file, and nothing in front of the damage is lost.
func TestDamaged(t *testing.T) {
	log := strings.SplitAfter(want(t, "logs/apache_combined_first300.log"), "\n")
	appendix := strings.SplitAfter(want(t, "text/appendix-e.txt"), "\n")
	for _, c := range []struct {
		name  string
		lines []string
		least float64 // the fraction of the lines that is in front of the damage
	}{
		{"checksum.gz", appendix, 1},
		{"cut.gz", log, 0.4},
		{"cut.zz", log, 0.4},
		{"cut.xz", log, 0.4},
		{"cut.lzma", log, 0.4},
		{"cut.multi.gz", log, 0.6},
		{"flipped.multi.gz", log, 0.6},
		{"cut.frames.zst", log, 0.6},
		{"flipped.frames.zst", log, 0.6},

		// In these files the damage is in the first block, or the checksum of a block
		// follows it.
		{"cut.bz2", log, 0},
		{"cut.sz", log, 0},
		{"flipped.zst", log, 0},
		{"flipped.lz4", log, 0},
		{"flipped.s2", log, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(fixtures, "damaged", c.name)
			n, failures, half := 0, 0, false
			for r, err := range plain(t, 2).Run(t.Context(), extract.Walk(path)) {
				if err != nil {
					var e *extract.Error
					if !errors.As(err, &e) || e.Origin.Source != path || e.Stage == "" {
						t.Errorf("error %#v (%v) does not say where", err, err)
					}
					failures++
					continue
				}
				if failures > 0 {
					t.Errorf("%q comes after the error", r.URL)
				}
				if half {
					t.Errorf("%q comes after half a reference", r.URL)
				}
				got, _, _ := strings.Cut(line(r), "\n")
				if n >= len(c.lines) || !strings.HasPrefix(c.lines[n], got) {
					t.Fatalf("result %d is %q, and not in the text there", n, got)
				}
				// If the damage is in a reference, the last result is its beginning.
				half = c.lines[n] != got+"\n"
				n++
			}
			if failures != 1 {
				t.Errorf("the error is reported %d times", failures)
			}
			if least := int(c.least * float64(len(c.lines)-1)); n < least {
				t.Errorf("%d results, want %d at least", n, least)
			}
		})
	}
}
