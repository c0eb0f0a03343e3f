package decode

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestZeroChain(t *testing.T) {
	var c Chain
	if n, err := c.Read(make([]byte, 9)); n != 0 || err != io.EOF {
		t.Errorf("read %d, %v from nothing", n, err)
	}
	c.Reset(strings.NewReader("text"), 3)
	if got, err := io.ReadAll(&c); string(got) != "text" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	if lo, hi, exact := c.Span(1, 4); lo != 4 || hi != 7 || !exact {
		t.Errorf("Span(1, 4) = %d, %d, %v", lo, hi, exact)
	}
	if raw, exact := c.Origin(4); raw != 7 || !exact {
		t.Errorf("Origin(4) = %d, %v", raw, exact)
	}
}

// A page in UTF-16, behind its mark: text and values lead to raw bytes, and
// those to lines.
func TestChain(t *testing.T) {
	const page = "<p>\n\u00e9 &amp;<a href='x&amp;y'>http://\u4e2d/<wbr>b</a>\n"
	raw := append([]byte("\xFF\xFE"), encode(UTF16LE, page)...)
	want := func(s string) (lo, hi int64) { // of s in raw
		i := int64(bytes.Index(raw, encode(UTF16LE, s)))
		return i, i + int64(len(encode(UTF16LE, s)))
	}
	var c Chain
	for range 2 { // the second time with the memory of the first
		lines := NewLines(bytes.NewReader(raw), UTF16LE)
		io.CopyN(io.Discard, lines, 2)
		c.Reset(lines, 2)
		c.PushDecoder(NewUnicode(UTF16LE))
		c.PushDecoder(NewHTML(func(a Attr) error {
			lo, hi, exact := c.SpanBelow(a.Start, a.End)
			if wlo, whi := want("x&amp;y"); lo != wlo || hi != whi || !exact {
				t.Errorf("value at [%d:%d], %v, want [%d:%d]", lo, hi, exact, wlo, whi)
			}
			return nil
		}))
		text, err := io.ReadAll(iotest.OneByteReader(&c))
		if err != nil || string(text) != "\n\n\u00e9 & http://\u4e2d/b \n" {
			t.Fatalf("read %q, %v", text, err)
		}
		at := int64(bytes.Index(text, []byte("http:")))
		lo, hi, exact := c.Span(at, at+int64(len("http://\u4e2d/b")))
		if wlo, whi := want("http://\u4e2d/<wbr>b"); lo != wlo || hi != whi || !exact {
			t.Errorf("reference at [%d:%d], %v, want [%d:%d]", lo, hi, exact, wlo, whi)
		}
		if line, column, ok := lines.Position(lo); line != 2 || column != 2*25+1 || !ok {
			t.Errorf("reference at %d:%d, %v", line, column, ok)
		}
		if lo, hi, exact := c.Span(at+8, at+9); exact || hi-lo != 2 {
			t.Errorf("middle of a character at [%d:%d], %v", lo, hi, exact)
		}
		c.Forget(at)
		if lo2, _, _ := c.Span(at, at+1); lo2 != lo {
			t.Errorf("reference at %d after Forget, %d before", lo2, lo)
		}
		if _, _, ok := lines.Position(0); ok {
			t.Error("Forget did not reach the lines")
		}
	}
}

func TestChainErrors(t *testing.T) {
	var c Chain
	c.Reset(strings.NewReader("xx"+string(encode(UTF16BE, "t &am"))+"\x00"), 5)
	c.PushDecoder(NewUnicode(UTF16BE))
	c.PushDecoder(NewHTML(nil))
	text, err := io.ReadAll(&c)
	var e *Error
	if string(text) != "\u7878t &am\uFFFD" || !errors.As(err, &e) || e.Offset != 5+12 || e.Stage != "utf-16be" {
		t.Errorf("read %q, %v", text, err)
	}
	if _, again := c.Read(make([]byte, 9)); again != err || e.Offset != 5+12 {
		t.Errorf("then %v", again)
	}

	// The reader's own error comes behind everything, a cut unit included, and
	// is not hidden by what it cut.
	c.Reset(broken([]byte("\x00t\x00")), 0)
	c.PushDecoder(NewUnicode(UTF16BE))
	if text, err := io.ReadAll(&c); string(text) != "t\uFFFD" || err != errBroken {
		t.Errorf("read %q, %v", text, err)
	}
	c.Reset(broken([]byte("t<b>http://a/&am")), 0)
	c.PushDecoder(NewHTML(nil))
	if text, err := io.ReadAll(&c); string(text) != "thttp://a/&am" || err != errBroken {
		t.Errorf("read %q, %v", text, err)
	}

	// So does the sink's.
	c.Reset(strings.NewReader("t<a href=x>u"), 0)
	c.PushDecoder(NewHTML(func(Attr) error { return errBroken }))
	if text, err := io.ReadAll(&c); string(text) != "t " || err != errBroken {
		t.Errorf("read %q, %v", text, err)
	}
	c.Reset(idle{}, 0)
	c.PushDecoder(NewHTML(nil))
	if _, err := c.Read(make([]byte, 99)); err != io.ErrNoProgress {
		t.Errorf("idle reader: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// The text before an attribute is returned before it is handed over, and what
// is complete does not wait for the reader below.
func TestPrompt(t *testing.T) {
	in, w := io.Pipe()
	var c Chain
	var told string
	c.Reset(in, 0)
	c.PushDecoder(NewHTML(func(a Attr) error { told += string(a.Value); return nil }))
	buf := make([]byte, 1000)
	for _, step := range []struct{ write, read, told string }{
		{"http://a/ ", "http://a/ ", ""},
		{"b<a href=x>c", "b ", ""},
		{"", "c", "x"},
		{"<a href=y><a href=z>d", " ", "x"},
		{"", " ", "xy"},
		{"", "d", "xyz"},
		{"e&amp", "e", "xyz"},
		{";", "&", "xyz"},
	} {
		if step.write != "" {
			go w.Write([]byte(step.write))
		}
		n, err := c.Read(buf)
		if string(buf[:n]) != step.read || told != step.told || err != nil {
			t.Fatalf("wrote %q: read %q, %v, told %q; want %q, %q", step.write, buf[:n], err, told, step.read, step.told)
		}
	}
}

// Keep bounds what a chain knows where nobody calls Forget.
func TestKeep(t *testing.T) {
	lines := NewLines(&endless{unit: []byte("<b>x</b>&amp;\n")}, UTF8)
	c := Chain{Keep: 4 << 10}
	c.Reset(lines, 0)
	c.PushDecoder(NewHTML(nil))
	buf := make([]byte, 1000)
	read := func() {
		for range 100 {
			if _, err := c.Read(buf); err != nil {
				t.Fatal(err)
			}
		}
	}
	read()
	n := testing.AllocsPerRun(20, read)
	m := c.own[0].m
	if n != 0 || cap(m.marks) > 8*4096 || cap(lines.starts) > 8*4096 {
		t.Errorf("%v allocations, room for %d marks and %d lines", n, cap(m.marks), cap(lines.starts))
	}
}

// endless gives unit over and over.
type endless struct {
	unit []byte
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.unit[e.at:])
		n += k
		e.at = (e.at + k) % len(e.unit)
	}
	return n, nil
}
