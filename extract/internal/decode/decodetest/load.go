package decodetest

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// Sentence is ordinary text with a URL, on two lines.
const Sentence = "The quick brown fox, see http://www.example.org/animals?fox=1 for more of it, jumps over\nthe lazy dog. "

// Endless is a reader that repeats Unit without end.
type Endless struct {
	Unit []byte
	at   int
}

func (e *Endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.Unit[e.at:])
		n += k
		e.at = (e.at + k) % len(e.Unit)
	}
	return n, nil
}

// Page returns a long input that s describes: the part in front of '|' once, and then n bytes
// that repeat the part after it. Without a '|' all of s is repeated.
func Page(s string, n int) io.Reader {
	first, again, ok := strings.Cut(s, "|")
	if !ok {
		first, again = "", s
	}
	return io.MultiReader(strings.NewReader(first), io.LimitReader(&Endless{Unit: []byte(again)}, int64(n)))
}

// Benchmark measures how fast a Chain reads raw through d, or without a decoder if d is nil.
func Benchmark(b *testing.B, raw []byte, d decode.Decoder) {
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	src := bytes.NewReader(raw)
	newline := []byte("\n")
	lines := decode.NewLines(src, newline)
	c := decode.Chain{Keep: 64 << 10}
	buf := make([]byte, 64<<10)
	best := time.Hour
	for b.Loop() {
		start := Clock()
		src.Reset(raw)
		lines.Reset(src, newline)
		c.Reset(lines, 0)
		if d != nil {
			c.PushDecoder(d)
		}
		for {
			if _, err := c.Read(buf); err != nil {
				break
			}
		}
		best = min(best, Clock()-start)
	}
	// Report the best run, in processor time, because the machine may be busy.
	b.ReportMetric(float64(len(raw))/1e6/best.Seconds(), "best-MB/s")
}

// Rounds is how often a time is measured; the shortest counts. In the short form of the tests, which CONTRIBUTING.md
// describes, a time is measured again only if it is too long.
var Rounds = func() int {
	if os.Getenv("URLSIFT_LONG") == "" {
		return 1
	}
	return 3
}()

// Linear fails if d takes much more than twice the time for twice the page.
func Linear(t *testing.T, name, s string, d decode.Decoder) {
	const n = 1 << 16
	var c decode.Chain
	c.Keep = 64 << 10
	buf := make([]byte, 64<<10)
	run := func(n int) time.Duration {
		best := time.Hour
		for range Rounds {
			c.Reset(Page(s, n), 0)
			c.PushDecoder(d)
			start := Clock()
			for {
				if _, err := c.Read(buf); err != nil {
					break
				}
			}
			best = min(best, Clock()-start)
		}
		return best
	}
	var one, two time.Duration
	for range 15 / Rounds { // try again, because the machine may be busy
		one, two = run(n), run(2*n)
		if two <= one*5/2+time.Millisecond {
			break
		}
	}
	if two > one*5/2+time.Millisecond || one > n*500*time.Nanosecond {
		t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
	}
	if _, room := c.Mappings(); room > 8*len(buf) {
		t.Errorf("%s: room for %d marks", name, room)
	}
}

// Encode returns s in the named form of Unicode, such as "utf-16le", without a byte order mark.
func Encode(name, s string) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if strings.HasSuffix(name, "be") {
		order = binary.BigEndian
	}
	var b []byte
	for _, r := range s {
		if strings.HasPrefix(name, "utf-32") {
			b = order.AppendUint32(b, uint32(r))
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			b = order.AppendUint16(b, u)
		}
	}
	return b
}
