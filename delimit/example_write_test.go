package delimit_test

import (
	"fmt"
	"strings"

	"github.com/urlsift/urlsift/delimit"
)

func ExampleAppendWrapped() {
	ref := []byte("http://www.example.org/people/jim/a-long-name/links.html?topic=wrapping#examples")
	text := []byte("> The page is at ")
	text, ok := delimit.AppendWrapped(text, ref, delimit.WrapOptions{Width: 50, Column: len(text), Quote: "> ", Indent: 2})
	fmt.Printf("%s.\n%v\n", text, ok)

	for c := range delimit.NewScanner(strings.NewReader(string(text)), delimit.Options{}).All() {
		fmt.Printf("%s\n", c.Text)
	}
	// Output:
	// > The page is at <http://www.example.org/people/
	// >   jim/a-long-name/links.html?topic=wrapping#
	// >   examples>.
	// true
	// http://www.example.org/people/jim/a-long-name/links.html?topic=wrapping#examples
}

func ExampleSurvives() {
	for _, s := range []string{"http://www.example.org/a_(b)", "http://www.example.org/end.", "http://www.example.org/it's", "../x", "mailto:jim@example.org"} {
		fmt.Println(s, delimit.Survives([]byte(s)))
	}
	// Output:
	// http://www.example.org/a_(b) true
	// http://www.example.org/end. false
	// http://www.example.org/it's true
	// ../x false
	// mailto:jim@example.org true
}

func ExampleTyped() {
	fmt.Printf("%s\n", delimit.Typed(nil, []byte("<URL: http://www.example.org/ typed/\n  with/blanks >")))
	// Output: http://www.example.org/typed/with/blanks
}
