package delimit_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"strings"
	"testing/iotest"

	"github.com/urlsift/urlsift/delimit"
)

// A reply quotes a message. The message has two URLs in wrappers, as Appendix E recommends, and the
// mail program has broken one over two lines. The Scanner finds the references and their positions.
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

func ExampleScanner_All() {
	s := delimit.NewScanner(strings.NewReader("see http://example.org/a, or <mailto:jo@example.org>"), delimit.Options{})
	for c, err := range s.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q [%d,%d) tail %q\n", c.Text, c.Inner.Start, c.Inner.End, c.Tail)
	}
	// Output:
	// "http://example.org/a" [4,24) tail ","
	// "mailto:jo@example.org" [30,51) tail ""
}

// A loop that takes one candidate after another needs one Candidate.
func ExampleScanner_Next() {
	s := delimit.NewScanner(strings.NewReader("see http://example.org/a and <ftp://example.org/b>"), delimit.Options{})
	var c delimit.Candidate
	for {
		err := s.Next(&c)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s at %d\n", c.Text, c.Inner.Start)
	}
	// Output:
	// http://example.org/a at 4
	// ftp://example.org/b at 30
}

func ExampleScanner_Reset() {
	s := delimit.NewScanner(nil, delimit.Options{})
	for _, text := range []string{"<news:comp.text>", "<urn:isbn:0451450523>"} {
		s.Reset(strings.NewReader(text))
		for c := range s.All() {
			fmt.Printf("%s\n", c.Text)
		}
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
	for c := range s.All() {
		fmt.Printf("%s\n", c.Text)
		for reading, text := range c.Readings(nil) {
			fmt.Printf("%s: %s\n", reading, text)
		}
	}
	// Output:
	// http://example.org/some-file.html
	// hyphen: http://example.org/somefile.html
}

// A program that wants one reading asks for its bit.
func ExampleCandidate_AppendReading() {
	s := delimit.NewScanner(strings.NewReader("http://example.org/?a=b&amp;c=d"), delimit.Options{})
	for c := range s.All() {
		ref := c.Text
		if c.Others&delimit.Entity != 0 {
			ref = c.AppendReading(nil, delimit.Entity)
		}
		fmt.Printf("%s\n", ref)
	}
	// Output: http://example.org/?a=b&c=d
}

func ExampleCandidate_Clone() {
	s := delimit.NewScanner(strings.NewReader("http://a.example/ http://b.example/"), delimit.Options{})
	var kept []delimit.Candidate
	for c := range s.All() {
		kept = append(kept, c.Clone()) // without Clone, the next iteration spoils c.Text
	}
	fmt.Printf("%s %s\n", kept[0].Text, kept[1].Text)
	// Output: http://a.example/ http://b.example/
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

func ExampleSchemes() {
	names := slices.Sorted(delimit.Schemes())
	_, found := slices.BinarySearch(names, "gopher")
	fmt.Println("gopher:", found)
	// Output: gopher: true
}

func ExampleExtra_UnmarshalText() {
	var x delimit.Extra
	fmt.Println(x.UnmarshalText([]byte("defanged,rejoin")), x)
	// Output: <nil> defanged,rejoin
}

// An unknown name is an error. The NameError has the name.
func ExampleNameError() {
	var x delimit.Extra
	err := x.UnmarshalText([]byte("defanged,rejoined"))
	var e *delimit.NameError
	if errors.As(err, &e) {
		fmt.Println("no extra:", e.Name)
	}
	fmt.Println(err)
	// Output:
	// no extra: rejoined
	// delimit: no extra is called "rejoined" (there are abbreviated, defanged, rejoin, address)
}

// A run of text that is longer than a reference may be is left out as a whole.
func ExampleScanner_Skipped() {
	text := "http://example.org/" + strings.Repeat("a", 100) + " http://example.org/b"
	s := delimit.NewScanner(strings.NewReader(text), delimit.Options{MaxLen: 80})
	for c := range s.All() {
		fmt.Printf("%s\n", c.Text)
	}
	runs, bytes := s.Skipped()
	fmt.Println(runs, "skipped, of", bytes, "bytes")
	// Output:
	// http://example.org/b
	// 1 skipped, of 119 bytes
}

// After an error of the reader, State has the position of the error.
func ExampleScanner_State() {
	cut := errors.New("connection lost")
	text := strings.NewReader("see http://example.org/a\nand ")
	s := delimit.NewScanner(io.MultiReader(text, iotest.ErrReader(cut)), delimit.Options{})
	for c, err := range s.All() {
		if err != nil {
			at := s.State()
			fmt.Printf("line %d, column %d: %v\n", at.Line, at.Column, err)
			break
		}
		fmt.Printf("%s\n", c.Text)
	}
	// Output:
	// http://example.org/a
	// line 2, column 5: connection lost
}

// In an article of news a message id after "URL:" is a reference to another article.
func ExampleOptions_article() {
	for _, article := range []bool{false, true} {
		s := delimit.NewScanner(strings.NewReader("As Jim said in <URL:456@h.example>,"), delimit.Options{Article: article})
		for c := range s.All() {
			fmt.Printf("%v: %s\n", article, c.Text)
		}
	}
	// Output:
	// true: 456@h.example
}

// The second line continues a wrapper that begins in the first, because both lines have the same
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

// A caller with its own grammar escapes the other characters by that grammar.
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
