package extract_test

import (
	"bytes"
	"fmt"
	"io"
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

// sameInBlocks reads sources with one worker, and with these numbers of workers, which get blocks of that many bytes,
// and checks that all results, errors and counts are equal. It returns how many blocks other workers have got.
func sameInBlocks(t *testing.T, what string, numbers []int, opts extract.Options, sources iter.Seq[extract.Source], size int) (blocks int64) {
	t.Helper()
	before := extract.Handed()
	opts.Workers = 1
	one := extractor(t, opts)
	want := listAll(one, sources)
	stats := disk(one.Stats())
	for _, workers := range numbers {
		opts.Workers = workers
		x := extractor(t, opts)
		x.SetBlocks(size, 1, linger)
		if got := listAll(x, sources); got != want {
			t.Errorf("%s, %d workers, blocks of %d: %s", what, workers, size, firstDiffer(got, want))
		}
		if s := disk(x.Stats()); s != stats {
			t.Errorf("%s, %d workers, blocks of %d:\n got %+v\nwant %+v", what, workers, size, s, stats)
		}
		if workers != 3 {
			continue
		}
		records := listEncodable(t, one, sources, workers)
		if got := encoded(t, x, sources); got != records {
			t.Errorf("%s, %d workers, blocks of %d, encoded: %s", what, workers, size, firstDiffer(got, records))
		}
		opts.Unordered = true
		x = extractor(t, opts)
		x.SetBlocks(size, 1, linger)
		if got := listAll(x, sources); sorted(got) != sorted(want) {
			t.Errorf("%s, %d workers, blocks of %d, unordered: something else", what, workers, size)
		}
		if s := disk(x.Stats()); s != stats {
			t.Errorf("%s, %d workers, blocks of %d, unordered:\n got %+v\nwant %+v", what, workers, size, s, stats)
		}
		opts.Unordered = false
	}
	return extract.Handed() - before
}

// piped returns data as a source that is a pipe, written in pieces of random sizes up to most.
func piped(t testing.TB, data []byte, rnd *rand.Rand, most int) iter.Seq[extract.Source] {
	seed := rnd.Uint64()
	return one(func() (io.ReadCloser, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		go func() {
			rnd := rand.New(rand.NewPCG(seed, 1))
			for rest := data; len(rest) > 0; {
				n := min(1+rnd.IntN(most), len(rest))
				if _, err := w.Write(rest[:n]); err != nil {
					break
				}
				if rest = rest[n:]; rnd.IntN(40) == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			_ = w.Close()
		}()
		return r, nil
	})
}

// streamTexts are texts of every kind that matters for blocks, each of that many bytes.
func streamTexts(t testing.TB, size int) map[string][]byte {
	rnd := rand.New(rand.NewPCG(31, 32))
	texts := map[string][]byte{
		"lines": sample(size / 80),
		"crlf":  bytes.ReplaceAll(sample(size/80), []byte("\n"), []byte("\r\n")),
		"mark":  append([]byte("\ufeff"), sample(size/80)...),
		"open":  sample(size / 80)[:size/2+7],
	}
	for name, each := range map[string]func(i int) string{
		"log": func(i int) string {
			return fmt.Sprintf("Oct %2d 10:%02d:%02d h p: \"GET http://a%d.example/\" \"http://b.example/%d\"\n", 1+i%28, i%60, i%60, i, i)
		},
		"json":      func(i int) string { return fmt.Sprintf("{\"url\":\"http://a%d.example/x\",\"ok\":true}\n", i) },
		"open json": func(i int) string { return fmt.Sprintf("{\"url\":\"http://a%d.example/x\",\"urn:x\n", i) },
		"wrapped":   func(i int) string { return fmt.Sprintf("see <http://a%d.example/\n  long/%d>, and http://b/\n", i, i) },
		"alone":     func(i int) string { return fmt.Sprintf("http://a%d.example/wiki/C\u8a00\u8a9e\n", i) },
		"long line": func(i int) string {
			return strings.Repeat(fmt.Sprintf("http://a%d.example/ and ", i), 1+(i%600)/599*3000) + "\n"
		},
		"ids": func(i int) string {
			return fmt.Sprintf("Message-ID: <%d@a.example>\n <%d@b.example>\nmail c@d.example\n", i, i)
		},
		"random": func(int) string { return textPieces[rnd.IntN(len(textPieces)-1)] },
		"mail": func(i int) string {
			return fmt.Sprintf("From a@b.example Mon Mar  1 10:00:%02d 1999\nDate: Mon, 1 Mar 1999 10:00:%02d +0000\nSubject: http://s%d.example/\n\n<http://b.example/%d>\nFrom here on http://c/\n\n", i%60, i%60, i, i)
		},
		"mail with lengths": func(i int) string {
			body := fmt.Sprintf("http://a%d.example/\n\nFrom x@y.example Mon Mar  1 10:00:00 1999\nSubject: http://inside.example/\n\n", i)
			field := []string{"Content-Length: ", "CONTENT-LENGTH:", "Content-Length :", "content-length:\n ", "Content-Length: \t"}[i/3%5]
			return fmt.Sprintf("From a@b.example Mon Mar  1 10:00:00 1999\n%s%d\nSubject: %d\n\n%s\n", field, len(body)-i%3, i, body)
		},
		"mail with parts": func(i int) string {
			return fmt.Sprintf("From a@b.example Mon Mar  1 10:00:00 1999\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n%s\n--b\nContent-Type: application/x-gzip; name=x.gz\nContent-Transfer-Encoding: base64\n\n%s--b--\n\n",
				b64(strings.Repeat("<p><a href=\"x?a=1&amp;b=2\">http://a.example/</a>\n", 1+i%50)), "H4sI!!!!\n")
		},
		"warc": func(i int) string {
			body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLocation: /%d\r\n\r\n<p><a href=\"x?a=1&amp;b=%d\">http://a.example/</a>\n%s\n\r\n\r\nWARC/1.0\r\nContent-Length: 3\r\n\r\n", i, i, strings.Repeat("words ", i%900))
			return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://t%d.example/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(body), body)
		},
		"arc": func(i int) string {
			if i == 0 {
				return "filedesc://x.arc 0.0.0.0 20240101000000 text/plain 76\n1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n\n"
			}
			body := fmt.Sprintf("HTTP/1.0 200 OK\nContent-Type: text/plain\n\nhttp://a.example/%d\n%s", i, strings.Repeat("words\n", i%900))
			return fmt.Sprintf("http://t%d.example/ 192.0.2.1 20240101000000 text/plain %d\n%s\n", i, len(body), body)
		},
		"mail with a large one": func(i int) string {
			return "From a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\n" + strings.Repeat("http://a.example/ in a line\n", 1+i%40/39*4000) + "\n"
		},
	} {
		var b bytes.Buffer
		for i := 0; b.Len() < size; i++ {
			b.WriteString(each(i))
		}
		texts[name] = b.Bytes()
	}
	var box bytes.Buffer
	for _, f := range everything(t) {
		if b := contentOf(t, f); len(b) < 30<<10 && strings.HasPrefix(f.name, "mail") {
			box.WriteString("From a@b.example Mon Mar  1 10:00:00 1999\n")
			box.Write(b)
			box.WriteString("\n\n")
		}
	}
	texts["fixtures"] = box.Bytes()
	return texts
}

// streamSize is how many bytes the texts have.
func streamSize() int {
	if long && !raceEnabled {
		return 200_000
	}
	return 90_000
}

// TestStreams reads compressed files and pipes with several workers, in blocks.
func TestStreams(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 33))
	before, i := extract.Handed(), 0
	for name, data := range streamTexts(t, streamSize()) {
		for _, opts := range []extract.Options{
			{Refused: true, LogTimes: true, Subjects: true},
			{Delimit: delimit.Options{Extras: delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address, MaxLen: 500}, MessageIDs: true},
			{Delimit: delimit.Options{Malformed: true, MaxLen: 20_000}, Parts: extract.PlainParts},
		} {
			i++
			for way, sources := range map[string]func() iter.Seq[extract.Source]{
				"gzip":   func() iter.Seq[extract.Source] { return stored(t, pack(t, "gzip", data)) },
				"zstd":   func() iter.Seq[extract.Source] { return stored(t, pack(t, "zstd", data)) },
				"a file": func() iter.Seq[extract.Source] { return stored(t, data) },
				"a pipe": func() iter.Seq[extract.Source] { return piped(t, data, rnd, 60<<10) },
			} {
				if long || rnd.IntN(6) == 0 {
					sameInBlocks(t, name+" from "+way, inTurn(i)[:1], opts, sources(), 16<<10+rnd.IntN(40<<10))
				}
			}
		}
	}
	n := extract.Handed() - before
	t.Log(n, "blocks")
	if n < 30 {
		t.Errorf("%d blocks", n)
	}
}

// TestStreamsDamage reads compressed files that are cut or damaged.
func TestStreamsDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 34))
	texts := streamTexts(t, streamSize())
	rounds := 8
	if !long || raceEnabled {
		rounds = 1
	}
	before := extract.Handed()
	for _, name := range []string{"lines", "mail", "fixtures"} {
		for _, format := range []string{"gzip", "zstd", "bzip2", "lz4"} {
			if name != "fixtures" && format != "gzip" && (!long || raceEnabled) {
				continue
			}
			data := texts[name]
			if format == "bzip2" {
				data = sample(4000) // the only size of bzip2 data that pack has
			}
			whole := pack(t, format, data)
			for i := range rounds {
				at := rnd.IntN(len(whole))
				spoiled := bytes.Clone(whole)
				spoiled[at] ^= 1 << rnd.IntN(8)
				sameInBlocks(t, fmt.Sprintf("%s in %s, spoiled at %d", name, format, at), inTurn(i)[:1], extract.Options{}, stored(t, spoiled), 20_000)
				sameInBlocks(t, fmt.Sprintf("%s in %s, cut at %d", name, format, at), inTurn(i + 1)[:1], extract.Options{}, stored(t, whole[:at]), 20_000)
			}
			sameInBlocks(t, name+" twice in "+format, []int{3}, extract.Options{}, stored(t, slices.Concat(whole, whole)), 20_000)
			sameInBlocks(t, name+" in "+format+", with a limit", []int{2}, extract.Options{Limits: extract.Limits{Size: 100_000}}, stored(t, whole), 20_000)
		}
	}
	if n := extract.Handed() - before; n < 20 {
		t.Errorf("%d blocks", n)
	}
}

// TestStreamsAmong reads many streams and files together, so that workers become free while others read.
func TestStreamsAmong(t *testing.T) {
	dir := t.TempDir()
	i := 0
	for name, data := range streamTexts(t, streamSize()) {
		for _, format := range []string{"plain", "gzip", "zstd"} {
			must(t, os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+"."+format), pack(t, format, data), 0o644))
		}
		if i++; i == 2 && !long || raceEnabled {
			break
		}
	}
	for _, workers := range inTurn(1) {
		sameInBlocks(t, "a directory", []int{workers}, extract.Options{}, asFiles(extract.Walk(dir)), 20_000)
	}
}

// TestStreamsPrompt writes a line and waits for its reference, after so many lines that blocks were handed out.
func TestStreamsPrompt(t *testing.T) {
	for _, mbox := range []bool{false, true} {
		r, w, _ := os.Pipe()
		line := func(n int) []byte { return fmt.Appendf(nil, "see http://a.example/%d now\n", n) }
		var first bytes.Buffer
		if mbox {
			for i := range 3000 {
				fmt.Fprintf(&first, "From a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\n%s\n", line(i))
			}
			first.WriteString("From a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\n")
		} else {
			for i := range 3000 {
				first.Write(line(i))
			}
		}
		go func() { _, _ = w.Write(append(first.Bytes(), line(3000)...)) }()
		x := extractor(t, extract.Options{Workers: 3})
		x.SetBlocks(20_000, 1, linger)
		n := 0
		for range x.Run(t.Context(), one(func() (io.ReadCloser, error) { return r, nil })) {
			if n++; n <= 3000 {
				continue
			}
			if n == 3020 {
				_ = w.Close()
				continue
			}
			go func() { _, _ = w.Write(line(n)) }()
		}
		if n != 3020 {
			t.Errorf("%d references, want 3020", n)
		}
	}
}

// TestStreamsLeave leaves the loop over a stream at many items, ends its context, or panics.
func TestStreamsLeave(t *testing.T) {
	leaveUnits(t, pack(t, "gzip", sample(3000)))
}

// FuzzStreams reads any text and mailbox in blocks, and compares with the results of one worker.
func FuzzStreams(f *testing.F) {
	f.Add([]byte("see <http://a.example/b\n c>, \"http://d.example/\n e\"\n"), uint16(300))
	f.Add([]byte("\ufeffhttp://a.example/ <URL:\nhttp://b.example/>\n\n"), uint16(100))
	f.Add([]byte("From a@b.example Mon Mar  1 10:00:00 1999\nContent-Length: 90\nSubject: http://a.example/\n\n<http://b.example/>\n\n"), uint16(200))
	f.Add([]byte("http://a/\u4e2d\nhttp://b/\u4e2d\nno\n"), uint16(5))
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		if len(data) == 0 || len(data) > 20<<10 {
			return
		}
		data = bytes.Repeat(data, 1+60_000/len(data))
		sources := stored(t, pack(t, "zstd", data))
		for _, format := range []extract.Format{extract.Plain, extract.Mbox} {
			opts := extract.Options{Format: format, Refused: true, Workers: 1}
			opts.Delimit.MaxLen = 300
			want := listAll(extractor(t, opts), sources)
			opts.Workers = 3
			x := extractor(t, opts)
			x.SetBlocks(8<<10+int(size), 1, linger)
			if got := listAll(x, sources); got != want {
				t.Errorf("%v in blocks of %d: %s", format, 8<<10+int(size), firstDiffer(got, want))
			}
		}
	})
}

// TestStreamsFull reads streams and files that several workers share, with more results than their batches
// hold, and a caller that is slow. No worker may wait for another one for ever.
func TestStreamsFull(t *testing.T) {
	dir := t.TempDir()
	lines := 12_000
	if raceEnabled || !long {
		lines = 4_000
	}
	dense := bytes.Repeat([]byte("http://a.example/ http://b.example/x http://c.example/\n"), lines)
	box := bytes.Repeat([]byte("From a@b.example Mon Mar  1 10:00:00 1999\nSubject: x\n\nhttp://a.example/ http://b.example/x http://c.example/\n\n"), lines/2)
	for i, data := range [][]byte{pack(t, "zstd", dense), dense, pack(t, "gzip", box), box, dense, pack(t, "zstd", box)} {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), data, 0o644))
	}
	for _, workers := range []int{2, 3, 7} {
		x := extractor(t, extract.Options{Workers: workers})
		x.SetBlocks(40_000, 1, nil)
		n := 0
		for range x.Run(t.Context(), asFiles(extract.Walk(dir))) {
			if n++; n%5000 == 0 {
				time.Sleep(2 * time.Millisecond)
			}
		}
		if want := 9*lines + 9*lines/2; n != want {
			t.Errorf("%d workers: %d references, want %d", workers, n, want)
		}
	}
}

// TestStreamsLostRecords reads a web archive with stretches that are no records, after records that end in the middle of a line. A block begins at none
// of them, and the line of each is known.
func TestStreamsLostRecords(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		b.WriteString(warcRecord("resource", fmt.Sprintf("http://r.example/%d", i), "text/plain", strings.Repeat("see http://a.example/ there\n", 100)))
		if i%7 == 3 {
			b.WriteString("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 3\r\n\r\nabcdef\n" + strings.Repeat("no record http://b.example/\n", 6000))
		}
	}
	sources := stored(t, pack(t, "gzip", []byte(b.String())))
	if list := listAll(extractor(t, extract.Options{Workers: 1}), sources); strings.Count(list, "no header of a record") != 9 || strings.Contains(list, "data#5: ") {
		t.Errorf("%.3000s", list)
	}
	for _, size := range []int{20_000, 100_000} {
		sameInBlocks(t, "lost records", inTurn(size)[:1], extract.Options{}, sources, size)
	}
}
