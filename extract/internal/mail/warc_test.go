package mail

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// record returns a record of a web archive with that type, URL and block.
func record(kind, target, mediaType, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, target, mediaType, len(block), block)
}

const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=Koi8-R\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\nbody"

// archives are web archives, with their parts: number, section, type and what else is known, and body.
var archives = []struct {
	name, raw string
	want      []string
}{
	{"response", record("response", "http://a.example/b/c.html?d", "application/http", page), []string{
		"1 WARC application/http c.html: http://a.example/b/c.html?d",
		"1 HEADER text/html koi8-r c.html: HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=Koi8-R\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n",
		"1 1 text/html koi8-r chunked gzip c.html: body",
	}},
	{"in angle brackets, without HTTP, and twice", record("resource", "<http://a.example/>", "text/plain", "one") + record("conversion", "http://b.example/", "text/plain", "two"), []string{
		"1 WARC text/plain: http://a.example/",
		"1 1 text/plain: one",
		"2 WARC text/plain: http://b.example/",
		"2 1 text/plain: two",
	}},
	{"only the header of an HTTP message", record("revisit", "http://a.example/", "application/http", "HTTP/1.1 304\r\nLocation: x\r\n"), []string{
		"1 WARC application/http: http://a.example/",
		"1 HEADER : HTTP/1.1 304\r\nLocation: x\r\n",
	}},
	{"a request", record("request", "http://a.example/", "application/http", "GET / HTTP/1.1\r\nReferer: x\r\n\r\n"), []string{
		"1 WARC application/http: http://a.example/",
		"1 HEADER : GET / HTTP/1.1\r\nReferer: x\r\n\r\n",
	}},
	{"fields", record("warcinfo", "", "application/warc-fields", "a: b\r\n"), []string{"1 1 application/warc-fields: a: b\r\n"}},
	{"a block that is too long", "WARC/1.0\r\nContent-Length: 9\r\n\r\nhttp", []string{"1 1 : http", "damage @35 stream ends 5 bytes before the end of the record"}},
	{"the largest size", "WARC/1.0\r\nContent-Length: 9223372036854775807\r\n\r\nhttp", []string{"1 1 : http", "damage @53 stream ends 1152921504606846972 bytes before the end of the record"}},
	{"a size that is too small", strings.Replace(record("resource", "http://a.example/", "text/plain", "one, two"), "h: 8", "h: 3", 1) + record("resource", "http://b.example/", "text/plain", "three"), []string{
		"1 WARC text/plain: http://a.example/",
		"1 1 text/plain: one",
		"damage @150 no header of a record; what follows is skipped up to the next one",
		"2 WARC text/plain: http://b.example/",
		"2 1 text/plain: three",
	}},
	{"no size", "WARC/1.0\r\na: b\r\n\r\nhttp\r\n" + record("resource", "http://b.example/", "text/plain", "x"), []string{
		"damage @0 no header of a record; what follows is skipped up to the next one",
		"1 WARC text/plain: http://b.example/",
		"1 1 text/plain: x",
	}},
	{"a header that is too long", record("response", "http://a.example/", "application/http", "HTTP/1.1 200 OK\r\nA: "+strings.Repeat("x", headerMax)), []string{
		"1 WARC application/http: http://a.example/",
		"1 1 application/http: HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", headerMax),
	}},
	{"ARC", "filedesc://x.arc 0.0.0.0 20240102030405 text/plain 4\n1 0\n\nhttp://a.example/b c.txt 192.0.2.1 20240102030405 text/plain 21\nHTTP/1.0 200 OK\n\nbody\nhttp://b.example/ 192.0.2.1 20240102030405 text/plain 3\none\n", []string{
		"1 1 application/warc-fields: 1 0\n",
		"2 WARC text/plain b c.txt: http://a.example/b c.txt",
		"2 HEADER b c.txt: HTTP/1.0 200 OK\n\n",
		"2 1 b c.txt: body",
		"3 WARC text/plain: http://b.example/",
		"3 1 text/plain: one",
	}},
}

// readWARC returns the parts of src, which has the bytes raw, as archives has them. It checks where
// they are.
func readWARC(t *testing.T, raw string, src io.Reader) (list []string) {
	var r Reader
	r.Reset(src, 0, WARC, 9, "")
	for {
		p, err := r.Next()
		if d, ok := err.(*damage.Damage); ok {
			list = append(list, fmt.Sprintf("damage @%d %v", d.Offset, d.Err))
			continue
		} else if err != nil {
			return list
		}
		var about []string
		for _, s := range []string{p.Type, p.Charset, p.Encoding, p.Coding, p.Name} {
			if s != "" {
				about = append(about, s)
			}
		}
		b, _ := io.ReadAll(p.Body)
		text, from := string(b), 0
		if p.Section == targetSection {
			from = len(targetField)
			text = strings.TrimSuffix(text[from:], "\n")
		}
		if lo, hi, _ := p.Body.Span(int64(from), int64(from+len(text))); raw[lo:hi] != text {
			t.Errorf("%q is at [%d:%d], where %q is", text, lo, hi, raw[lo:hi])
		}
		list = append(list, fmt.Sprintf("%d %s %s: %s", p.Message, p.Section, strings.Join(about, " "), text))
	}
}

func TestWARC(t *testing.T) {
	for _, c := range archives {
		if got := readWARC(t, c.raw, strings.NewReader(c.raw)); !cmp.Equal(got, c.want) {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.want, got))
		}
		for n := 1; n < 40; n++ {
			if got := readWARC(t, c.raw, &chunks{[]byte(c.raw), n}); !cmp.Equal(got, c.want) {
				t.Errorf("%s, by %d bytes: %s", c.name, n, cmp.Diff(c.want, got))
			}
		}
	}
}

// FuzzWARC checks that reading ends, that bodies are where they say, and that the parts do not depend on
// the sizes of reads.
func FuzzWARC(f *testing.F) {
	for _, c := range archives {
		f.Add([]byte(c.raw), byte(7))
	}
	f.Fuzz(func(t *testing.T, raw []byte, size byte) {
		if len(raw) > 1<<17 {
			return
		}
		want := readWARC(t, string(raw), bytes.NewReader(raw))
		if got := readWARC(t, string(raw), &chunks{raw, int(size) + 1}); !cmp.Equal(got, want) {
			t.Fatalf("%q: %s", raw, cmp.Diff(want, got))
		}
	})
}
