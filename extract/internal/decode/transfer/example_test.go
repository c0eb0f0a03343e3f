package transfer_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
)

// show decodes raw with d, and prints the text and the raw bytes of a piece of it.
func show(d decode.Decoder, raw, piece string) {
	stage := decode.NewLink(strings.NewReader(raw), d)
	text, err := io.ReadAll(stage)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", text)
	start := int64(strings.Index(string(text), piece))
	lo, hi, exact := stage.Span(start, start+int64(len(piece)))
	fmt.Printf("%s is %q, exact: %v\n", piece, raw[lo:hi], exact)
}

// A soft line break is removed wherever it is.
func ExampleNewQuotedPrintable() {
	show(transfer.NewQuotedPrintable(), "see http://a/=\r\n?b=3Dc", "http://a/?b=c")
	// Output:
	// "see http://a/?b=c"
	// http://a/?b=c is "http://a/=\r\n?b=3Dc", exact: true
}

// In an encoded text, a footer that a mailing list has appended is kept as text.
func ExampleNewBase64() {
	d := transfer.NewBase64()
	d.Text = true
	show(d, "aHR0cDovL2EvYg==\r\n-- \r\nhttp://list/\r\n", "http://a/b")
	// Output:
	// "http://a/b\n-- \r\nhttp://list/\r\n"
	// http://a/b is "aHR0cDovL2EvYg==", exact: true
}

// A quoted flowed line continues in the next line with the same quote depth.
func ExampleNewFlowed() {
	show(transfer.NewFlowed(), "> see http://a/b \r\n> c\r\nI saw", "http://a/bc")
	// Output:
	// "> see http://a/bc\r\nI saw"
	// http://a/bc is "http://a/b \r\n> c", exact: true
}

// Lines of a calendar may be folded anywhere.
func ExampleNewUnfold() {
	show(transfer.NewUnfold(), "URL:http://a/b\r\n c\r\nEND:VEVENT", "http://a/bc")
	// Output:
	// "URL:http://a/bc\r\nEND:VEVENT"
	// http://a/bc is "http://a/b\r\n c", exact: true
}
