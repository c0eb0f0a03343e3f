package header

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// plainBlock reads block in full, and reports whether it is what [Decoder.Plain] asks
// for, but for what it may miss, and the length of its text.
func plainBlock(block []byte) (text int, may bool) {
	h := &Decoder{IDs: true}
	got := observeHeader(bytes.NewReader(block), h, 1<<16)
	return len(got.Text), len(got.Attrs) == 0 && got.Err == "" && !strings.Contains(got.Text, ":") && !h.told
}

func TestHeaderPlain(t *testing.T) {
	for _, c := range []struct {
		block string
		ok    bool
	}{
		{"", true},
		{"Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n", true},
		{"Content-Type: multipart/mixed;\n boundary=b\n", true},
		{"Content-Type: a=b", true},
		{"A:\nB:\n", true},
		{"A", false},
		{"a b\n", false},
		{"A: b:c\n", false},
		{"A: b\r\n", false},
		{"A: =?utf-8?q?http=3A//a/?=\n", false},
		{"A: \xe9\n", false},
		{"Content-Location: a\n", false},
		{"Content-ID: <a@b>\n", false},
		{"From a@b\nA: b\n", false},
		{"http: //a/\n", false},
	} {
		h := &Decoder{IDs: true}
		text, ok := h.Plain([]byte(c.block))
		if ok != c.ok {
			t.Errorf("%q: %v", c.block, ok)
		}
		if want, may := plainBlock([]byte(c.block)); ok && (!may || text != want) {
			t.Errorf("%q: %d bytes of text, want %d, %v", c.block, text, want, may)
		}
	}
}

func TestHeaderPlainRandom(t *testing.T) {
	pieces := []string{
		"Content-Type", "A", "Content-ID", "content-location", "References", ":", ":", ": ", " ", "\n", "\n", "\n ", "\n\t", "\r\n", "=", "?",
		"=?utf-8?q?=3A?=", "x", "text/plain; charset=x", "From ", "http:", "//a/", "\xe9", "é",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	plain := 0
	for range 20000 {
		var block []byte
		for range rng.IntN(12) {
			block = append(block, pieces[rng.IntN(len(pieces))]...)
			if rng.IntN(3) == 0 {
				block = append(block, "\nA: b"...)
			}
		}
		h := &Decoder{IDs: true}
		text, ok := h.Plain(block)
		if !ok {
			continue
		}
		plain++
		if want, may := plainBlock(block); !may || text != want {
			t.Fatalf("%q: %d bytes of text, want %d, %v", block, text, want, may)
		}
	}
	if plain < 100 {
		t.Errorf("only %d blocks are plain", plain)
	}
}
