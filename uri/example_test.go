package uri_test

import (
	"errors"
	"fmt"

	"github.com/urlsift/urlsift/uri"
)

// The links of a page from 1997, written by hand: the example repairs and validates each,
// resolves it against the page, hides passwords and prints warnings.
func Example() {
	page := uri.MustParse("http://www.example.org/people/jim/links.html")
	base, err := uri.NewBase(page, uri.URI2002)
	if err != nil {
		fmt.Println(err)
		return
	}
	var url, target []byte // reused for each link
	for _, link := range []string{
		"../tim/",
		"#top",
		"Bücher und Noten.html",
		"ftp://jim:secret@ftp.example.org/pub/",
		"gopher://gopher.example.org:25/_MAIL%0D%0A",
		"http://{server}/",
	} {
		url = uri.AppendEscaped(url[:0], link, uri.Default)
		p := uri.Split(url)
		if err := uri.Explain(url, p, uri.URI2002); err != nil {
			fmt.Println(err)
			continue
		}
		if uri.SameDocument(base, url, p) {
			fmt.Printf("%s is on the page itself\n", url)
			continue
		}
		target, err = uri.AppendTarget(target[:0], base, url, p)
		if err != nil {
			fmt.Println(err)
			continue
		}
		p = uri.Split(target)
		fmt.Printf("%s", uri.AppendRedacted(nil, target, p))
		if w := uri.Warnings(target, p); w != 0 {
			fmt.Printf(" (beware: %v)", w)
		}
		fmt.Println()
	}
	// Output:
	// http://www.example.org/people/tim/
	// #top is on the page itself
	// http://www.example.org/people/jim/B%C3%BCcher%20und%20Noten.html
	// ftp://jim:***@ftp.example.org/pub/ (beware: password)
	// gopher://gopher.example.org:25/_MAIL%0D%0A (beware: port,control)
	// uri: host: byte '{' at offset 7 is not in uri-2002: "http://{server}/"
}

func ExampleSplit() {
	s := "http://www.ics.uci.edu/pub/ietf/uri/#Related"
	p := uri.Split(s)
	for c := uri.Scheme; c <= uri.Fragment; c++ {
		if lo, hi, ok := p.Span(c); ok {
			fmt.Printf("%v: %q\n", c, s[lo:hi])
		}
	}
	// Output:
	// scheme: "http"
	// authority: "www.ics.uci.edu"
	// host: "www.ics.uci.edu"
	// path: "/pub/ietf/uri/"
	// fragment: "Related"
}

func ExampleParts_Span() {
	for _, s := range []string{"http://a/", "http://a/?"} {
		lo, hi, ok := uri.Split(s).Span(uri.Query)
		fmt.Printf("%q %v\n", s[lo:hi], ok)
	}
	// Output:
	// "" false
	// "" true
}

func ExampleAccepts() {
	for _, s := range []string{"http://[::1]/", "12:30", "wais://h/db?a=b", "news:comp.text", "a b"} {
		got, bad := uri.Accepts(s, uri.Split(s), uri.Every)
		if got == 0 {
			fmt.Printf("%s: none, for the byte at %d\n", s, bad)
		} else {
			fmt.Printf("%s: %v\n", s, got)
		}
	}
	// Output:
	// http://[::1]/: uri-2002+rfc3986
	// 12:30: url-1996+url-1997
	// wais://h/db?a=b: url-1996+url-1997+uri-2002+rfc3986
	// news:comp.text: url-1993+url-1994+url-1996+url-1997+uri-2002+rfc3986
	// a b: none, for the byte at 1
}

func ExampleExplain() {
	s := `http://h/?q="x"`
	err := uri.Explain(s, uri.Split(s), uri.RFC3986)
	fmt.Println(err)
	var e *uri.Error
	if errors.As(err, &e) {
		fmt.Println(e.Component, e.Offset, e.Reason)
	}
	// Output:
	// uri: query: byte '"' at offset 12 is not in rfc3986: "http://h/?q=\"x\""
	// query 12 bad byte
}

func ExampleParse() {
	r, err := uri.Parse("mailto:jim@example.org?subject=URIs", uri.RFC3986)
	if err != nil {
		fmt.Println(err)
		return
	}
	path, _ := r.Get(uri.Path)
	query, _ := r.Get(uri.Query)
	fmt.Println(r.IsAbs(), path, query)
	// Output: true jim@example.org subject=URIs
}

func ExampleMustParse() {
	fmt.Println(uri.MustParse("../g").IsAbs())
	// Output: false
}

func ExampleBase_Resolve() {
	base, err := uri.NewBase(uri.MustParse("http://a/b/c/d;p?q"), uri.URI2002)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []uri.Excess{uri.Retain, uri.Remove, uri.RaiseError} {
		base.Excess = x
		target, err := base.Resolve(uri.MustParse("../../../g"))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(target)
	}
	// Output:
	// http://a/../g
	// http://a/g
	// uri: path: ".." at offset 0 goes above the root of the base: "../../../g"
}

func ExampleNewBase() {
	r := uri.MustParse("http://a/b/c/d;p?q")
	for g := range (uri.URL1993 | uri.URL1997 | uri.URI2002 | uri.RFC3986).Each() {
		base, err := uri.NewBase(r, g)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, s := range []string{".", "?y", "../../../g"} {
			target, err := uri.AppendTarget(nil, base, s, uri.Split(s))
			if err != nil {
				fmt.Println(err)
			}
			fmt.Printf("%-18s ", target)
		}
		fmt.Println(g)
	}
	// Output:
	// http://a/b/c       http://a/b/c/?y    http://a/../g      url-1993
	// http://a/b/c/      http://a/b/c/?y    http://a/../g      url-1997
	// http://a/b/c/      http://a/b/c/d;p?y http://a/../g      uri-2002
	// http://a/b/c/      http://a/b/c/d;p?y http://a/g         rfc3986
}

func ExampleAppendTarget() {
	base, err := uri.NewBase(uri.MustParse("http://a/b/c/d;p?q"), uri.RFC3986)
	if err != nil {
		fmt.Println(err)
		return
	}
	base.Lax = true
	var room [256]byte
	for _, s := range []string{"../g", "?y", "", "http:g"} {
		target, err := uri.AppendTarget(room[:0], base, s, uri.Split(s))
		fmt.Printf("%s %v\n", target, err)
	}
	// Output:
	// http://a/b/g <nil>
	// http://a/b/c/d;p?y <nil>
	// http://a/b/c/d;p?q <nil>
	// http://a/b/c/g <nil>
}

func ExampleSameDocument() {
	r := uri.MustParse("http://a/b#c")
	s := "http://a/b#d"
	for _, g := range []uri.Grammar{uri.URI2002, uri.RFC3986} {
		base, err := uri.NewBase(r, g)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(g, uri.SameDocument(base, s, uri.Split(s)))
	}
	// Output:
	// uri-2002 false
	// rfc3986 true
}

func ExampleAppendEscaped() {
	for _, s := range []string{
		"http://h/a b", "http://bücher.example/?q[]=ß", "http://h/#a#b", "http://h/%20", "http://h/%zz", "http://{host}/",
	} {
		fmt.Printf("%s\n", uri.AppendEscaped(nil, s, uri.Default))
	}
	// Output:
	// http://h/a%20b
	// http://b%C3%BCcher.example/?q%5B%5D=%C3%9F
	// http://h/#a%23b
	// http://h/%20
	// http://h/%25zz
	// http://{host}/
}

func ExampleAppendRedacted() {
	s := "ftp://jim:secret@h/"
	fmt.Printf("%s\n", uri.AppendRedacted(nil, s, uri.Split(s)))
	// Output: ftp://jim:***@h/
}

func ExampleWarnings() {
	for _, s := range []string{"http://h:8080/", "gopher://h:25/1", "http://256.1.1.1/", "telnet://u:p@h/%0d"} {
		fmt.Printf("%s %q\n", s, uri.Warnings(s, uri.Split(s)))
	}
	// Output:
	// http://h:8080/ ""
	// gopher://h:25/1 "port"
	// http://256.1.1.1/ "host"
	// telnet://u:p@h/%0d "password,control"
}

func ExampleGrammar_UnmarshalText() {
	var g uri.Grammar
	fmt.Println(g.UnmarshalText([]byte("uri-2002+rfc3986")), g)
	fmt.Println(g.UnmarshalText([]byte("rfc2396")))
	// Output:
	// <nil> uri-2002+rfc3986
	// uri: no grammar is called "rfc2396" (there are url-1993, url-1994, url-1996, url-1997, uri-2002, rfc3986)
}
