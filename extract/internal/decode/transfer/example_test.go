package transfer_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
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
	show(transfer.NewQuotedPrintable(), "see http://a/=\r\n?b=3Dc", "http://a/?b=c")
	// Output:
	// "see http://a/?b=c"
	// http://a/?b=c is "http://a/=\r\n?b=3Dc", exact: true
}

// A footer that a mailing list put after is text, where text is encoded.
func ExampleNewBase64() {
	d := transfer.NewBase64()
	d.Text = true
	show(d, "aHR0cDovL2EvYg==\r\n-- \r\nhttp://list/\r\n", "http://a/b")
	// Output:
	// "http://a/b\n-- \r\nhttp://list/\r\n"
	// http://a/b is "aHR0cDovL2EvYg==", exact: true
}

// A quoted line flows on in the next one that is quoted as deep.
func ExampleNewFlowed() {
	show(transfer.NewFlowed(), "> see http://a/b \r\n> c\r\nI saw", "http://a/bc")
	// Output:
	// "> see http://a/bc\r\nI saw"
	// http://a/bc is "http://a/b \r\n> c", exact: true
}

// Content lines of a calendar are folded anywhere.
func ExampleNewUnfold() {
	show(transfer.NewUnfold(), "URL:http://a/b\r\n c\r\nEND:VEVENT", "http://a/bc")
	// Output:
	// "URL:http://a/bc\r\nEND:VEVENT"
	// http://a/bc is "http://a/b\r\n c", exact: true
}
