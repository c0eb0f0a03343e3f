package html

import (
	"bytes"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// FuzzHTML reads arbitrary bytes. Text and attributes must not depend on the sizes of reads, and
// positions must be correct.
func FuzzHTML(f *testing.F) {
	for _, p := range pages {
		f.Add([]byte(p.html), 1, 1)
	}
	h := New(nil)
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		want := observeHTML(bytes.NewReader(raw), h, 1<<16)
		checkHTML(t, raw, want)
		if want.Err != "" {
			t.Fatalf("%q: %s", raw, want.Err)
		}
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		if err := observeHTML(&decodetest.Chunks{B: raw, N: in}, h, out).Equal(want); err != nil {
			t.Fatalf("%q, reads of %d into %d: %v", raw, in, out, err)
		}
	})
}

// FuzzHTMLPieces combines pieces of markup in any order. That reaches more code than arbitrary
// bytes.
func FuzzHTMLPieces(f *testing.F) {
	pieces := []string{"<", ">", "/", "!", "--", "-", "?", "'", "\"", "=", " ", "\n", "&", "#", "x", ";", "a", "script",
		"title", "meta", "style", "img", "b", "href", "src", "srcset", "content", "5; url=", "url(", ")", ",", "amp", "38",
		"http://a/", "plaintext", "\xff", "é", "<a href=", "<!--", "-->", "</script>", "<script>", "alt=", "<!doctype", "[", "xmlns:a=", "href=\"\""}
	f.Add([]byte{39, 33, 1, 0, 3, 4})
	f.Add([]byte{0, 19, 10, 26, 9, 8, 27, 33, 8, 1})
	h := New(nil)
	f.Fuzz(func(t *testing.T, which []byte) {
		var raw []byte
		for _, w := range which[:min(len(which), 200)] {
			raw = append(raw, pieces[int(w)%len(pieces)]...)
		}
		want := observeHTML(bytes.NewReader(raw), h, 1<<16)
		checkHTML(t, raw, want)
		for _, size := range []int{1, 2, 5, 17, 40} {
			if err := observeHTML(&decodetest.Chunks{B: raw, N: size}, h, size).Equal(want); err != nil {
				t.Fatalf("%q, %d at a time: %v", raw, size, err)
			}
		}
	})
}
