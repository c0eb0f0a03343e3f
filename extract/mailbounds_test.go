package extract_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// A stream is generated while it is read: a head, a body that is repeated as often as
// needed, and a tail.
type stream struct {
	name             string
	head, body, tail string
	full             int64 // size of the body in the full test; the other forms use a part of it
	found            int   // references in one body
}

func (s *stream) open(size int64) io.Reader {
	n := max(1, size/int64(len(s.body))) * int64(len(s.body))
	return io.MultiReader(strings.NewReader(s.head), &repeat{text: s.body, n: n}, strings.NewReader(s.tail))
}

// mailStreams are inputs that a reader might try to hold in memory.
func mailStreams(t testing.TB) []*stream {
	t.Helper()
	var box strings.Builder
	for _, name := range []string{"mail/mime4j/mbox.rlug", "mailbox/made/mboxrd.mbox", "mailbox/made/pipermail.txt"} {
		b, err := os.ReadFile(filepath.Join(fixtures, name))
		if err != nil {
			t.Fatal(err)
		}
		box.Write(b)
		box.WriteString("\n\n")
	}
	const head = "From: a@example.org\nSubject: much\nMessage-ID: <a@example.org>\nMIME-Version: 1.0\n"
	const line = "A line of text with http://www.example.org/path?query in it\n"
	const html = "<p>http://a.example/ <a href=\"http://www.example.org/?a=1&amp;b=2\">x</a>\n"
	thrice := func(s string) string { return strings.Repeat(s, 57) } // three times s fills whole lines of base64
	coded := func(s string) string {
		var b strings.Builder
		text := base64.StdEncoding.EncodeToString([]byte(thrice(s)))
		for ; len(text) > 76; text = text[76:] {
			b.WriteString(text[:76] + "\n")
		}
		return b.String() + text + "\n"
	}
	qp := strings.ReplaceAll(strings.ReplaceAll(line, "?", "=3F"), "path", "pa=\nth")
	const base64Head = "Content-Transfer-Encoding: base64\n"
	all := []*stream{
		{name: "mailbox", body: box.String(), full: 2 << 30},
		{name: "message", head: head + "\n", body: line, full: 1 << 30, found: 1},
		{name: "message of one line", head: head + "\n", body: strings.TrimSpace(line) + " ", full: 1 << 30, found: 1},
		{name: "base64", head: head + "Content-Type: text/plain; charset=utf-8\n" + base64Head + "\n", body: coded(line), full: 1 << 30, found: 57},
		{name: "base64 of one line", head: head + base64Head + "\n", body: strings.ReplaceAll(coded(line), "\n", ""), full: 1 << 30, found: 57},
		{name: "base64 HTML", head: head + "Content-Type: text/html; charset=iso-8859-1\n" + base64Head + "\n", body: coded(html), full: 1 << 30, found: 114},
		{name: "base64 image", head: head + "Content-Type: image/png\n" + base64Head + "\n", body: coded(line), full: 1 << 30},
		{name: "quoted-printable", head: head + "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n", body: qp, full: 1 << 30, found: 1},
		{name: "parts", head: head + "Content-Type: multipart/mixed; boundary=b\n\n", body: "--b\n\n" + line, tail: "--b--\n", full: 256 << 20, found: 1},
		{name: "digest", head: head + "Content-Type: multipart/digest; boundary=b\n\n", body: "--b\n\n" + head + "\n" + line, tail: "--b--\n", full: 256 << 20, found: 1},
		{name: "header of one field", head: head + "X-Long: ", body: "http://www.example.org/\n ", tail: "\n\ntext\n", full: 64 << 20, found: 1},
		{name: "header of many fields", head: head, body: "X-Field: <http://www.example.org/>\n", tail: "\ntext\n", full: 64 << 20, found: 1},
		{name: "encoded word", head: head + "Subject: =?utf-8?q?", body: "http://a.example/_", tail: "?=\n\ntext\n", full: 64 << 20},
		{name: "boundary lines", head: head + "Content-Type: multipart/mixed; boundary=b\n\n", body: "--b\n", full: 64 << 20},
		{name: "near boundaries", head: head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", body: "--bb http://a.example/\n", full: 64 << 20, found: 1},
		{name: "From lines", head: "From a@b.example Mon Mar  1 10:00:00 1999\n" + head + "\n", body: "\nFrom a@b.example Mon Mar  1 10:00:00 1999\n", full: 64 << 20},
		{name: "empty articles", body: "#! rnews 0\n", full: 64 << 20},
	}
	for _, n := range []int{1000} {
		var open, shut strings.Builder
		for i := range n {
			fmt.Fprintf(&open, "Content-Type: multipart/mixed; boundary=level%d\n\n--level%d\n", i, i)
			fmt.Fprintf(&shut, "--level%d--\n", n-1-i)
		}
		all = append(all,
			&stream{name: "multiparts in one another", head: head + open.String() + "\n", body: line, tail: shut.String(), full: 64 << 20, found: 1},
			&stream{name: "messages in one another", head: head + strings.Repeat("Content-Type: message/rfc822\n\nSubject: inner\n", n) + "\n", body: line, full: 64 << 20, found: 1},
		)
	}
	return all
}

// A peak measures how much memory is in use while a stream is read.
type peak struct {
	r     io.Reader
	every int64
	left  int64
	most  uint64
}

func (p *peak) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if p.left -= int64(n); p.left <= 0 {
		p.left = p.every
		p.look()
	}
	return n, err
}

// look measures the memory in use and the memory from the system.
func (p *peak) look() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p.most = max(p.most, m.HeapAlloc, m.HeapSys-m.HeapReleased)
}

// TestMailMemory reads streams with messages and parts that are larger than the memory that the
// test allows: 64 MB in at most 64 MiB. In the short form these are 13 MB and 10 MiB, and the
// garbage collector runs more often. All references must be found.
func TestMailMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("reads much")
	}
	limit, percent := int64(64<<20), 100
	if !long {
		limit, percent = 10<<20, 50
	}
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	for i, s := range mailStreams(t) {
		if !long && i%2 > 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			size := s.full / 16
			switch {
			case full:
				size = s.full
			case !long:
				size = max(s.full/80, 4<<20)
			}
			x := extractor(t, extract.Options{Format: extract.Auto, Workers: 1})
			if s.found == 0 && s.full > 1<<30 { // the number of references in a single body
				urls, _ := read(t, x, []byte(s.body))
				s.found = len(urls)
				x = extractor(t, extract.Options{Format: extract.Auto, Workers: 1})
			}
			debris() // memory of the stream before
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			p := &peak{r: s.open(size), every: 4 << 20, left: 4 << 20}
			began, found, failures := clock(), 0, 0
			for _, err := range x.Read(t.Context(), s.name, p) {
				if err == nil {
					found++
				} else {
					failures++
				}
			}
			took := clock() - began
			p.look()
			stats := x.Stats()
			t.Logf("%d MB, %d references, %d messages, %d parts, %d failures in %v, %d MB/s; at most %d KiB more than before",
				stats.RawAll/1e6, found, stats.Messages, stats.Parts, failures, took.Round(time.Millisecond),
				int64(float64(stats.RawAll)/1e6/max(took.Seconds(), 1e-6)), (int64(p.most)-int64(before.HeapAlloc))>>10)
			if int64(p.most)-int64(before.HeapAlloc) > limit {
				t.Errorf("%d MiB in use, %d before", p.most>>20, before.HeapAlloc>>20)
			}
			if stats.RawAll < size-int64(len(s.body)) {
				t.Errorf("%d bytes read", stats.RawAll)
			}
			if want := int(max(1, size/int64(len(s.body)))) * s.found; found < want {
				t.Errorf("%d references, want %d", found, want)
			}
		})
	}
}

// debris frees unused memory and returns it to the system.
func debris() {
	runtime.GC()
	debug.FreeOSMemory()
}

// TestMailLinear reads four times as much in at most eight times the processor time.
func TestMailLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("takes its time")
	}
	for _, s := range mailStreams(t) {
		fourfold(t, s.name, 1<<18, 3, func(n int) func() {
			x := extractor(t, extract.Options{Format: extract.Auto, Workers: 1})
			return func() {
				for range x.Read(t.Context(), s.name, s.open(int64(n))) {
				}
			}
		})
	}
}

// TestMailDeep reads more and more levels of multiparts and messages, whose boundaries
// are compared with each line. The time must grow only with the size.
func TestMailDeep(t *testing.T) {
	if raceEnabled {
		t.Skip("takes its time")
	}
	deep := func(n int) []byte {
		var b bytes.Buffer
		b.WriteString("From: a@example.org\nSubject: deep\n")
		for i := range n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=l%d\n\n--l%d\n", i, i)
		}
		b.WriteString("\nhttp://deepest.example/\n" + strings.Repeat("--no\n", 8*n))
		for i := range n {
			fmt.Fprintf(&b, "--l%d--\n", n-1-i)
		}
		return b.Bytes()
	}
	took := func(n int) time.Duration {
		text, best := deep(n), time.Hour
		for range 3 {
			x := extractor(t, extract.Options{Format: extract.Auto, Workers: 1})
			began := clock()
			if urls, _ := read(t, x, text); len(urls) != 1 {
				t.Fatalf("%d levels: found %q", n, urls)
			}
			best = min(best, clock()-began)
		}
		return best
	}
	if short, long := took(5000), took(20000); long > 8*short+20*time.Millisecond {
		t.Errorf("%v for 5000 levels, %v for 20000", short, long)
	}
}
