package decode_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// show prints what raw becomes by d, and where a piece of that stands in raw.
func show(d decode.Decoder, raw, piece string) {
	stage := decode.NewStage(strings.NewReader(raw), d)
	text, err := io.ReadAll(stage)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", text)
	start := int64(strings.Index(string(text), piece))
	lo, hi, exact := stage.Span(start, start+int64(len(piece)))
	fmt.Printf("%s is %q, exact: %v\n", piece, raw[lo:hi], exact)
}

// A soft line break goes, wherever it stands.
func ExampleNewQuotedPrintable() {
	show(decode.NewQuotedPrintable(), "see http://a/=\r\n?b=3Dc", "http://a/?b=c")
	// Output:
	// "see http://a/?b=c"
	// http://a/?b=c is "http://a/=\r\n?b=3Dc", exact: true
}

// A footer that a mailing list put behind is text, where text is encoded.
func ExampleNewBase64() {
	d := decode.NewBase64()
	d.Text = true
	show(d, "aHR0cDovL2EvYg==\r\n-- \r\nhttp://list/\r\n", "http://a/b")
	// Output:
	// "http://a/b\n-- \r\nhttp://list/\r\n"
	// http://a/b is "aHR0cDovL2EvYg==", exact: true
}

// UTF-8 stays, and what is none is taken for windows-1252.
func ExampleNewLenient() {
	show(decode.NewLenient(), "caf\xe9 or caf\xc3\xa9", "or")
	// Output:
	// "café or café"
	// or is "or", exact: true
}

// A quoted line flows on in the next one that is quoted as deep.
func ExampleNewFlowed() {
	show(decode.NewFlowed(), "> see http://a/b \r\n> c\r\nI saw", "http://a/bc")
	// Output:
	// "> see http://a/bc\r\nI saw"
	// http://a/bc is "http://a/b \r\n> c", exact: true
}

// Content lines of a calendar are folded anywhere.
func ExampleNewUnfold() {
	show(decode.NewUnfold(), "URL:http://a/b\r\n c\r\nEND:VEVENT", "http://a/bc")
	// Output:
	// "URL:http://a/bc\r\nEND:VEVENT"
	// http://a/bc is "http://a/b\r\n c", exact: true
}
