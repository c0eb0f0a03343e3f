package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract"
)

// The same content, read in different ways, must give the same results. Each test says
// what may differ.

// everything returns the names and contents of all files of fixtures that are text, mail
// or compressed.
func everything(t testing.TB) (files []mailFile) {
	t.Helper()
	for _, dir := range []string{"mail", "mailbox", "spool", "logs", "text", "delimit", "compressed", "damaged"} {
		err := fs.WalkDir(os.DirFS(fixtures), dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, mailFile{name, filepath.Join(fixtures, name)})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func contentOf(t testing.TB, f mailFile) []byte {
	t.Helper()
	b, err := os.ReadFile(f.path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSameByWorkers reads everything with one worker and with eight.
func TestSameByWorkers(t *testing.T) {
	sources := extract.Walker{Hidden: true}.Walk(fixtures)
	want := run(t, extractor(t, extract.Options{Workers: 1, Refused: true}), sources)
	if n := strings.Count(want, "\n"); n < 10000 {
		t.Fatalf("%d lines only", n)
	}
	for _, unordered := range []bool{false, true} {
		got := run(t, extractor(t, extract.Options{Workers: 8, Refused: true, Unordered: unordered}), sources)
		if !unordered && got != want || sorted(got) != sorted(want) {
			t.Errorf("eight workers find something else (unordered: %v)", unordered)
		}
	}
}

// TestSameByReads reads each file at once, byte by byte, in halves, and with io.EOF
// together with the last bytes.
func TestSameByReads(t *testing.T) {
	skipRace(t)
	x := extractor(t, options(0x38))
	for _, f := range everything(t) {
		data := contentOf(t, f)
		want := survey(t, x, bytes.NewReader(data), 0)
		want.sound(t, options(0x38), slowly(data).raw) // in which every line ends with LF
		for how, r := range map[string]io.Reader{
			"bytes":  iotest.OneByteReader(bytes.NewReader(data)),
			"halves": iotest.HalfReader(bytes.NewReader(data)),
			"end":    iotest.DataErrReader(bytes.NewReader(data)),
		} {
			if how == "bytes" && len(data) > 100<<10 {
				continue
			}
			if d := survey(t, x, r, 0).differ(want); d != "" {
				t.Errorf("%s by %s: %s", f.name, how, d)
			}
		}
	}
}

// TestSameInContainers puts each file in containers that keep it unchanged, and nests these.
// Positions in the text, and numbers of messages and parts, must be equal. bzip2 is left out,
// because TestCompressed covers it.
func TestSameInContainers(t *testing.T) {
	skipRace(t)
	var wraps []container
	for _, c := range containers {
		if c.true {
			wraps = append(wraps, c)
		}
	}
	// Each layer halves the window size that is allowed for the streams inside it.
	x := extractor(t, extract.Options{Refused: true, Limits: extract.Limits{Window: 1 << 30}})
	for i, f := range everything(t) {
		data := contentOf(t, f)
		if len(data) > 64<<10 || !long && i%5 > 0 {
			continue
		}
		want := survey(t, x, bytes.NewReader(data), 0)
		for k := range 2 {
			inner, outer := wraps[(i+5*k)%len(wraps)], wraps[(i/2+k)%len(wraps)]
			got := survey(t, x, bytes.NewReader(outer.wrap(t, inner.wrap(t, data))), 0)
			if !slices.Equal(got.places(), want.places()) || len(got.failures) != len(want.failures) {
				t.Errorf("%s, %s in %s: %d results, %q; by itself %d, %q", f.name, inner.name, outer.name, len(got.lines), got.failures, len(want.lines), want.failures)
			}
		}
	}
}

// placed describes a result relative to its message. It is compared where the stream around the
// message differs.
func placed(r *extract.Result, o extract.Origin) string {
	return fmt.Sprintf("%d+%d %d:%d %v [%s] %s %q %q %q: %s %q %q %q", o.Offset, o.Length, o.Line, o.Column, o.Exact, o.Part, o.Field, o.MessageID, o.Date, o.Newsgroups,
		r.Candidate.Form, r.Candidate.Text, r.URL, r.Target)
}

// TestSameByFraming reads messages as files, as a maildir, as a mailbox, as a batch, and
// in archives of these. The results must be equal, except for the beginning of the
// stream. Messages that cannot be in a mailbox unchanged are left out: those with From_
// lines or a wrong Content-Length.
func TestSameByFraming(t *testing.T) {
	skipRace(t)
	x := extractor(t, extract.Options{Refused: true, Workers: 1})
	var messages [][]byte
	var want [][]string
	for _, f := range mailFiles(t) {
		b := f.content(t)
		low := bytes.ToLower(b)
		if slowly(b).framing != "single" || len(b) > 100<<10 || bytes.Contains(low, []byte("content-length:")) || bytes.Contains(low, []byte("lines:")) ||
			bytes.HasPrefix(b, []byte(">From ")) || bytes.Contains(b, []byte("\nFrom ")) || bytes.Contains(b, []byte(">From ")) || !bytes.HasSuffix(b, []byte("\n")) ||
			bytes.Contains(b, []byte("\x01\x01\x01\x01")) || bytes.Contains(b, []byte("#! rnews")) || bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
			continue
		}
		var lines []string
		one := survey(t, x, bytes.NewReader(b), 0)
		for i := range one.results {
			r := &one.results[i]
			if r.Origin.Message != 1 && r.Origin.Member == "" {
				break
			}
			if r.Origin.Member == "" {
				lines = append(lines, placed(r, r.Origin))
			}
		}
		messages, want = append(messages, b), append(want, lines)
	}
	if len(messages) < 100 {
		t.Fatalf("%d messages only", len(messages))
	}

	dir := t.TempDir()
	box, batch, mmdf := new(bytes.Buffer), new(bytes.Buffer), new(bytes.Buffer)
	begins := map[string][]int64{}
	var files []string
	for i, m := range messages {
		box.WriteString("From a@b.example Mon Mar  1 10:00:00 1999\n")
		begins["mbox"] = append(begins["mbox"], int64(box.Len()))
		box.Write(m)
		box.WriteString("\n")
		fmt.Fprintf(batch, "#! rnews %d\n", len(m))
		begins["rnews"] = append(begins["rnews"], int64(batch.Len()))
		batch.Write(m)
		mmdf.WriteString("\x01\x01\x01\x01\n")
		begins["mmdf"] = append(begins["mmdf"], int64(mmdf.Len()))
		mmdf.Write(m)
		mmdf.WriteString("\x01\x01\x01\x01\n")
		name := fmt.Sprintf("%05d", i)
		if err := os.MkdirAll(filepath.Join(dir, "cur"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "cur", name), m, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, name, string(m))
	}
	check := func(how string, got [][]string) {
		t.Helper()
		bad := 0
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				if bad++; bad <= 3 {
					head, _, _ := bytes.Cut(messages[i], []byte("\n\n"))
					for k := range max(len(got[i]), len(want[i])) {
						if a, b := at(got[i], k), at(want[i], k); a != b {
							t.Errorf("%s, message %d: %s\nby itself %s\n%.300q", how, i+1, a, b, head)
							break
						}
					}
				}
			}
		}
	}
	for how, data := range map[string][]byte{"mbox": box.Bytes(), "rnews": batch.Bytes(), "mmdf": mmdf.Bytes()} {
		got := make([][]string, len(messages))
		s := survey(t, x, bytes.NewReader(data), 0)
		for i := range s.results {
			r := &s.results[i]
			o := r.Origin
			if o.Member != "" {
				continue
			}
			if o.Message < 1 || o.Message > len(messages) {
				t.Fatalf("%s: %v", how, o)
			}
			begin := begins[how][o.Message-1]
			o.Line -= int64(bytes.Count(data[:begin], []byte("\n")))
			o.Offset -= begin
			got[o.Message-1] = append(got[o.Message-1], placed(r, o))
		}
		check(how, got)
	}
	for how, sources := range map[string][]extract.Source{
		"maildir": slices.Collect(extract.Walk(dir)), "tar": {memory("x", []byte(tarred(files...)))}, "zip": {memory("x", []byte(zipped(files...)))},
	} {
		got := make([][]string, len(messages))
		for r, err := range x.Run(t.Context(), slices.Values(sources)) {
			if err != nil {
				continue
			}
			o, i := r.Origin, 0
			if name := o.Member; how != "maildir" {
				if strings.Contains(name, "!") {
					continue
				}
				fmt.Sscanf(name, "%d", &i)
			} else if name != "" {
				continue
			} else {
				fmt.Sscanf(filepath.Base(o.Source), "%d", &i)
			}
			got[i] = append(got[i], placed(r, o))
		}
		check(how, got)
	}
}

// TestSameByLineEnds reads files with LF and with CRLF. Lines, columns and texts must be
// equal; an offset is greater by one for each earlier line, a length for each line break
// in it. Files that depend on byte counts are left out.
func TestSameByLineEnds(t *testing.T) {
	skipRace(t)
	x := extractor(t, extract.Options{Workers: 1})
	compared := 0
	for _, f := range everything(t) {
		b := contentOf(t, f)
		_, packed := slowOpen(b)
		low := bytes.ToLower(b)
		if packed || bytes.Contains(b, []byte("\r")) || bytes.Contains(b, []byte("#! ")) || bytes.Contains(b, []byte{0}) || strings.HasPrefix(f.name, "compressed") || strings.HasPrefix(f.name, "damaged") ||
			bytes.Contains(low, []byte("content-length:")) {
			continue
		}
		crlf := bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
		lf, other := survey(t, x, bytes.NewReader(b), 0), survey(t, x, bytes.NewReader(crlf), 0)
		list := func(s *sight, within []byte) (all []string) {
			for i := range s.results {
				r := &s.results[i]
				o := r.Origin
				if o.Member != "" {
					continue
				}
				n := int64(bytes.Count(within[:o.Offset], []byte("\n")))
				k := int64(bytes.Count(within[o.Offset:o.Offset+o.Length], []byte("\n")))
				if s == lf {
					o.Offset, o.Length = o.Offset+n, o.Length+k
				}
				all = append(all, placed(r, o))
			}
			return all
		}
		want, got := list(lf, b), list(other, crlf)
		compared += len(want)
		for k := range max(len(got), len(want)) {
			if a, b := at(got, k), at(want, k); a != b {
				t.Errorf("%s: with CRLF %s\nwith LF %s", f.name, a, b)
				break
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d results only", compared)
	}
}

// TestSpoiled flips, removes, doubles, inserts and moves bytes in files of fixtures, and reads them
// with random options and the checks of probe. The number of a case is its seed, so a failing case
// can be repeated. URLSIFT_LONG=full tries a hundred times as many.
func TestSpoiled(t *testing.T) {
	files := everything(t)
	n := 1200
	switch {
	case full:
		n *= 100
	case raceEnabled:
		n /= 15
	case !long:
		n /= 3
	}
	for seed := range n {
		rnd := rand.New(rand.NewPCG(uint64(seed), 3986))
		f := files[rnd.IntN(len(files))]
		data := contentOf(t, f)
		if len(data) > 12<<10 { // use a piece, more often from the beginning
			from := rnd.IntN(2) * rnd.IntN(len(data)-12<<10)
			data = data[from : from+12<<10]
		}
		var done []string
		for range 1 + rnd.IntN(4) {
			var how string
			other := contentOf(t, files[rnd.IntN(len(files))])
			data, how = spoil(rnd, data, other)
			done = append(done, how)
		}
		bits := uint16(rnd.UintN(1 << 16))
		if rnd.IntN(2) == 0 {
			bits = 0x38
		}
		probe(t, options(bits), data, rnd.IntN(40))
		if t.Failed() {
			t.Fatalf("seed %d: %s, options %#x, %s", seed, f.name, bits, strings.Join(done, ", "))
		}
	}
}

// spoil returns data with one kind of damage, and its description.
func spoil(rnd *rand.Rand, data, other []byte) ([]byte, string) {
	i := rnd.IntN(len(data) + 1)
	j := min(len(data), i+1+rnd.IntN(200))
	switch rnd.IntN(6) {
	case 0:
		if i < len(data) {
			data = bytes.Clone(data)
			data[i] ^= 1 << rnd.IntN(8)
		}
		return data, fmt.Sprintf("flipped at %d", i)
	case 1:
		return slices.Concat(data[:i], data[j:]), fmt.Sprintf("%d cut out at %d", j-i, i)
	case 2:
		return slices.Concat(data[:j], data[i:]), fmt.Sprintf("%d doubled at %d", j-i, i)
	case 3:
		return data[:j], fmt.Sprintf("cut at %d", j)
	case 4:
		junk := make([]byte, rnd.IntN(40))
		for k := range junk {
			junk[k] = byte(rnd.UintN(256))
		}
		return slices.Concat(data[:i], junk, data[i:]), fmt.Sprintf("%d inserted at %d", len(junk), i)
	}
	k := rnd.IntN(len(other) + 1)
	l := min(len(other), k+rnd.IntN(2000))
	return slices.Concat(data[:i], other[k:l], data[i:]), fmt.Sprintf("%d of another file inserted at %d", l-k, i)
}
