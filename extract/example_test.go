package extract_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// A directory has plain, compressed and damaged files. All that can be read is read; the damage is
// reported.
func Example() {
	dir, err := os.MkdirTemp("", "spool")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, "> Yes, Jim, I found it under <URL:http://www.w3.org/\n> Addressing/>, but\n")
	fmt.Fprint(z, "> you can probably pick it up from <ftp://ds.internic.net/rfc/>.\n")
	_ = z.Close()
	for name, data := range map[string][]byte{
		"1": []byte("Note the warning in http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING.\n"),
		"2": packed.Bytes(),
		"3": packed.Bytes()[:packed.Len()-12],
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			panic(err)
		}
	}

	x, err := extract.New(extract.Options{})
	if err != nil {
		panic(err)
	}
	for r, err := range x.Run(context.Background(), extract.Walk(dir)) {
		if err != nil {
			fmt.Println(strings.TrimPrefix(err.Error(), dir))
			continue
		}
		place := strings.TrimPrefix(r.Origin.String(), dir)
		fmt.Printf("%s %s (%s)\n", place, r.URL, r.Candidate.Form)
	}
	fmt.Println(x.Stats().Sources, "files")
	// Output:
	// /1:1:21 http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING (none)
	// /2:1:35 http://www.w3.org/Addressing/ (angle)
	// /2:3:37 ftp://ds.internic.net/rfc/ (angle)
	// /3:1:35 http://www.w3.org/Addressing/ (angle)
	// /3:3:37 ftp://ds.internic.net/rfc/ (angle)
	// /3:4:1: gzip: unexpected EOF
	// 3 files
}

func ExampleExtractor_Read() {
	x, err := extract.New(extract.Options{Base: uri.MustParse("http://www.example.org/a/b")})
	if err != nil {
		panic(err)
	}
	text := "see <URL:../c> and\nhttp://www.example.com/naïve."
	for r, err := range x.Read(context.Background(), "letter", strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%v at %d: %s %s\n", r.Origin, r.Origin.Offset, r.URL, r.Target)
	}
	// Output:
	// letter:1:10 at 9: ../c http://www.example.org/c
	// letter:2:1 at 19: http://www.example.com/na%C3%AFve
}

func ExampleExtractor_Read_html() {
	x, err := extract.New(extract.Options{Format: extract.HTML})
	if err != nil {
		panic(err)
	}
	page := `<base href="http://www.example.org/dir/"> <a href="x?a&amp;b">here</a>, or http://text.example/`
	for r, err := range x.Read(context.Background(), "page", strings.NewReader(page)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %s, %q by %q\n", r.Candidate.Form, r.URL, r.Target, r.BaseSource)
	}
	// Output:
	// attribute: http://www.example.org/dir/, "" by ""
	// attribute: x?a&b, "http://www.example.org/dir/x?a&b" by "html"
	// none: http://text.example/, "" by ""
}

// Results are valid until the next iteration. Clone makes a copy to keep.
func ExampleResult_Clone() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		panic(err)
	}
	var kept []extract.Result
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("http://a/ http://b/")) {
		if err == nil {
			kept = append(kept, r.Clone())
		}
	}
	fmt.Printf("%s %s\n", kept[0].URL, kept[1].URL)
	// Output:
	// http://a/ http://b/
}

func ExampleWalker_Walk() {
	w := extract.Walker{Include: []string{"*.bz2", "main_test.go"}, Exclude: []string{"internal"}}
	for s := range w.Walk("testdata", ".") {
		fmt.Println(filepath.ToSlash(s.Name), s.Size > 0)
	}
	// Output:
	// testdata/lines.bz2 true
	// testdata/piece.bz2 true
	// ./main_test.go true
	// ./testdata/lines.bz2 true
	// ./testdata/piece.bz2 true
}

// A message declares its base and its encoding; the position is that of the encoded
// bytes.
func ExampleExtractor_Read_mail() {
	const mail = `From: ada@example.org
Subject: A page
Content-Base: http://www.example.org/docs/
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<a href=3D"guide/in=
dex.html">The guide</a>
`
	x, err := extract.New(extract.Options{Parts: extract.HTMLParts})
	if err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range x.Read(context.Background(), "mail", strings.NewReader(mail)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		o := r.Origin
		fmt.Printf("%s: %s\n", o, r.Target)
		fmt.Printf("%s by %s; %q\n", r.URL, r.BaseSource, mail[o.Offset:o.Offset+o.Length])
	}
	// Output:
	// mail#1[1]:7:12: http://www.example.org/docs/guide/index.html
	// guide/index.html by content-base; "guide/in=\ndex.html"
}

// The workers make the records. The loop receives them in the order of the sources.
func ExampleExtractor_Encode() {
	x, err := extract.New(extract.Options{Workers: 2})
	if err != nil {
		panic(err)
	}
	sources := []extract.Source{
		memory("a", []byte("see http://a.example/ and http://b.example/")),
		memory("b", []byte("<http://c.example/>")),
	}
	encoder := func() extract.Encoder {
		return func(dst []byte, r *extract.Result) []byte {
			return fmt.Appendf(dst, "%s: %s\n", r.Origin.Source, r.URL)
		}
	}
	for some, err := range x.Encode(context.Background(), slices.Values(sources), encoder) {
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(some.Bytes)
	}
	// Output:
	// a: http://a.example/
	// a: http://b.example/
	// b: http://c.example/
}

// Only references of one host, until one is found. Canceling ctx would end the loop too.
func ExampleExtractor_Read_filter() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text := "http://a.example/1 http://b.example/2 http://B.example/3"
	for r, err := range x.Read(ctx, "text", strings.NewReader(text)) {
		if err != nil {
			log.Fatal(err)
		}
		if strings.EqualFold(string(r.Host()), "b.example") {
			fmt.Printf("%s\n", r.URL)
			break
		}
	}
	if err := ctx.Err(); err != nil {
		log.Fatal(err)
	}
	// Output: http://b.example/2
}
