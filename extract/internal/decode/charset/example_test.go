package charset_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
)

// SniffBOM recognises UTF-16 by its byte order mark. The text is decoded to UTF-8.
func ExampleSniffBOM() {
	raw := "\xFE\xFF\x00c\x00a\x00f\x00\xE9"
	cs, n := charset.SniffBOM([]byte(raw))
	link := decode.NewLink(strings.NewReader(raw[n:]), charset.NewUnicode(cs))
	text, _ := io.ReadAll(link)
	lo, hi, _ := link.Span(3, 5)
	fmt.Printf("%v: %s, the last letter from [%d:%d]\n", cs, text, lo, hi)
	// Output: utf-16be: café, the last letter from [6:8]
}

// Valid UTF-8 is kept, and other bytes are read as windows-1252.
func ExampleNewLenient() {
	raw := "caf\xe9 or caf\xc3\xa9"
	link := decode.NewLink(strings.NewReader(raw), charset.NewLenient())
	text, _ := io.ReadAll(link)
	lo, hi, exact := link.Span(6, 8)
	fmt.Printf("%q\n%s is %q, exact: %v\n", text, text[6:8], raw[lo:hi], exact)
	// Output:
	// "café or café"
	// or is "or", exact: true
}
