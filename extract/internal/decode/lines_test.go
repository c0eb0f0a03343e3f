package decode_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// place is a slow Position: it examines all text in front of the offset.
func place(cs charset.Unicode, raw []byte, off int) (line, column int64) {
	line, start := 1, 0
	for i := 0; i+cs.Unit() <= off; i += cs.Unit() {
		if bytes.Equal(raw[i:i+cs.Unit()], cs.Newline()) {
			line++
			start = i + cs.Unit()
		}
	}
	return int64(line), int64(off - start + 1)
}

func TestLines(t *testing.T) {
	text := "one\ntwo\r\n\n\n\u0a0a\u0a00 \u000a0\nlong " + strings.Repeat("x", 50) + "\nlast"
	for _, cs := range []charset.Unicode{charset.UTF8, charset.UTF16LE, charset.UTF16BE, charset.UTF32LE, charset.UTF32BE} {
		raw := []byte(text)
		if cs != charset.UTF8 {
			raw = append(decodetest.Encode(cs.String(), text), '\n') // and a truncated code unit
		}
		for size := 1; size < 12; size++ {
			l := decode.NewLines(bytes.NewReader(raw), cs.Newline())
			got, err := io.ReadAll(struct{ io.Reader }{&chunkReader{l, size}})
			if err != nil || !bytes.Equal(got, raw) || l.Count() != int64(len(raw)) {
				t.Fatalf("%v: read %q, %v", cs, got, err)
			}
			for off := range len(raw) + 1 {
				line, column, ok := l.Position(int64(off))
				wantLine, wantColumn := place(cs, raw, off)
				if !ok || line != wantLine || column != wantColumn {
					t.Fatalf("%v, reads of %d: byte %d is at %d:%d, %v, want %d:%d", cs, size, off, line, column, ok, wantLine, wantColumn)
				}
			}
			if _, _, ok := l.Position(int64(len(raw)) + 1); ok {
				t.Error("position of a byte that was not read")
			}
		}
	}
}

// chunkReader reads at most n bytes at a time.
type chunkReader struct {
	r io.Reader
	n int
}

func (c *chunkReader) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

func TestLinesForget(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	raw := make([]byte, 5000)
	for i := range raw {
		raw[i] = "\nabcdefg"[r.IntN(8)]
	}
	l := decode.NewLines(bytes.NewReader(raw), charset.UTF8.Newline())
	var forgot int64
	for l.Count() < int64(len(raw)) {
		l.Read(make([]byte, 100))
		forgot = max(forgot, l.Count()-250)
		l.Forget(forgot)
		for off := forgot; off <= l.Count(); off += 7 {
			line, column, ok := l.Position(off)
			wantLine, wantColumn := place(charset.UTF8, raw, int(off))
			if !ok || line != wantLine || column != wantColumn {
				t.Fatalf("byte %d is at %d:%d, %v, want %d:%d", off, line, column, ok, wantLine, wantColumn)
			}
		}
	}
	if _, _, ok := l.Position(0); ok {
		t.Error("position of a forgotten byte")
	}
	if l.Room() > 1000 {
		t.Errorf("room for %d lines, window of 250 bytes", l.Room())
	}
}

func TestLinesMax(t *testing.T) {
	const most, all = decode.MaxLines, 8 * decode.MaxLines
	l := decode.NewLines(bytes.NewReader(bytes.Repeat([]byte("\n"), all)), charset.UTF8.Newline())
	io.Copy(io.Discard, struct{ io.Reader }{l})
	if line, column, ok := l.Position(all - 1); line != all || column != 1 || !ok {
		t.Errorf("last line is %d:%d, %v", line, column, ok)
	}
	if _, _, ok := l.Position(all - most - 2); ok {
		t.Error("position of a line that was dropped")
	}
	if line, _, ok := l.Position(all - most); line != all-most+1 || !ok {
		t.Errorf("oldest line is %d, %v", line, ok)
	}
	if l.Room() > 4*most {
		t.Errorf("room for %d lines, want %d", l.Room(), most)
	}
}

// FuzzLines checks that every position that is reported is true, however the text is divided into
// reads and whatever is forgotten. Positions after the last forgotten line must be reported.
func FuzzLines(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\n\nlong line"), byte(0), byte(3), uint16(6))
	f.Add([]byte("o\x00\n\x00\x00\n\n\x00\n"), byte(1), byte(1), uint16(4))
	f.Add([]byte("\x00\x00\x00\n\n\x00\x00\x00\n\x00\x00\x00\x00\x00\x00"), byte(3), byte(2), uint16(9))
	all := []charset.Unicode{charset.UTF8, charset.UTF16LE, charset.UTF16BE, charset.UTF32LE, charset.UTF32BE}
	f.Fuzz(func(t *testing.T, raw []byte, cs, size byte, forget uint16) {
		if len(raw) > 2000 {
			return
		}
		l := decode.NewLines(bytes.NewReader(raw), all[int(cs)%len(all)].Newline())
		buf := make([]byte, 1+int(size)%64)
		gone := int64(0)
		for read := int64(0); ; {
			n, err := l.Read(buf)
			if read += int64(n); err != nil || l.Count() != read {
				if err != io.EOF || read != int64(len(raw)) {
					t.Fatalf("%d bytes of %d, %d counted, %v", read, len(raw), l.Count(), err)
				}
				break
			}
			if off := int64(forget); off <= read {
				l.Forget(off)
				gone = off
			}
		}
		for off := range len(raw) + 1 {
			line, column, ok := l.Position(int64(off))
			wantLine, wantColumn := place(all[int(cs)%len(all)], raw, off)
			if ok && (line != wantLine || column != wantColumn) || !ok && int64(off) >= gone {
				t.Fatalf("%q: byte %d is at %d:%d, %v, want %d:%d; forgotten up to %d", raw, off, line, column, ok, wantLine, wantColumn, gone)
			}
		}
	})
}
