package decode_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/html"
)

// A Chain decodes an HTML page to text. Positions in the text are located in the page.
func Example() {
	page := "<p>See\n&lt;<a href='/draft?a&amp;b'>http://a/<wbr>draft?a&amp;b</a>&gt;"

	var chain decode.Chain
	lines := decode.NewLines(strings.NewReader(page), charset.UTF8.Newline())
	chain.Reset(lines, 0)
	chain.PushDecoder(html.New(func(a decode.Attr) error {
		lo, hi, _ := chain.SpanBelow(a.Start, a.End)
		fmt.Printf("%s %s=%s is %s\n", a.Tag, a.Name, a.Value, page[lo:hi])
		return nil
	}))
	text, err := io.ReadAll(&chain)
	if err != nil {
		fmt.Println(err)
	}

	const found = "http://a/draft?a&b"
	start := int64(strings.Index(string(text), found))
	lo, hi, exact := chain.Span(start, start+int64(len(found)))
	line, column, _ := lines.Position(lo)
	fmt.Printf("%s is %s at %d:%d, exact: %v\n", found, page[lo:hi], line, column, exact)
	// Output:
	// a href=/draft?a&b is /draft?a&amp;b
	// http://a/draft?a&b is http://a/<wbr>draft?a&amp;b at 2:30, exact: true
}
