package delimit_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/urlsift/urlsift/delimit"
)

// Two goroutines scan one text, each a part of it. The text is cut in front of a line where nothing that is in front matters: within the brackets of
// a wrapped reference it may not be cut.
func ExampleOptions_Neutral() {
	text := []byte(strings.Repeat("See <http://example.org/\n  a> and http://example.org/b\n", 1000))
	var opts delimit.Options

	cut := len(text) / 2
	for cut < len(text) && !opts.Neutral(text, cut, true) {
		cut += bytes.IndexByte(text[cut:], '\n') + 1
	}
	scan := func(part []byte) (found []string) {
		for c := range delimit.NewScanner(bytes.NewReader(part), opts).All() {
			found = append(found, string(c.Text))
		}
		return found
	}
	rest := make(chan []string)
	go func() { rest <- scan(text[cut:]) }()
	first, second := scan(text[:cut]), <-rest

	fmt.Printf("The second part begins with %q.\n", text[cut:cut+24])
	fmt.Println(len(first), "and", len(second), "candidates; the last is", second[len(second)-1])
	// Output:
	// The second part begins with "See <http://example.org/".
	// 1000 and 1000 candidates; the last is http://example.org/b
}
