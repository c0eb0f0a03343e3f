package split_test

import (
	"fmt"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/delimit/split"
)

func ExampleNext() {
	s := delimit.NewScanner(strings.NewReader("see http://example.org/a and <ftp://example.org/b>"), delimit.Options{})
	var c delimit.Candidate // one for all of them
	for split.Next(s, &c) == nil {
		fmt.Printf("%s at %d\n", c.Text, c.Inner.Start)
	}
	// Output:
	// http://example.org/a at 4
	// ftp://example.org/b at 30
}

func ExampleResetAt() {
	text := "<http://example.org/a>\n<http://example.org/b>\n"
	second := int64(strings.IndexByte(text, '\n') + 1)
	s := delimit.NewScanner(nil, delimit.Options{})
	split.ResetAt(s, strings.NewReader(text[second:]), second)
	c, err := s.Next()
	fmt.Printf("%s at %d, line %d: %v\n", c.Text, c.Inner.Start, c.Line, err)
	// Output:
	// http://example.org/b at 24, line 1: <nil>
}
