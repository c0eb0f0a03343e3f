package extract_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// blockWorkers are the numbers of workers that sameInBlocks tries.
var blockWorkers = []int{2, 3, 7}

// inTurn returns blockWorkers, or with the race detector only one of them: number i, counted round.
// A test of many texts passes the number of the text, so that each number of workers is used.
func inTurn(i int) []int {
	if raceEnabled {
		return blockWorkers[i%len(blockWorkers):][:1]
	}
	return blockWorkers
}

// listAll returns all results and errors of sources, one on each line.
func listAll(x *extract.Extractor, sources iter.Seq[extract.Source]) string {
	var b strings.Builder
	var line []byte
	for r, err := range x.Run(context.Background(), sources) {
		if err != nil {
			b.WriteString(errorLine(err))
			continue
		}
		line = appendLine(line[:0], r)
		b.Write(line)
	}
	return b.String()
}

// errorLine returns all fields of err on one line.
func errorLine(err error) string {
	var e *extract.Error
	errors.As(err, &e)
	return fmt.Sprintf("error: %v %+v\n", e, e.Origin)
}

// appendLine appends all fields of r on one line. With the verbs of fmt this takes a fifth of the time of all tests.
func appendLine(b []byte, r *extract.Result) []byte {
	f, o := &r.Candidate, &r.Origin
	for _, text := range [...]string{o.Source, o.Member, o.Part, o.MessageID, o.Date, o.Newsgroups, o.Subject, o.From, o.FromAddress, o.To, o.WARCTarget, o.WARCType, o.Field, r.Base} {
		b = appendText(b, text)
	}
	for _, text := range [...][]byte{f.Text, f.Ref, f.Raw, f.Tail, r.URL, r.Target} {
		b = appendText(b, text)
	}
	seconds, stamped := o.LogTime()
	parts := *(*[4]int64)(unsafe.Pointer(&r.Parts))
	for _, n := range [...]int64{
		int64(o.Message), o.Offset, o.Length, o.Line, o.Column, number(o.Exact), seconds, number(stamped),
		int64(f.Inner.Start), int64(f.Inner.End), int64(f.Outer.Start), int64(f.Outer.End), f.Line, f.Column, int64(f.Breaks), int64(f.Form), number(f.Prefixed), int64(f.By), int64(f.Others),
		parts[0], parts[1], parts[2], parts[3], int64(r.BaseSource), int64(r.Accepts), number(r.Valid), int64(r.Warnings()),
	} {
		b = append(strconv.AppendInt(b, n, 10), ' ')
	}
	if r.Err != nil {
		b = appendText(b, r.Err.Error())
	}
	for why, text := range f.Readings(nil) {
		b = appendText(strconv.AppendInt(b, int64(why), 10), text)
	}
	if clone := r.Clone(); !bytes.Equal(clone.URL, r.URL) || !bytes.Equal(clone.Candidate.Raw, f.Raw) || (clone.Candidate.Tail == nil) != (f.Tail == nil) {
		b = append(b, " not as its clone"...)
	}
	return append(b, '\n')
}

// appendText appends text in quotation marks and without line ends.
func appendText[T string | []byte](b []byte, text T) []byte {
	b = append(b, '"')
	start := len(b)
	b = append(b, text...)
	for i := start; i < len(b); i++ {
		if b[i] == '\n' {
			b[i] = 'n'
		} else if b[i] != '"' {
			continue
		}
		b = slices.Insert(b, i, '\\')
		i++
	}
	return append(b, "\" "...)
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// linger gives workers that have nothing else to do time to claim blocks.
func linger() { time.Sleep(20 * time.Microsecond) }

// disk returns s with some counts added together. If a limit or damage ends a source, each of them
// depends on the size of reads, and only their sum does not.
func disk(s extract.Stats) extract.Stats {
	s.StoredNotRead, s.StoredRead = s.StoredNotRead+s.StoredRead, 0
	return s
}

// firstDiffer returns the first line that differs.
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

// asFiles returns sources whose files are opened like big ones, even if they are small.
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

// TestCutFixtures reads all fixtures together, in small blocks.
func TestCutFixtures(t *testing.T) {
	sources := asFiles(extract.Walker{Hidden: true}.Walk(fixtures))
	var handed int64
	for i, size := range []int64{20000, 1000} {
		if !long && i > 0 {
			continue
		}
		for k, opts := range []extract.Options{
			{},
			{Format: extract.Plain, Refused: true, Delimit: delimit.Options{Extras: delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address}},
			{Format: extract.Plain, Limits: extract.Limits{Size: 5000}},
		} {
			if !long && k != 1 {
				continue
			}
			l := sameInBlocks(t, "fixtures", blockWorkers, opts, sources, int(size))
			handed += l
		}
	}
	t.Logf("%d blocks", handed)
	if handed == 0 {
		t.Errorf("%d blocks", handed)
	}
}

// textPieces are parts of opening brackets, wrapped references and long runs of one byte.
var textPieces = []string{
	"http://a.example/", "<http://b.example/x\n y>", "<URL:http://c.example/\nlong\n>", "\"http://d.example/\n  e\"", "<", "\"", "http://f/", ">", "\n", "\n", "\n\n", " ", "> ", "\n> ", "word ", "URL:", "<ht\ntp://g/>",
	"mailto:h@i.example", "Message-ID: <j@k.example>\n", " <1234567@l.example>\n", "www.m.example/n", "hxxp://o[.]example/", "p@q.example", "ü", "“http://r.example/s”", "'http://t.example/'",
	strings.Repeat("x", 70), strings.Repeat("word ", 30) + "\n", "http://u.example/" + strings.Repeat("v", 300), "http://w.example/" + strings.Repeat("x", 9000),
}

// TestCutRandom reads random texts in blocks that are smaller than their references.
func TestCutRandom(t *testing.T) {
	rounds := 100
	if !long {
		rounds = 12
	}
	var handed int64
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		var b bytes.Buffer
		if seed%5 == 0 {
			b.WriteString("\ufeff")
		}
		for n := 2000 + rnd.IntN(200000); b.Len() < n; {
			b.WriteString(textPieces[rnd.IntN(len(textPieces)-1+rnd.IntN(200)/199)])
		}
		opts := extract.Options{Refused: true, Format: extract.Plain}
		if seed%2 == 0 {
			opts.Delimit.Extras = delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address
		}
		if seed%3 == 0 {
			opts.Delimit.MaxLen = 500
		}
		l := sameInBlocks(t, fmt.Sprint("seed ", seed), inTurn(seed+seed/3), opts, stored(t, b.Bytes()), int(100+rnd.Int64N(2000)))
		handed += l
		if t.Failed() {
			break
		}
	}
	t.Logf("%d blocks", handed)
	if handed < 100 {
		t.Errorf("%d blocks", handed)
	}
}

// TestCutWrapped reads text with a wrapped reference across every place at which it could be cut. Each must
// be found once.
func TestCutWrapped(t *testing.T) {
	const size = 1000
	var b bytes.Buffer
	for i := 1; i <= 200; i++ {
		for b.Len() < i*size-80 {
			b.WriteString("some text in lines\n")
		}
		b.WriteString(strings.Repeat("-", i*size-9-b.Len()-i%30) + " ")
		fmt.Fprintf(&b, "<http://split.example/a-long-path/%d/and-\n  so-on/to-the-end>, ", i)
	}
	for _, workers := range []int{1, 2, 3, 7} {
		x := extractor(t, extract.Options{Workers: workers, Format: extract.Plain})
		x.SetBlocks(int(size), 1, linger)
		urls, errs := all(t, x.Run(t.Context(), stored(t, b.Bytes())))
		if len(urls) != 200 || errs != nil {
			t.Fatalf("%d workers: %d references, %v", workers, len(urls), errs)
		}
		for i, u := range urls {
			if want := fmt.Sprintf("http://split.example/a-long-path/%d/and-so-on/to-the-end", i+1); u != want {
				t.Errorf("%d workers: %s, want %s", workers, u, want)
			}
		}
	}
}

// TestCutOpen reads wrapped references that are longer than a block: none may be cut.
func TestCutOpen(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "<URL:http://a.example/%d/\n%s>\nthen http://b.example/%d in some text\n", i, strings.Repeat(strings.Repeat("x", 60)+"/\n", 20), i)
	}
	handed := sameInBlocks(t, "wrapped", blockWorkers, extract.Options{Format: extract.Plain}, stored(t, []byte(b.String())), 1000)
	if handed < 10 {
		t.Errorf("%d blocks", handed)
	}
}

// TestCutHostile reads texts in which hardly a place is neutral, or which look so.
func TestCutHostile(t *testing.T) {
	for name, text := range map[string]string{
		"a line":            strings.Repeat("a line without an end, and http://a.example/ in it ", 4000),
		"a run":             "http://a.example/\n" + strings.Repeat("x", 200000) + "\nhttp://b.example/",
		"a run of a scheme": "http://a.example/\nhttp://" + strings.Repeat("x", 200000) + "\nhttp://b.example/",
		"open brackets":     strings.Repeat("<http://a.example/x\n", 10000),
		"brackets":          strings.Repeat("<", 200000),
		"colons":            strings.Repeat(":", 200000),
		"prefixes":          strings.Repeat("<URL:\n", 30000),
		"breaks":            strings.Repeat("\n", 200000),
		"NUL":               strings.Repeat("\x00", 200000),
	} {
		t.Run(name, func(t *testing.T) {
			handed := sameInBlocks(t, name, blockWorkers, extract.Options{Format: extract.Plain, Refused: true}, stored(t, []byte(text)), 3000)
			t.Logf("%d blocks", handed)
		})
	}
}

// TestCutLeave leaves the loop at many items of a file that is read in blocks, ends
// its context, or panics. The counts must add up, and nothing may stay open.
func TestCutLeave(t *testing.T) {
	leaveUnits(t, sample(3000))
	leaveUnits(t, blocks(t, rand.New(rand.NewPCG(1, 7)), sample(3000), 1000))
}

// leaveUnits leaves the loop over data, in blocks.
func leaveUnits(t *testing.T, data []byte) {
	t.Helper()
	sources := stored(t, data)
	before := descriptors(t)
	for _, opts := range []extract.Options{{Workers: 2}, {Workers: 5}, {Workers: 3, Unordered: true}} {
		for after := 1; after <= 3000; after += 1 + after/3 {
			x := extractor(t, opts)
			x.SetBlocks(2000, 1, linger)
			x.SetBlocks(20_000, 1, linger)
			n := 0
			ctx, cancel := context.WithCancel(t.Context())
			func() {
				defer func() { _ = recover() }()
				for range x.Run(ctx, sources) {
					if n++; n == after {
						switch after % 3 {
						case 0:
							cancel()
							time.Sleep(time.Millisecond)
							continue
						case 1:
							panic("enough")
						}
						break
					}
				}
			}()
			cancel()
			if n < after || n > after && after%3 > 0 {
				t.Errorf("%+v: %d results, want %d", opts, n, after)
			}
			s := x.Stats()
			balanced(t, "left", s)
			if after%3 != 1 && s.StoredRead+s.StoredNotRead != int64(len(data)) {
				t.Errorf("%+v, left at %d: %d bytes read, %d left of %d", opts, after, s.StoredRead, s.StoredNotRead, len(data))
			}
		}
	}
	if after := descriptors(t); after > before+2 {
		t.Errorf("%d descriptors are open, %d before", after, before)
	}
}

// TestCutAmong reads files of all sizes together. Results from blocks must come at the
// position of their file.
func TestCutAmong(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d", i)), sample(i*i%17*100), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	handed := sameInBlocks(t, "files", blockWorkers, extract.Options{}, asFiles(extract.Walk(dir)), 5000)
	if handed < 50 {
		t.Errorf("%d blocks", handed)
	}
}

// TestCutChange reads a file that becomes shorter or longer while it is read. Missing
// bytes at its end are reported once.
func TestCutChange(t *testing.T) {
	for _, size := range []int64{30000, 300000} {
		path := filepath.Join(t.TempDir(), "data")
		must(t, os.WriteFile(path, sample(3000), 0o644))
		x := extractor(t, extract.Options{Workers: 4})
		x.SetBlocks(4000, 1, linger)
		n, reported := int64(0), 0
		for r, err := range x.Run(t.Context(), asFiles(extract.Walk(path))) {
			if err != nil {
				if reported++; !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Error(err)
				}
				continue
			}
			if n++; n != r.Origin.Line {
				t.Fatalf("line %d is the %d.", r.Origin.Line, n)
			}
			if n == 10 {
				if size < 100000 {
					must(t, os.Truncate(path, size))
				} else {
					must(t, os.WriteFile(path, sample(5000), 0o644))
				}
			}
		}
		if n < 300 || n > 5000 {
			t.Errorf("%d results", n)
		}
		if cut := n < 3000; cut && reported != 1 || !cut && reported != 0 {
			t.Errorf("%d results, %d errors", n, reported)
		}
	}
}

// TestCutSlowCaller reads a file whose first block has many results, and the others few, and files after it that fill all batches. The caller is slow, so workers are
// far ahead; one must be left for the blocks that come next.
func TestCutSlowCaller(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("http://a.example/\n", 500) + strings.Repeat("nothing in this line of text\n", 300_000) + "http://last.example/\n"
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte(text), 0o644))
	page := pack(t, "gzip", []byte("<html>"+strings.Repeat("<a href='http://b.example/'>b</a>\n", 10_000)))
	for i := range 3 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("b", i)), page, 0o644))
	}
	const want = 500 + 1 + 3*10_000
	for _, opts := range []extract.Options{{Workers: 2}, {Workers: 3}, {Workers: 2, Unordered: true}} {
		x := extractor(t, opts)
		x.SetBlocks(10_000, 1, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		n := 0
		for range x.Run(ctx, asFiles(extract.Walk(dir))) {
			if n++; n == 1 {
				time.Sleep(200 * time.Millisecond)
			}
		}
		if cancel(); n != want {
			t.Errorf("%+v: %d references, want %d", opts, n, want)
		}
	}
}

// mailOfFixtures returns all mail of fixtures as one mailbox, with attachments and lines that look like the
// beginning of a message. If without is not "", files that have it are left out.
func mailOfFixtures(t testing.TB, without string) []byte {
	var box bytes.Buffer
	for i, f := range everything(t) {
		b := contentOf(t, f)
		if len(b) > 60<<10 || strings.HasPrefix(f.name, "damaged") || without != "" && bytes.Contains(b, []byte(without)) {
			continue
		}
		switch i % 5 {
		case 0, 1, 2:
			box.WriteString("From a@b.example Mon Mar  1 10:00:00 1999\n")
		case 3:
			box.WriteString("From a@b.example\n")
		}
		box.Write(b)
		box.WriteString("\n\n"[:1+i%2])
		if i%10 == 0 {
			box.WriteString("From: x@y.example\nContent-Length: 2000\n\nFrom a@b.example Mon Mar  1 10:00:00 1999\n\n<http://")
		}
		if i%7 == 0 { // attach a compressed mailbox and a zip archive
			fmt.Fprintf(&box, "\nFrom c@d.example Mon Mar  1 10:00:00 1999\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/x-gzip; name=\"#7[1]x.gz\"\n"+
				"Content-Transfer-Encoding: base64\n\n%s\n--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n%s\n--b--\n\n",
				b64(string(pack(t, "gzip", []byte("From a@b.example Mon Mar  1 10:00:00 1999\nSubject: http://a.example/\n\nhttp://b.example/\n\nFrom a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\nhttp://c.example/\n")))),
				b64(zipped("x", "http://d.example/\nand http://e.example/")))
		}
	}
	return box.Bytes()
}

// TestCutMail reads such a mailbox in small blocks.
func TestCutMail(t *testing.T) {
	data := mailOfFixtures(t, "")
	var handed int64
	for i, size := range []int64{100000, 20000, 3000, 500} {
		if !long && i != 2 {
			continue
		}
		for _, opts := range []extract.Options{{Format: extract.Mbox, Refused: true}, {Format: extract.Mbox, Limits: extract.Limits{Size: int64(len(data) / 2)}}, {Format: extract.Rnews}} {
			l := sameInBlocks(t, "mailbox", blockWorkers, opts, stored(t, data), int(size))
			handed += l
		}
	}
	t.Logf("%d bytes, %d blocks", len(data), handed)
	if handed < 100 {
		t.Errorf("%d blocks", handed)
	}
}

// FuzzCut reads any text and mailbox in blocks, and compares with the results of one
// worker.
func FuzzCut(f *testing.F) {
	f.Add([]byte(strings.Repeat("see <http://a.example/b\n c>, \"http://d.example/\n e\"\n", 100)), uint16(300))
	f.Add([]byte("\ufeff"+strings.Repeat("http://a.example/ <URL:\nhttp://b.example/>\n\n", 80)), uint16(100))
	f.Add([]byte(strings.Repeat("From a@b.example Mon Mar  1 10:00:00 1999\nSubject: http://a.example/\n\n<http://b.example/>\n\n", 40)), uint16(200))
	path := filepath.Join(f.TempDir(), "data")
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		if len(data) > 100<<10 {
			return
		}
		must(t, os.WriteFile(path, data, 0o644))
		for _, format := range []extract.Format{extract.Plain, extract.Mbox, extract.Auto} {
			opts := extract.Options{Format: format, Refused: true, Workers: 1}
			opts.Delimit.Extras = delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address
			want := listAll(extractor(t, opts), asFiles(extract.Walk(path)))
			opts.Workers = 3
			x := extractor(t, opts)
			x.SetBlocks(16+int(size), 1, linger)
			if got := listAll(x, asFiles(extract.Walk(path))); got != want {
				t.Errorf("%v in blocks of %d: %s", format, 16+size, firstDiffer(got, want))
			}
		}
	})
}
