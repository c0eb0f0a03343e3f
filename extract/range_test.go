package extract_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// inRange returns the file with that path as a source of which r is read.
func inRange(path string, r *extract.Range) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for src := range asFiles(extract.Walk(path)) {
			src.Range = r
			yield(src)
		}
	}
}

// rangesAt returns the ranges of a file of size bytes, cut at the offsets cuts.
func rangesAt(size int64, cuts []int64) (ranges []extract.Range) {
	slices.Sort(cuts)
	from := int64(0)
	for _, at := range slices.Compact(cuts) {
		if at > from && at < size {
			ranges = append(ranges, extract.Range{Begin: from, End: at})
			from = at
		}
	}
	return append(ranges, extract.Range{Begin: from})
}

// A rangeTest reads a file whole, and in ranges.
type rangeTest struct {
	opts  extract.Options
	path  string
	size  int64
	want  string
	stats extract.Stats
	parts int // that are not empty
	near  int64
	made  [3]*extract.Extractor // with so many workers
}

// newRangeTest reads a file with that content.
func newRangeTest(t testing.TB, path string, data []byte, opts extract.Options) *rangeTest {
	t.Helper()
	must(t, os.WriteFile(path, data, 0o644))
	when := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	must(t, os.Chtimes(path, when, when))
	r := &rangeTest{opts: opts, path: path, size: int64(len(data)), near: 20 << 10}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		r.near = 1000
	}
	r.opts.Workers = 1
	x := extractor(t, r.opts)
	r.want = listAll(x, inRange(path, nil))
	r.stats = disk(x.Stats())
	return r
}

// check reads the file in these ranges, which must find the same. If measured is set, each range gets the numbers in
// front of it.
func (r *rangeTest) check(t testing.TB, what string, ranges []extract.Range, workers int, measured bool) {
	t.Helper()
	x := r.made[workers]
	if x == nil {
		opts := r.opts
		opts.Workers = workers
		x = extractor(t, opts)
		x.SetNeutralBefore(r.near)
		r.made[workers] = x
	}
	before := x.Stats()
	var got strings.Builder
	var at int64
	var sum extract.Numbers
	for _, one := range ranges {
		if measured {
			for src := range inRange(r.path, &one) {
				part, err := x.Measure(context.Background(), src)
				if err != nil {
					t.Fatalf("%s, %v: %v", what, one, err)
				}
				if part.Begin != at && (part.Text > 0 || part.Compressed) {
					t.Errorf("%s, %v: begins at %d, want %d", what, one, part.Begin, at)
				}
				if at = max(at, part.End); part.Text > 0 {
					r.parts++
				}
				in := sum
				one.InFront = &in
				sum.Lines, sum.Messages, sum.Text = sum.Lines+part.Lines, sum.Messages+part.Messages, sum.Text+part.Text
			}
		}
		got.WriteString(listAll(x, inRange(r.path, &one)))
	}
	if measured && at != r.size {
		t.Errorf("%s: ends at %d of %d", what, at, r.size)
	}
	if got.String() != r.want {
		t.Errorf("%s: %s", what, firstDiffer(got.String(), r.want))
	}
	if stats := disk(since(x.Stats(), before)); stats != r.stats {
		t.Errorf("%s:\n got %+v\nwant %+v", what, stats, r.stats)
	}
}

// random checks some divisions.
func (r *rangeTest) random(t testing.TB, what string, rnd *rand.Rand, n int) {
	t.Helper()
	for i := range n {
		var cuts []int64
		for range 1 + rnd.IntN(6) {
			cuts = append(cuts, rnd.Int64N(r.size+1))
		}
		ranges := rangesAt(r.size, cuts)
		if r.check(t, fmt.Sprint(what, ", ", ranges), ranges, 1+i%2, i%3 > 0); t.Failed() {
			return
		}
	}
}

// rangeExtras are options that join or find more across lines.
var rangeExtras = []delimit.Extra{0, delimit.Rejoin, delimit.Address | delimit.Abbreviated, delimit.Defanged, delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address}

// TestRangeRandom reads random texts and mailboxes in random ranges.
func TestRangeRandom(t *testing.T) {
	rounds := 25
	switch {
	case full:
		rounds = 400
	case long:
		rounds = 150
	}
	each := 4
	if long {
		each = 8
	}
	path := filepath.Join(t.TempDir(), "data")
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 39))
		kinds := []string{"log", "text", "mbox", "pieces", "line"}
		kind := kinds[seed%len(kinds)]
		var b bytes.Buffer
		if seed%7 == 0 {
			b.WriteString("\ufeff")
		}
		for i := 0; b.Len() < 3000+rnd.IntN(40000); i++ {
			if kind == "pieces" {
				b.WriteString(textPieces[rnd.IntN(len(textPieces)-1)])
			} else {
				b.Write(growths[kind](rnd, i))
			}
		}
		opts := extract.Options{Refused: true, LogTimes: seed%2 == 0}
		opts.Delimit.Extras = rangeExtras[seed%len(rangeExtras)]
		if seed%3 == 0 {
			opts.Delimit.MaxLen = 300
		}
		if kind == "pieces" {
			opts.Format = extract.Plain
		}
		data := b.Bytes()
		if seed%4 == 1 && kind != "line" {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		if seed%4 == 2 {
			data = data[:len(data)-1-rnd.IntN(40)]
		}
		if seed%6 == 0 || seed%5 == 3 { // as gzip members, BGZF, or zstd frames
			opts.Delimit.MaxLen = 300
			data = [...]func(testing.TB, *rand.Rand, []byte, int) []byte{gzipMembers, blocks, zstdMembers, unsized}[seed/3%4](t, rnd, data, 2000)
		}
		if seed%6 == 5 {
			opts.Limits.Size = int64(len(data) / 2)
		}
		r := newRangeTest(t, path, data, opts)
		if r.random(t, fmt.Sprint("seed ", seed, " ", kind), rnd, each); t.Failed() {
			return
		}
	}
}

// TestRangeEach cuts short texts and mailboxes at each offset; without URLSIFT_LONG=full at some.
func TestRangeEach(t *testing.T) {
	const from = "From a@b.example Mon Mar  1 10:00:00 1999\n"
	path := filepath.Join(t.TempDir(), "data")
	for i, text := range []string{
		"",
		"http://a.example/",
		"\ufeffhttp://a.example/ <http://b.example/\n c>\n\nhttp://d.example/x\nhttp://e.example/\n\"http://f.example/\nmore\"\nwww.g.example/\n",
		strings.Repeat("{\"u\":\"http://a.example/\",\"v\":\"<x\"}\n", 8),
		"2026-03-04 05:06:07 http://a.example/\r\nMar 04 05:06:08 http://b.example/\r\n\r\n<http://c.example/\r\nd>\r\n",
		from + "Subject: http://a.example/\nContent-Length: 20\n\nhttp://b.example/xy\n\n" + from + "Subject: x\n\n<http://c.example/\nd>\n\n" + from + "\nhttp://e.example/\n",
		"\n\n" + from + "Content-Length: 90\n\n" + from + "Subject: x\n\nhttp://a.example/\n\n" + from + "\n",
		from + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n\nFrom here on then\nX-Y: http://b.example/\n\nx\n\nFrom a@b\nSubject: http://c.example/\n\n--b--\n\n" + from + "Date: Mon, 1 Mar 1999 10:00:00 +0000\n\nhttp://d.example/",
	} {
		for _, data := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			for _, extras := range []delimit.Extra{0, rangeExtras[len(rangeExtras)-1]} {
				r := newRangeTest(t, path, []byte(data), extract.Options{Refused: true, LogTimes: true, Subjects: true, Delimit: delimit.Options{Extras: extras}})
				step := int64(11)
				switch {
				case full:
					step = 1
				case long:
					step = 2
				}
				for at := int64(i) % step; at < r.size; at += step {
					ranges := rangesAt(r.size, []int64{at, at + 1, (at + r.size) / 2})
					r.check(t, fmt.Sprintf("text %d, %v", i, ranges), ranges, 1+int(at%2), at%3 > 0)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestRangeMail reads the mail of fixtures in ranges, as one mailbox.
func TestRangeMail(t *testing.T) {
	data := mailOfFixtures(t, "pkcs7-mime") // the place of a warning about the coding of a signed message depends on the size of reads
	rnd := rand.New(rand.NewPCG(1, 39))
	rounds := 4
	switch {
	case full:
		rounds = 100
	case long:
		rounds = 30
	}
	path := filepath.Join(t.TempDir(), "data")
	for _, opts := range []extract.Options{{Format: extract.Mbox, Refused: true}, {Format: extract.Mbox, Limits: extract.Limits{Size: int64(len(data) / 2)}}, {Format: extract.Mbox, Subjects: true, MessageIDs: true}} {
		r := newRangeTest(t, path, data, opts)
		if r.random(t, "mailbox", rnd, rounds); r.parts < rounds {
			t.Errorf("only %d parts are not empty", r.parts)
		}
	}
}

// TestRangeRecords reads web archives in ranges: plain, with a gzip member for each record, as BGZF, and damaged.
func TestRangeRecords(t *testing.T) {
	rounds, each := 12, 4
	switch {
	case full:
		rounds, each = 200, 8
	case long:
		rounds, each = 60, 8
	}
	path := filepath.Join(t.TempDir(), "data")
	parts := 0
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 39))
		kind := [...]string{"plain", "members", "damaged", "BGZF", "zstd"}[seed%5]
		var data, text []byte
		for i := 0; len(text) < 20_000+rnd.IntN(40_000); i++ {
			record := growths["warc"](rnd, i)
			if rnd.IntN(3) == 0 { // a record whose block has one, and one whose text is binary
				inner := warcRecord("response", "http://inner.example/", "text/plain", "http://in.example/") + string(pack(t, "gzip", record))
				record = append(record, warcRecord("resource", fmt.Sprint("http://b.example/", i), "text/plain", "see http://c.example/ and\r\n\r\n"+inner+strings.Repeat("words\n", rnd.IntN(900)))...)
			}
			text = append(text, record...)
			data = append(data, pack(t, "gzip", record)...)
		}
		switch kind {
		case "plain":
			data = text
		case "damaged":
			for range 1 + rnd.IntN(4) {
				text[rnd.IntN(len(text))] = 'x'
			}
			data = text[:len(text)-rnd.IntN(3)*100]
		case "BGZF":
			data = blocks(t, rnd, text, 2000)
		case "zstd":
			data = zstdMembers(t, rnd, text, 2000)
		}
		opts := extract.Options{Refused: true, Delimit: delimit.Options{MaxLen: 300}}
		if seed%8 > 5 {
			opts.Limits.Size = int64(len(text) / 2)
		}
		r := newRangeTest(t, path, data, opts)
		if r.random(t, fmt.Sprint("seed ", seed, " ", kind), rnd, each); t.Failed() {
			return
		}
		parts += r.parts
	}
	if parts < each*rounds {
		t.Errorf("only %d parts are not empty", parts)
	}
}

// TestRangeWithin reads a web archive with a record that has others in it, and a mailbox with a message that has one, of which
// the header is too far in front. The reader of the part in front reports it.
func TestRangeWithin(t *testing.T) {
	const from = "From a@b.example Mon Mar  1 10:00:00 1999\n"
	filler, path := strings.Repeat("a line of text\n", 3000), filepath.Join(t.TempDir(), "data")
	record := warcRecord("resource", "http://a.example/", "text/plain", filler+"\r\n\r\n"+warcRecord("resource", "http://b.example/", "text/plain", "http://c.example/\n"))
	body := filler + "\n" + from + "Subject: x\n\nhttp://b.example/\n"
	message := fmt.Sprintf("%sContent-Length: %d\n\n%s\n", from, len(body), body)
	for what, text := range map[string]string{
		"record":       record + warcRecord("resource", "http://d.example/", "text/plain", "x"),
		"last record":  record,
		"message":      message + from + "Subject: y\n\n",
		"last message": message,
	} {
		at := len(filler)
		for kind, data := range map[string][]byte{
			"plain": []byte(text),
			"gzip":  slices.Concat(block(t, []byte(text[:at-1000])), block(t, []byte(text[at-1000:]))),
			"zstd":  slices.Concat(pack(t, "zstd", []byte(text[:at-1000])), pack(t, "zstd", []byte(text[at-1000:]))),
		} {
			end := int64(at)
			if kind != "plain" {
				end = 20 // to it belongs a place in the second member
			}
			for _, limit := range []int64{0, 1 << 30} {
				must(t, os.WriteFile(path, data, 0o644))
				x := extractor(t, extract.Options{Limits: extract.Limits{Size: limit}})
				x.SetNeutralBefore(1000)
				_, errs := all(t, x.Run(t.Context(), inRange(path, &extract.Range{End: end})))
				if len(errs) != 1 || errs[0].Stage != extract.StageRead || !strings.Contains(errs[0].Error(), "within a message or record") {
					t.Errorf("%s, %s, limit %d: %v", what, kind, limit, errs)
				}
			}
		}
	}
}

// TestRangeFixtures reads each fixture that can be divided in ranges. Others are refused.
func TestRangeFixtures(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 39))
	path := filepath.Join(t.TempDir(), "data")
	divided, refused := 0, map[string]int{}
	for src := range (extract.Walker{Hidden: true}).Walk(fixtures) {
		data, err := os.ReadFile(src.Name)
		if err != nil || len(data) < 200 || !long && len(data) > 300<<10 {
			continue
		}
		must(t, os.WriteFile(path, data, 0o644))
		x := extractor(t, extract.Options{})
		for src := range inRange(path, &extract.Range{Begin: 1}) {
			if _, err = x.Measure(t.Context(), src); err == nil {
				break
			}
			var e *extract.Error
			if !errors.As(err, &e) || e.Stage != extract.StageRange {
				t.Errorf("%s: %v", src.Name, err)
			}
			refused[e.Err.Error()]++
			if got := listAll(x, inRange(path, src.Range)); got != errorLine(err) {
				t.Errorf("%s: %s, want %v", src.Name, got, err)
			}
		}
		if err != nil {
			continue
		}
		divided++
		if !long && divided%6 > 0 {
			continue
		}
		r := newRangeTest(t, path, data, extract.Options{Refused: true})
		if r.random(t, src.Name, rnd, 3); t.Failed() {
			return
		}
	}
	t.Logf("%d divided, refused: %v", divided, refused)
	if divided < 50 || len(refused) < 3 {
		t.Errorf("%d files divided, refused: %v", divided, refused)
	}
}

// TestRangeLong reads a text of which the lines are long, and one without neutral places.
func TestRangeLong(t *testing.T) {
	skipRace(t)
	path := filepath.Join(t.TempDir(), "data")
	rounds := 1
	if long {
		rounds = 6
	}
	var b bytes.Buffer
	for i := range rounds {
		fmt.Fprintf(&b, "http://a.example/%d %s\n", i, strings.Repeat("words and http://b.example/c, ", 40000))
	}
	r := newRangeTest(t, path, b.Bytes(), extract.Options{})
	r.random(t, "long lines", rand.New(rand.NewPCG(3, 39)), min(rounds, 3))
	b.Reset()
	for i := range 20000 {
		fmt.Fprintf(&b, "<http://a.example/%d\n", i)
	}
	r = newRangeTest(t, path, b.Bytes(), extract.Options{})
	r.random(t, "open brackets", rand.New(rand.NewPCG(4, 39)), min(rounds, 3))
}

// TestRangeRefused asks for parts of sources of which only the whole is read.
func TestRangeRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(path, []byte("http://a.example/\nhttp://b.example/\n"), 0o644))
	middle := &extract.Range{Begin: 5}
	pipe := memory("data", []byte("http://a.example/\n"))
	pipe.Range = middle
	part := func(change func(*extract.Source)) extract.Source {
		for src := range inRange(path, middle) {
			change(&src)
			return src
		}
		panic("no source")
	}
	for what, c := range map[string]struct {
		src  extract.Source
		opts extract.Options
	}{
		"only a regular file":       {src: pipe},
		"is resumed":                {part(func(*extract.Source) {}), extract.Options{Resume: &extract.Resume{Begin: func(*extract.File) extract.Place { return extract.Place{} }, Reached: func(*extract.File, *extract.Place) {}}}},
		"not read to its end":       {src: part(func(s *extract.Source) { s.Enough = func() bool { return false } })},
		"in front of its beginning": {src: part(func(s *extract.Source) { s.Range = &extract.Range{Begin: 9, End: 8} })},
		"of another format":         {src: part(func(s *extract.Source) { s.Format = extract.HTML })},
	} {
		x := extractor(t, c.opts)
		urls, errs := all(t, x.Run(t.Context(), slices.Values([]extract.Source{c.src})))
		if len(urls) > 0 || len(errs) != 1 || errs[0].Stage != extract.StageRange || !strings.Contains(errs[0].Error(), what) {
			t.Errorf("%s: %q, %v", what, urls, errs)
		}
	}
	for _, whole := range []*extract.Range{nil, {}, {End: 36}, {End: 1000}} { // the whole is always read
		x := extractor(t, extract.Options{Format: extract.HTML})
		if urls, errs := all(t, x.Run(t.Context(), inRange(path, whole))); len(urls) != 2 || errs != nil {
			t.Errorf("%v: %q, %v", whole, urls, errs)
		}
	}
}

// TestRangeBounded finds the beginning of a part without reading much of the file.
func TestRangeBounded(t *testing.T) {
	const size = 64 << 20
	line := []byte("a line of text, and http://a.example/\n")
	data := bytes.Repeat(line, size/len(line))
	path := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(path, data, 0o644))
	x := extractor(t, extract.Options{Workers: 1})
	at := int64(size / 2)
	r := extract.Range{Begin: at, End: at + 1000, InFront: &extract.Numbers{Lines: at/int64(len(line)) + 1}}
	n := 0
	for src := range inRange(path, &r) {
		for res, err := range x.Run(t.Context(), slices.Values([]extract.Source{src})) {
			if must(t, err); res.Origin.Line != res.Origin.Offset/int64(len(line))+1 {
				t.Fatalf("line %d at %d", res.Origin.Line, res.Origin.Offset)
			}
			n++
		}
	}
	if s := x.Stats(); n < 20 || s.StoredRead > 2000 {
		t.Errorf("%d references in %d bytes", n, s.StoredRead)
	}
}

// FuzzRange reads any text and mailbox in two ranges.
func FuzzRange(f *testing.F) {
	f.Add([]byte(strings.Repeat("see <http://a.example/b\n c>, \"http://d.example/\n e\"\n", 10)), uint16(30))
	f.Add([]byte(strings.Repeat("From a@b.example Mon Mar  1 10:00:00 1999\nContent-Length: 30\n\n<http://b.example/>\n\n", 10)), uint16(200))
	path := filepath.Join(f.TempDir(), "data")
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		if len(data) > 20<<10 {
			return
		}
		for i, format := range []extract.Format{extract.Plain, extract.Mbox} {
			opts := extract.Options{Format: format, Refused: true}
			opts.Delimit.Extras = rangeExtras[(int(at)+i)%len(rangeExtras)]
			r := newRangeTest(t, path, data, opts)
			ranges := rangesAt(r.size, []int64{int64(at)})
			r.check(t, fmt.Sprint(format, ranges), ranges, 1, true)
		}
	})
}

// TestRangeDamage reads a file with a damaged gzip member in ranges. The damage ends the part in which it is, and the
// next range with a member is read.
func TestRangeDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 39))
	var parts [][]byte
	var data []byte
	for i := range 40 {
		parts = append(parts, blocks(t, rnd, bytes.Repeat(fmt.Appendf(nil, "http://a.example/%d\n", i), 400), 2000))
		if i == 20 {
			copy(parts[i][len(parts[i])/2:], "damaged, damaged, damaged")
		}
		data = append(data, parts[i]...)
	}
	path := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(path, data, 0o644))
	opts := extract.Options{Delimit: delimit.Options{MaxLen: 300}}
	whole, errs := all(t, extractor(t, opts).Run(t.Context(), inRange(path, nil)))
	if len(errs) != 1 {
		t.Fatal(errs)
	}
	var urls []string
	damaged, measured := 0, 0
	size := int64(len(data))
	for _, r := range rangesAt(size, []int64{size / 4, size / 2, size * 5 / 8, size * 3 / 4}) {
		if r.Begin > 0 {
			r.InFront = &extract.Numbers{Text: 1 << 20} // it cannot be counted after the damage
		}
		x := extractor(t, opts)
		for src := range inRange(path, &r) {
			part, err := x.Measure(t.Context(), src)
			if must(t, err); part.Err != nil {
				measured++
			}
		}
		u, errs := all(t, x.Run(t.Context(), inRange(path, &r)))
		for _, e := range errs {
			if damaged++; !strings.Contains(e.Error(), "gzip") {
				t.Error(e)
			}
		}
		urls = append(urls, u...)
	}
	if damaged == 0 || measured != damaged || len(urls) < len(whole)+2000 || !slices.Equal(urls[:len(whole)], whole) || !strings.HasSuffix(urls[len(urls)-1], "/39") {
		t.Errorf("%d references, %d errors, %d measured; %d in the whole", len(urls), damaged, measured, len(whole))
	}
}

// TestRangeRatio reads zstd frames whose text is much longer than they are. Each part is bounded by itself.
func TestRangeRatio(t *testing.T) {
	skipRace(t)
	defer extract.RatioFrom(1 << 20)()
	frame := pack(t, "zstd", []byte(strings.Repeat("http://a.example/\n", 1<<17)))
	data := bytes.Repeat(frame, 8)
	path := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(path, data, 0o644))
	opts := extract.Options{Delimit: delimit.Options{MaxLen: 300}, Limits: extract.Limits{Ratio: 1101}}
	if len(data)*opts.Limits.Ratio >= 8*(18<<17) {
		t.Fatalf("%d bytes", len(data))
	}
	for i, r := range rangesAt(int64(len(data)), []int64{int64(len(data) / 2)}) {
		r.InFront = &extract.Numbers{Text: 1 << 20}
		urls, errs := all(t, extractor(t, opts).Run(t.Context(), inRange(path, &r)))
		if len(urls) == 0 || len(urls) >= 4<<17 || len(errs) != 1 || !strings.Contains(errs[0].Error(), "unpacks to more than 1101 times") {
			t.Errorf("%d: %d references, %v", i, len(urls), errs)
		}
	}
}

// TestRangeOthers reads a file with many places that look like gzip members and are none, each with 64 KiB of text.
func TestRangeOthers(t *testing.T) {
	member := pack(t, "gzip", bytes.Repeat([]byte("http://a.example/\n"), 1000))
	other := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + "\x00\xff\xff\x00\x00" // the header, and that of a block of 65535 bytes
	data := append(append(bytes.Clone(member), member...), strings.Repeat(other, 1<<21/len(other))...)
	path := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(path, data, 0o644))
	x := extractor(t, extract.Options{})
	for src := range inRange(path, &extract.Range{Begin: 1000, End: 1 << 20}) {
		if _, err := x.Measure(t.Context(), src); err == nil || !strings.Contains(err.Error(), "too many places") {
			t.Error(err)
		}
	}
}

// TestRangeInner reads a member that has another one in it, not compressed. If that is short, it is passed over. A range that
// begins in a long one is wrong, and the one in front says so.
func TestRangeInner(t *testing.T) {
	skipRace(t)
	line := []byte("http://a.example/ is a line of some text\n")
	for _, kind := range []string{"gzip", "zstd"} {
		// The text up to a place where a record certainly begins is longer than what is in the inner members.
		record := warcRecord("resource", "http://r.example/", "text/plain", strings.Repeat(string(line), 100))
		head := bytes.Repeat([]byte(record), 20)
		var stored []byte
		for i := range 30 {
			stored = append(stored, warcRecord("response", "http://r.example/", "text/plain", string(pack(t, kind, bytes.Repeat(line, 1000+i*100))))...)
		}
		data := slices.Concat(pack(t, kind, head), uncompressed(t, kind, stored), pack(t, kind, head), pack(t, kind, head))
		r := newRangeTest(t, filepath.Join(t.TempDir(), "data"), data, extract.Options{Delimit: delimit.Options{MaxLen: 300}})
		if n := bytes.Count(data, pack(t, kind, nil)[:4]); n < 30 {
			t.Fatalf("%d inner members", n)
		}
		rounds := 10
		if !long {
			rounds = 1
		}
		for i := range rounds {
			if r.random(t, kind, rand.New(rand.NewPCG(uint64(i), 40)), 6); t.Failed() {
				return
			}
		}
	}
	inner := block(t, bytes.Repeat(line, 9000))
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	must(t, err)
	for range 100 {
		_, err = z.Write(line)
		must(t, err)
	}
	_, err = z.Write(append(inner, line...))
	must(t, err)
	must(t, z.Close())
	at := int64(bytes.Index(b.Bytes(), inner))
	if at < 0 {
		t.Fatal("the member is not there")
	}
	data := append(b.Bytes(), block(t, bytes.Repeat(line, 400))...)
	path := filepath.Join(t.TempDir(), "data")
	must(t, os.WriteFile(path, data, 0o644))
	x := extractor(t, extract.Options{Delimit: delimit.Options{MaxLen: 300}})
	if _, errs := all(t, x.Run(t.Context(), inRange(path, &extract.Range{End: at}))); len(errs) != 1 || !strings.Contains(errs[0].Error(), "gzip") {
		t.Errorf("no error: %v", errs)
	}
}

// uncompressed returns data as a gzip member or zstd frame that stores it as it is.
func uncompressed(t *testing.T, kind string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if kind == "gzip" {
		z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
		must(t, err)
		_, err = z.Write(data)
		must(t, err)
		must(t, z.Close())
		return b.Bytes()
	}
	b.WriteString("\x28\xb5\x2f\xfd\x00\x58") // no size, no checksum, a window of 2 MiB
	for len(data) > 0 {
		n := min(len(data), 100_000)
		h := uint32(n) << 3 // a raw block
		if n == len(data) {
			h |= 1
		}
		b.Write([]byte{byte(h), byte(h >> 8), byte(h >> 16)})
		b.Write(data[:n])
		data = data[n:]
	}
	return b.Bytes()
}
