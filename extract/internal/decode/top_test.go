package decode

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// halver is a Decoder that removes every second byte. It reports damage at the first '!'.
type halver struct {
	odd, reported bool
}

func (h *halver) Reset() { *h = halver{} }

func (h *halver) Decode(dst, src []byte, _ bool) (Conversion, error) {
	if len(src) == 0 {
		return Conversion{}, nil
	}
	h.odd = !h.odd
	if !h.odd {
		return Conversion{In: 1}, nil
	}
	dst[0] = src[0]
	conv := Conversion{1, 1, 1, 1}
	if src[0] == '!' && !h.reported {
		h.reported = true
		return conv, damage.Skipped("half", 0, "'!'")
	}
	return conv, nil
}

// TestTop reads several parts of a stream through the same links.
func TestTop(t *testing.T) {
	const raw = "0.1.2.3.!.5.!.7."
	var found []string
	c := Chain{Mild: func(e *damage.Damage, _ int) { found = append(found, e.Error()) }}
	c.Reset(strings.NewReader(raw), 100)
	c.PushDecoder(new(halver))
	under := c.Top()
	for _, want := range []struct {
		text   string
		lo, hi int64 // offsets of the last byte
	}{{"0", 100, 101}, {"!", 108, 109}} {
		c.Cut(1)
		if c.Len() != 1 {
			t.Fatalf("%d stages are left", c.Len())
		}
		c.Push(NewLink(io.LimitReader(under, 4), new(halver)))
		text := make([]byte, 16)
		n, err := io.ReadFull(&c, text[:2])
		if err != nil || !strings.HasPrefix(string(text[:n]), want.text) {
			t.Errorf("read %q, %v, want %q...", text[:n], err, want.text)
		}
		if rest, err := io.ReadAll(&c); len(rest) > 0 || err != nil {
			t.Errorf("after it %q, %v", rest, err)
		}
	}
	if lo, hi, exact := under.Span(4, 5); lo != 108 || hi != 109 || !exact {
		t.Errorf("byte 4 is at [%d, %d) %v", lo, hi, exact)
	}
	if len(found) == 0 || found[0] != "half: '!' at offset 108" {
		t.Errorf("damage is %q", found)
	}
}

// TestPeeker examines the beginning of the decoded text, adds a decoder, and reads all of the text.
func TestPeeker(t *testing.T) {
	var c Chain
	var p Peeker
	for range 2 {
		c.Reset(strings.NewReader("a-b-c-d-"), 0)
		c.PushDecoder(new(halver))
		c.PushPeeker(&p)
		if head, err := p.Peek(2); string(head) != "ab" || err != nil {
			t.Errorf("the head is %q, %v", head, err)
		}
		c.PushDecoder(new(halver))
		text, err := io.ReadAll(&c)
		if !bytes.Equal(text, []byte("ac")) || err != nil {
			t.Errorf("the text is %q, %v", text, err)
		}
		if lo, hi, exact := c.Span(1, 2); lo != 4 || hi != 5 || !exact {
			t.Errorf("its last byte is at [%d, %d) %v", lo, hi, exact)
		}
	}
}
