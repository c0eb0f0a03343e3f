package transfer

import (
	"bytes"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func TestChunked(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"", ""},
		{"4\r\nhttp\r\n3;a=b\r\n://\r\n0\r\nA: b\r\n\r\n", "http://"},
		{"004 \nhttp\nA\n://a.examp\n0\n", "http://a.examp"},
		{"4\r\nhttp", "http"},
		{"4\r\nhttp\r\n", "http\r\n"},
		{"4\r\nhttp\r\nfff", "http\r\nfff"},
		{"<html>\n1\n2", "<html>\n1\n2"},
		{"4\r\nhttp://a.example\r\n", "http://a.example\r\n"}, // the size is wrong
		{"fffffffffffffffff\r\na", "fffffffffffffffff\r\na"},
		{"4x\r\nhttp", "4x\r\nhttp"},
	} {
		if got := decodetest.EveryWay(t, []byte(c.raw), NewChunked()); got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

func FuzzChunked(f *testing.F) {
	f.Add([]byte("4\r\nhttp\r\n3;a=b\r\n://\r\n0\r\nA: b\r\n\r\n"), 1, 1)
	f.Add([]byte("1\na\nzz"), 3, 2)
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		in, out = 1+(in&0x3F), 16+(out&0x3F)
		want := decodetest.Observe(bytes.NewReader(raw), NewChunked(), 1<<16)
		got := decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, NewChunked(), out)
		if err := got.Equal(want); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
	})
}
