package document_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A source is an input of the tests in this file, and how it is read.
type source struct {
	*document.Reader
	ledger    *ledger.Ledger
	divisions []document.Division
	stop      bool
	calls     int // if not 0, it stops at that call of Hooks.Stopped
}

func newSource(o document.Options) *source {
	if o.MaxValue == 0 {
		o.MaxValue, o.KeepText = 8192, 1<<20
	}
	if o.Nesting == 0 {
		o.Nesting = 100
	}
	s := &source{ledger: new(ledger.Ledger)}
	stopped := func() bool {
		s.calls--
		s.stop = s.stop || s.calls == 0
		return s.stop
	}
	no := func() bool { return false }
	pool := compress.NewPool(compress.Limits{Depth: 4, Window: 64 << 20, Ratio: 10000}, compress.Hooks{
		BeforeBlock: func() bool { return !s.stop }, AfterBlock: func() {}, Stopped: stopped, Interrupted: stopped, InConsumer: no,
	}, s.ledger)
	s.Reader = document.NewReader(o, document.Hooks{
		Stopped: stopped, BeforeRead: func(int64) bool { return !s.stop }, InConsumer: no, LineColumn: func() (line, column int64) { return 0, 0 },
		OnDivision: func(l document.Division, mark int64) func(int64, int) bool {
			s.divisions = append(s.divisions, l)
			return nil
		},
	}, pool, s.ledger)
	return s
}

// read reads r as a document. It returns a line for each text, value and damage.
func (s *source) read(t *testing.T, r io.Reader, room int) string {
	t.Helper()
	var b strings.Builder
	s.Open(r, nil)
	defer s.Close()
	for p := make([]byte, room); ; {
		text, err := s.Next()
		var d *document.Damage
		switch {
		case err == io.EOF:
			return b.String()
		case err == damage.ErrStopped && s.stop:
			return "stopped"
		case errors.As(err, &d):
			fmt.Fprintf(&b, "! %s%s: %s at %d", where(&d.Where), d.Cause.Stage, d.Cause.Err, d.Offset)
			if d.Cause.Severity == damage.Warning {
				b.WriteString(", warning")
			}
			b.WriteString("\n")
			continue
		case err != nil:
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s%s", where(&text.Where), [...]string{"plain", "html", "header"}[text.Kind])
		for _, e := range text.Entities {
			fmt.Fprintf(&b, " <%s|%s|%v>", e.ContentBase, e.ContentLocation, e.Outer)
		}
		var all []byte
		for {
			n, err := text.Read(p)
			for _, v := range text.Values {
				fmt.Fprintf(&b, " (%s%s at %d, raw %d+%d)", v.Field, v.Bytes, v.At, v.Offset, v.Length)
			}
			all = append(all, p[:n]...)
			if err != nil {
				break
			}
		}
		fmt.Fprintf(&b, " %q\n", all)
	}
}

// where returns the fields of w that are set.
func where(w *document.Where) (s string) {
	if w.Member != "" {
		s = w.Member + " "
	}
	if w.Message > 0 {
		s += fmt.Sprintf("#%d[%s] ", w.Message, w.Part)
	}
	return s
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

func tarred(files ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		_ = w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644})
		_, _ = w.Write([]byte(files[i+1]))
	}
	_ = w.Close()
	return b.String()
}

func zipped(name, text string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.Create(name)
	_, _ = w.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

const head = "From: a@b.example\nDate: Mon, 3 Jan 2000 12:00:00 +0000\n"

// TestOpenReadsNothing checks that a source is not read before its first text is asked for, and
// that a Reader that was closed before then reads the next source.
func TestOpenReadsNothing(t *testing.T) {
	s := newSource(document.Options{})
	reads := 0
	s.Open(readerFunc(func([]byte) (int, error) { reads++; return 0, io.EOF }), nil)
	s.Close()
	if reads > 0 || *s.ledger != (ledger.Ledger{}) {
		t.Errorf("%d reads, counts %v", reads, *s.ledger)
	}
	if got, want := s.read(t, strings.NewReader("one"), 10), newSource(document.Options{}).read(t, strings.NewReader("one"), 10); got != want || got == "" {
		t.Errorf("the next source is %q, want %q", got, want)
	}
}

// A readerFunc is a Reader whose Read is the function.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestStopped stops reading at each call of Hooks.Stopped: in front of members and attachments
// that were entered and not read, and in the middle of them. Every byte is counted once, and the
// next source is read as by a new Reader.
func TestStopped(t *testing.T) {
	attached := base64.StdEncoding.EncodeToString([]byte(gzipped("two")))
	data := gzipped(tarred("m", head+"Content-Type: application/gzip; name=n.gz\nContent-Transfer-Encoding: base64\n\n"+attached+"\n", "t", gzipped("three")))
	want := newSource(document.Options{}).read(t, strings.NewReader(data), 16)
	s := newSource(document.Options{})
	calls := 0
	for stopped := true; stopped; s.stop = false {
		calls++
		*s.ledger, s.calls = ledger.Ledger{}, calls
		got := s.read(t, strings.NewReader(data), 16)
		if stopped = s.stop; !stopped && got != want {
			t.Errorf("read to its end: %q, want %q", got, want)
		}
		var sum int64
		for class := ledger.RawText; class <= ledger.RawDamaged; class++ {
			sum += s.ledger[class]
		}
		if l := s.ledger; l[ledger.RawAll] != sum {
			t.Errorf("stopped at call %d: %d bytes, and %d in classes", calls, l[ledger.RawAll], sum)
		}
	}
	if calls < 15 {
		t.Errorf("only %d calls of Stopped", calls)
	}
}

// TestTexts reads documents and compares the texts in order. Each document is read whole and a byte
// at a time, and its texts with large and small Reads.
func TestTexts(t *testing.T) {
	attached := base64.StdEncoding.EncodeToString([]byte(gzipped("in the attachment")))
	for _, c := range []struct {
		name, data string
		opts       document.Options
		want       string
	}{
		{name: "empty", want: `plain ""`},
		{name: "text", data: "one\ntwo", want: `plain "one\ntwo"`},
		{name: "text with a mark", data: "\xef\xbb\xbfone", want: `plain "one"`},
		{name: "utf-16", data: "\xff\xfeo\x00n\x00", want: `plain "on"`},
		{name: "half a unit", data: "\xff\xfeo\x00n", want: "plain \"o\ufffd\"\n! utf-16le: 1 byte left of a code unit of 2 at 4"},
		{name: "charset", data: "caf\xe9", opts: document.Options{Charset: "latin1"}, want: `plain "café"`},
		{name: "page", data: "<html><a href='x'>y</a><base href=z>", want: `html (x at 2, raw 15+1) (z at 5, raw 34+1) "\n y \n"`},
		{name: "said to be a page", data: "<i>x</i>", opts: document.Options{Format: document.Page}, want: `html "x"`},
		{name: "gzip", data: gzipped("one"), want: `plain "one"`},
		{name: "gzip in gzip", data: gzipped(gzipped("one")), want: `plain "one"`},
		{name: "too deep", data: gzipped(gzipped(gzipped(gzipped(gzipped("one"))))), want: "! gzip: packed more than 4 times at 0"},
		{name: "tar", data: tarred("a", "one", "b.gz", gzipped("two"), "d/", ""), want: "a plain \"one\"\nb.gz plain \"two\""},
		{name: "zip in tar", data: tarred("z", zipped("i", "one")), want: `z!i plain "one"`},
		{name: "plain tar", data: "one", opts: document.Options{Format: document.PlainText}, want: `plain "one"`},
		{name: "cut tar", data: tarred("a", "one")[:514], want: "a plain \"on\"\n! a tar: unexpected EOF at 2"},
		{name: "message", data: head + "Subject: s\n\nbody\n",
			want: "#1[HEADER] header \" a@b.example\\n\\n Mon, 3 Jan 2000 12:00:00 +0000\\n\\n s\\n\"\n#1[1] plain \"body\\n\""},
		{name: "parts that are wanted", data: head + "\nbody\n", opts: document.Options{Kinds: 1 << document.Plain}, want: `#1[1] plain "body\n"`},
		{name: "base", data: head + "Content-Base: http://b/\nContent-Type: text/html\n\n<a href=x>", opts: document.Options{Kinds: 1 << document.HTML},
			want: `#1[1] html <http://b/||false> (x at 1, raw 112+1) " "`},
		{name: "header value", data: head + "Content-Location: http://l/\n\n", opts: document.Options{Kinds: 1 << document.Header},
			want: `#1[HEADER] header <|http://l/|false> (content-locationhttp://l/ at 46, raw 73+9) " a@b.example\n\n Mon, 3 Jan 2000 12:00:00 +0000\n"`},
		{name: "attachment", data: head + "Content-Base: http://b/\nContent-Type: application/gzip; name=n.gz\nContent-Transfer-Encoding: base64\n\n" + attached + "\n",
			opts: document.Options{Kinds: 1 << document.Plain}, want: `n.gz #1[1] plain <http://b/||true> "in the attachment"`},
		{name: "warning after its part", data: head + "Content-Transfer-Encoding: quoted-printable\n\na=zz\n", opts: document.Options{Kinds: 1 << document.Plain},
			want: "#1[1] plain \"a=zz\\n\"\n! #1[1] quoted-printable: '=' that begins no escape at 101, warning"},
		{name: "warning before its part", data: head + "Content-Type: text/plain; charset=klingon\n\nx\n", opts: document.Options{Kinds: 1 << document.Plain},
			want: "! #1[1] mime: no charset is called \"klingon\", read as utf-8 or windows-1252 at 98, warning\n#1[1] plain \"x\\n\""},
		{name: "too long", data: "0123456789", opts: document.Options{Size: 4}, want: "plain \"0123\"\n! size: longer than the limit of 4 bytes; the rest is not read at 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSource(c.opts)
			for _, room := range []int{1 << 16, 16} {
				if got := s.read(t, strings.NewReader(c.data), room); got != c.want+"\n" {
					t.Errorf("Reads of %d:\n%swant\n%s", room, got, c.want)
				}
				if got := s.read(t, iotest.OneByteReader(strings.NewReader(c.data)), room); got != c.want+"\n" {
					t.Errorf("a byte at a time, Reads of %d:\n%swant\n%s", room, got, c.want)
				}
			}
		})
	}
}

// TestDivisions checks that the division of each source is reported once, before its first text.
func TestDivisions(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       document.Division
	}{
		{"text", "one", document.Lines},
		{"gzip", gzipped("one"), document.Lines},
		{"utf-16", "\xff\xfeo\x00", document.Whole},
		{"page", "<html>x", document.Whole},
		{"tar", tarred("a", "one", "b", "two"), document.Whole},
		{"message", head + "\nx", document.Whole},
		{"mailbox", "From a@b Mon Jan  3 12:00:00 2000\n" + head + "\nx\n", document.Messages},
	} {
		s := newSource(document.Options{})
		s.Open(strings.NewReader(c.data), nil)
		if _, err := s.Next(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(s.divisions) != 1 || s.divisions[0] != c.want {
			t.Errorf("%s: %v, want %v", c.name, s.divisions, c.want)
		}
		s.Close()
	}
}

// TestCounted checks that every byte of a stream is counted once. Reading may stop at the end, in
// the middle of a text or between texts.
func TestCounted(t *testing.T) {
	data := tarred("m", head+"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\nContent-Type: image/png\n\nxyz\n--b--\n", "g", gzipped("two"), "t", strings.Repeat("three ", 1000))
	for stop := range 12 {
		s := newSource(document.Options{})
		s.Open(strings.NewReader(data), nil)
		for n := 0; ; n++ {
			text, err := s.Next()
			if err == io.EOF || n == stop {
				break
			}
			if text != nil {
				_, _ = text.Read(make([]byte, 1+stop))
			}
		}
		s.stop = true
		s.Close()
		l := s.ledger
		if sum := l[ledger.RawText] + l[ledger.RawPacked] + l[ledger.RawFraming] + l[ledger.RawData] + l[ledger.RawOverLimit] + l[ledger.RawDamaged]; sum != l[ledger.RawAll] {
			t.Errorf("left after %d: %d bytes are counted of %d: %v", stop, sum, l[ledger.RawAll], *l)
		}
	}
}
