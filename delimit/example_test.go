package delimit_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing/iotest"

	"github.com/urlsift/urlsift/delimit"
)

// A reply quotes a message that set two URLs apart as Appendix E recommends, and
// the mailer wrapped one of them. What is found are the references, and where
// they stand.
func Example() {
	mail := `> Yes, Jim, I found it under "http://www.w3.org/Addressing/",
> but you can probably pick it up from <URL:ftp://ds.internic.
> net/rfc/>.
Thanks! (It is at http://example.org/mirror_(eu), too.)
`
	s := delimit.NewScanner(strings.NewReader(mail), delimit.Options{})
	for c, err := range s.All() {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%d:%d %s %s\n", c.Line, c.Column, c.Form, c.Text)
	}
	// Output:
	// 1:31 quote http://www.w3.org/Addressing/
	// 2:45 angle ftp://ds.internic.net/rfc/
	// 4:19 none http://example.org/mirror_(eu)
}

func ExampleScanner_Next() {
	s := delimit.NewScanner(strings.NewReader("see http://example.org/a, or <mailto:jo@example.org>"), delimit.Options{})
	for {
		c, err := s.Next()
		if err != nil { // io.EOF behind the last one
			break
		}
		fmt.Printf("%q [%d,%d) tail %q\n", c.Text, c.Inner.Start, c.Inner.End, c.Tail)
	}
	// Output:
	// "http://example.org/a" [4,24) tail ","
	// "mailto:jo@example.org" [30,51) tail ""
}

func ExampleScanner_Reset() {
	s := delimit.NewScanner(strings.NewReader("<news:comp.text>"), delimit.Options{})
	for _, next := range []string{"<urn:isbn:0451450523>", ""} {
		c, _ := s.Next()
		fmt.Printf("%s\n", c.Text)
		s.Reset(strings.NewReader(next))
	}
	// Output:
	// news:comp.text
	// urn:isbn:0451450523
}

func ExampleScanner_ResetBytes() {
	s := delimit.NewScanner(nil, delimit.Options{})
	for _, message := range []string{"at http://example.org/a", "or <news:comp.text>?"} {
		s.ResetBytes([]byte(message))
		for c := range s.All() {
			fmt.Printf("%s\n", c.Text)
		}
	}
	// Output:
	// http://example.org/a
	// news:comp.text
}

func ExampleCandidate_Readings() {
	s := delimit.NewScanner(strings.NewReader("<http://example.org/some-\n   file.html>"), delimit.Options{})
	c, _ := s.Next()
	fmt.Printf("%s\n", c.Text)
	for reading, text := range c.Readings(nil) {
		fmt.Printf("%s: %s\n", reading, text)
	}
	// Output:
	// http://example.org/some-file.html
	// hyphen: http://example.org/somefile.html
}

func ExampleCandidate_Clone() {
	s := delimit.NewScanner(strings.NewReader("http://a.example/ http://b.example/"), delimit.Options{})
	first, _ := s.Next()
	kept := first.Clone()
	s.Next() // spoils first, but not kept
	fmt.Printf("%s\n", kept.Text)
	// Output: http://a.example/
}

func ExampleOptions() {
	opts := delimit.Options{Extras: delimit.Abbreviated | delimit.Defanged | delimit.Address}
	s := delimit.NewScanner(strings.NewReader("www.example.org, hxxp://evil[.]example, jo@example.org"), opts)
	for c := range s.All() {
		fmt.Printf("%s: %s\n", c.By, c.Ref)
	}
	// Output:
	// abbreviated: http://www.example.org
	// defanged: http://evil.example
	// address: mailto:jo@example.org
}

func ExampleKnown() {
	fmt.Println(delimit.Known([]byte("MailTo")), delimit.Known([]byte("http")))
	// Output: true false
}

func ExampleExtra_UnmarshalText() {
	var x delimit.Extra
	fmt.Println(x.UnmarshalText([]byte("defanged,rejoin")), x)
	// Output: <nil> defanged,rejoin
}

func ExampleScanner_NextInto() {
	s := delimit.NewScanner(strings.NewReader("see http://example.org/a and <ftp://example.org/b>"), delimit.Options{})
	var c delimit.Candidate // one for all of them
	for s.NextInto(&c) == nil {
		fmt.Printf("%s at %d\n", c.Text, c.Inner.Start)
	}
	// Output:
	// http://example.org/a at 4
	// ftp://example.org/b at 30
}

func ExampleScanner_ResetAt() {
	text := "<http://example.org/a>\n<http://example.org/b>\n"
	second := int64(strings.IndexByte(text, '\n') + 1)
	s := delimit.NewScanner(nil, delimit.Options{})
	s.ResetAt(strings.NewReader(text[second:]), second)
	c, err := s.Next()
	fmt.Printf("%s at %d, line %d: %v\n", c.Text, c.Inner.Start, c.Line, err)
	// Output:
	// http://example.org/b at 24, line 1: <nil>
}

// A lines is a reader of one line after another. It calls next before each.
type lines struct {
	text string
	next func()
}

func (l *lines) Read(p []byte) (int, error) {
	l.next()
	if l.text == "" {
		return 0, io.EOF
	}
	n := copy(p, l.text[:strings.IndexByte(l.text, '\n')+1])
	l.text = l.text[n:]
	return n, nil
}

// Two scanners read a text, one of them from its second line on. After a few lines their
// states are equal: from there on they find the same.
func ExampleScanner_State() {
	text := strings.Repeat("See <http://example.org/\n  a> and http://example.org/b\n", 20)
	states := func(from int) (all []delimit.State) { // at the beginning of each line
		s := delimit.NewScanner(nil, delimit.Options{})
		s.ResetAt(&lines{text[from:], func() { all = append(all, s.State()) }}, int64(from))
		for range s.All() {
		}
		return all
	}
	first, second := states(0), states(strings.IndexByte(text, '\n')+1)
	equal := 0
	for first[equal+1] != second[equal] {
		equal++
	}
	fmt.Println("equal after", equal, "lines, and at the end:", first[len(first)-1] == second[len(second)-1])
	// Output:
	// equal after 19 lines, and at the end: true
}

// Of two scanners that count offsets from different places, one is moved before they are
// compared.
func ExampleState_Moved() {
	line := "see http://example.org/a and <http://example.org/b>\n"
	state := func(at int64, text string) (last delimit.State) {
		s := delimit.NewScanner(nil, delimit.Options{})
		s.ResetAt(&lines{text, func() { last = s.State() }}, at)
		for range s.All() {
		}
		return last
	}
	whole := state(0, strings.Repeat(line, 100))
	half := state(0, strings.Repeat(line, 50)) // it does not know what was in front of it
	fmt.Println(half == whole, half.Moved(50*int64(len(line))) == whole)
	// Output: false true
}

// After an error of the reader, Reached says where the text broke off.
func ExampleScanner_Reached() {
	cut := errors.New("connection lost")
	text := strings.NewReader("see http://example.org/a\nand ")
	s := delimit.NewScanner(io.MultiReader(text, iotest.ErrReader(cut)), delimit.Options{})
	for c, err := range s.All() {
		if err != nil {
			line, column := s.Reached()
			fmt.Printf("line %d, column %d: %v\n", line, column, err)
			break
		}
		fmt.Printf("%s\n", c.Text)
	}
	// Output:
	// http://example.org/a
	// line 2, column 5: connection lost
}

// In an article of news a message id after "URL:" is a reference to another article.
func ExampleScanner_InArticle() {
	s := delimit.NewScanner(nil, delimit.Options{})
	for _, article := range []bool{false, true} {
		s.InArticle(article)
		s.Reset(strings.NewReader("As Jim said in <URL:456@h.example>,"))
		for c, err := range s.All() {
			if err != nil {
				fmt.Println(err)
			}
			fmt.Printf("%v: %s\n", article, c.Text)
		}
	}
	// Output:
	// true: 456@h.example
}

// The second line continues a wrapper that begins in the first, since both have the same
// quote prefix.
func ExampleQuotePrefix() {
	for _, line := range []string{"> see <http://h/a/", "> b>", "    indented", "none"} {
		fmt.Printf("%q\n", line[:delimit.QuotePrefix([]byte(line))])
	}
	// Output:
	// "> "
	// "> "
	// "    "
	// ""
}

// A caller with a grammar of its own escapes the rest by that.
func ExampleCandidate_AppendSpaced() {
	s := delimit.NewScanner(strings.NewReader("<http://h.example/é b>"), delimit.Options{})
	for c := range s.All() {
		fmt.Printf("%s\n", c.AppendReading(nil, delimit.SpaceEscaped))
		fmt.Printf("%s\n", c.AppendSpaced(nil))
	}
	// Output:
	// http://h.example/%C3%A9%20b
	// http://h.example/é%20b
}
