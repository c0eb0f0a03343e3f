package decode_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
	"github.com/urlsift/urlsift/extract/internal/decode/html"
)

func TestZeroChain(t *testing.T) {
	var c decode.Chain
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

// TestChain decodes a page in UTF-16 with a byte order mark. Text and values must map to raw
// offsets, and these to lines.
func TestChain(t *testing.T) {
	const page = "<p>\n\u00e9 &amp;<a href='x&amp;y'>http://\u4e2d/<wbr>b</a>\n"
	raw := append([]byte("\xFF\xFE"), decodetest.Encode("utf-16le", page)...)
	want := func(s string) (lo, hi int64) { // want returns the offsets of s in raw
		i := int64(bytes.Index(raw, decodetest.Encode("utf-16le", s)))
		return i, i + int64(len(decodetest.Encode("utf-16le", s)))
	}
	var c decode.Chain
	for range 2 { // the second time, the chain reuses its memory
		lines := decode.NewLines(bytes.NewReader(raw), charset.UTF16LE.Newline())
		io.CopyN(io.Discard, lines, 2)
		c.Reset(lines, 2)
		c.PushDecoder(charset.NewUnicode(charset.UTF16LE))
		c.PushDecoder(html.New(func(a decode.Attr) error {
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
	var c decode.Chain
	c.Reset(strings.NewReader("xx"+string(decodetest.Encode("utf-16be", "t &am"))+"\x00"), 5)
	c.PushDecoder(charset.NewUnicode(charset.UTF16BE))
	c.PushDecoder(html.New(nil))
	text, err := io.ReadAll(&c)
	var e *damage.Damage
	if string(text) != "\u7878t &am\uFFFD" || !errors.As(err, &e) || e.Offset != 5+12 || e.Stage != "utf-16be" {
		t.Errorf("read %q, %v", text, err)
	}
	if _, again := c.Read(make([]byte, 9)); again != err || e.Offset != 5+12 {
		t.Errorf("then %v", again)
	}

	// The reader's own error comes last, after the damage of a truncated unit.
	c.Reset(decodetest.Broken([]byte("\x00t\x00")), 0)
	c.PushDecoder(charset.NewUnicode(charset.UTF16BE))
	if text, err := io.ReadAll(&c); string(text) != "t\uFFFD" || err != decodetest.ErrBroken {
		t.Errorf("read %q, %v", text, err)
	}
	c.Reset(decodetest.Broken([]byte("t<b>http://a/&am")), 0)
	c.PushDecoder(html.New(nil))
	if text, err := io.ReadAll(&c); string(text) != "thttp://a/&am" || err != decodetest.ErrBroken {
		t.Errorf("read %q, %v", text, err)
	}

	// So does an error of the sink.
	c.Reset(strings.NewReader("t<a href=x>u"), 0)
	c.PushDecoder(html.New(func(decode.Attr) error { return decodetest.ErrBroken }))
	if text, err := io.ReadAll(&c); string(text) != "t " || err != decodetest.ErrBroken {
		t.Errorf("read %q, %v", text, err)
	}
	c.Reset(idle{}, 0)
	c.PushDecoder(html.New(nil))
	if _, err := c.Read(make([]byte, 99)); err != io.ErrNoProgress {
		t.Errorf("idle reader: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestPrompt checks that the text in front of an attribute is returned before the attribute is
// passed to the sink, and that complete text does not wait for more input.
func TestPrompt(t *testing.T) {
	in, w := io.Pipe()
	var c decode.Chain
	var reported string
	c.Reset(in, 0)
	c.PushDecoder(html.New(func(a decode.Attr) error { reported += string(a.Value); return nil }))
	buf := make([]byte, 1000)
	for _, step := range []struct{ write, read, reported string }{
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
		if string(buf[:n]) != step.read || reported != step.reported || err != nil {
			t.Fatalf("wrote %q: read %q, %v, reported %q; want %q, %q", step.write, buf[:n], err, reported, step.read, step.reported)
		}
	}
}

// TestKeep checks that Keep limits the memory for offsets and lines if Forget is not called.
func TestKeep(t *testing.T) {
	lines := decode.NewLines(&decodetest.Endless{Unit: []byte("<b>x</b>&amp;\n")}, charset.UTF8.Newline())
	c := decode.Chain{Keep: 4 << 10}
	c.Reset(lines, 0)
	c.PushDecoder(html.New(nil))
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
	_, marks := c.Mappings()
	if n != 0 || marks > 8*4096 || lines.Room() > 8*4096 {
		t.Errorf("%v allocations, room for %d marks and %d lines", n, marks, lines.Room())
	}
}
