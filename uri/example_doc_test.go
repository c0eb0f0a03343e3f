package uri_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// The example at the beginning of doc.go.
func Example_resolve() {
	page := uri.MustParse("http://www.example.org/people/jim/links.html")
	base, err := uri.NewBase(page, uri.RFC3986)
	if err != nil {
		log.Fatal(err)
	}
	link, err := uri.Parse("../tim/?q=1#top", uri.RFC3986)
	if err != nil {
		log.Fatal(err) // a *uri.Error: which byte, in which component, and why
	}
	target, err := base.Resolve(link)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(target)                       // http://www.example.org/people/tim/?q=1#top
	fmt.Println(target.Host(), target.Path()) // www.example.org /people/tim/

	// Output:
	// http://www.example.org/people/tim/?q=1#top
	// www.example.org /people/tim/
}

func Example_split() {
	text := []byte("http://www.example.org/people/jim/")

	p := uri.Split(text)
	if got, _ := uri.Accepts(text, p, uri.Every); got&uri.RFC3986 != 0 {
		lo, hi, _ := p.Span(uri.Host)
		fmt.Printf("%s\n", text[lo:hi])
	}

	// Output:
	// www.example.org
}

// TestDocRuns checks that the code in doc.go is the same as in these examples.
func TestDocRuns(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_doc_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(doc)) {
		if strings.HasPrefix(line, "// # Vocabulary") {
			break
		}
		if code, ok := strings.CutPrefix(line, "//\t"); ok {
			lines++
			if !strings.Contains(string(source), "\n\t"+code) {
				t.Errorf("doc.go: no example has the line %s", code)
			}
		}
	}
	if lines < 15 {
		t.Errorf("doc.go begins with %d lines of code only", lines)
	}
}

func ExampleRef() {
	r := uri.MustParse("http://jim:secret@www.example.org:8080/a%20b/?q=1#top")
	fmt.Println(r.Scheme(), r.Authority())
	fmt.Println(r.Userinfo(), r.Host(), r.Port())
	fmt.Println(r.Path(), r.Query(), r.Fragment())
	fmt.Printf("%s\n", uri.AppendUnescaped(nil, r.Path()))
	// Output:
	// http jim:secret@www.example.org:8080
	// jim:secret www.example.org 8080
	// /a%20b/ q=1 top
	// /a b/
}

func ExampleGrammar_Title() {
	for g := range (uri.URL1997 | uri.RFC3986).Each() {
		fmt.Printf("%v: %s\n", g, g.Title())
	}
	// Output:
	// url-1997: draft-fielding-url-syntax-05, May 1997
	// rfc3986: RFC 3986, January 2005
}

// A report names the rules by which references were resolved: those of the newest grammar of the
// set, or of Default if the set is empty.
func ExampleGrammar_Newest() {
	for _, set := range []uri.Grammar{uri.URL1993 | uri.URL1997, uri.Every, 0} {
		base, err := uri.NewBase(uri.MustParse("http://example.org/a?x"), set)
		if err != nil {
			log.Fatal(err)
		}
		target, err := base.Resolve(uri.MustParse("?y"))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s by the rules of %s\n", target, set.Newest())
	}
	// Output:
	// http://example.org/?y by the rules of url-1997
	// http://example.org/a?y by the rules of rfc3986
	// http://example.org/a?y by the rules of uri-2002
}
