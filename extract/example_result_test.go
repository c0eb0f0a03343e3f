package extract_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// Leaving the loop ends the work.
func ExampleExtractor_Run() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for r, err := range x.Run(context.Background(), extract.Walk("testdata/lines.bz2")) {
		if err != nil {
			log.Print(err) // one stretch of a file cannot be read; the loop goes on with the rest
			continue
		}
		fmt.Printf("%v: %s\n", r.Origin, r.URL)
		if n++; n == 2 {
			break
		}
	}
	// Output:
	// testdata/lines.bz2:1:13: http://host1.example.org/path/7?q=1
	// testdata/lines.bz2:2:13: http://host2.example.org/path/14?q=4
}

// The counts of all that was read so far.
func ExampleExtractor_Stats() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for range x.Read(context.Background(), "text", strings.NewReader("http://a.example/ and http://[b]/")) {
	}
	s := x.Stats()
	fmt.Printf("%d bytes, %d candidates: %d accepted, %d refused\n", s.RawAll, s.Candidates, s.Found, s.Refused)
	// Output: 33 bytes, 2 candidates: 1 accepted, 1 refused
}

// Where the text can be read in several ways, a program may try the other ones too.
func ExampleResult_Readings() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("Is it http://example.org/what?")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", r.URL)
		for why, url := range r.Readings(nil) {
			fmt.Printf("%s: %s\n", why, url)
		}
	}
	// Output:
	// http://example.org/what
	// tail: http://example.org/what?
}

// A program that checks links tries the URL with the punctuation after it, if there is some: a
// page of Wikipedia may have a name that ends in a full stop.
func ExampleResult_AppendReading() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var second []byte // reused for each result
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("See http://example.org/wiki/Example_Inc. and http://example.org/b")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("get %s\n", r.URL)
		if second = r.AppendReading(second[:0], delimit.WithTail); len(second) > 0 {
			fmt.Printf("  or %s\n", second)
		}
	}
	// Output:
	// get http://example.org/wiki/Example_Inc
	//   or http://example.org/wiki/Example_Inc.
	// get http://example.org/b
}

// Scheme and host are those of the target, where there is one.
func ExampleResult_Host() {
	x, err := extract.New(extract.Options{Base: uri.MustParse("http://www.example.org/a")})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("<URL:b> and ftp://[::1]/c")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s, %s\n", r.URL, r.Scheme(), r.Host())
	}
	// Output:
	// b: http, www.example.org
	// ftp://[::1]/c: ftp, [::1]
}

// A reference that the grammar rejects is a Result too if Options.Refused is set, with the reason.
func ExampleResult_Reason() {
	x, err := extract.New(extract.Options{Refused: true})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("http://[b]/")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Valid, r.Reason(false))
	}
	// Output: false uri: host: byte ']' at offset 9 of the URL is not in the address in [ ] of uri-2002
}

func ExampleResult_Warnings() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("ftp://me:secret@example.org/")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %v\n", r.Host(), r.Warnings())
	}
	// Output: example.org: password
}

// References of a message have the time of its Date.
func ExampleOrigin_Time() {
	const mail = "From: ada@example.org\nDate: Fri, 21 Nov 1997 09:55:06 -0600\n\nSee http://example.org/.\n"
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read(context.Background(), "mail", strings.NewReader(mail)) {
		if err != nil {
			log.Fatal(err)
		}
		if t, ok := r.Origin.Time(); ok {
			fmt.Printf("%s: %s\n", t.UTC().Format(time.RFC3339), r.URL)
		}
	}
	// Output: 1997-11-21T15:55:06Z: http://example.org/
}

// The requests of a log are counted by the hour. LogTime is the time as a number, which is enough
// for that; Time makes a time.Time of it.
func ExampleOrigin_LogTime() {
	const text = `2021-03-01T12:10:00Z GET http://example.org/a
2021-03-01T12:50:00Z GET http://example.org/b
2021-03-01T13:05:00Z GET http://example.org/c
GET http://example.org/d
`
	x, err := extract.New(extract.Options{LogTimes: true})
	if err != nil {
		log.Fatal(err)
	}
	hours := map[int64]int{}
	for r, err := range x.Read(context.Background(), "access.log", strings.NewReader(text)) {
		if err != nil {
			log.Fatal(err)
		}
		if at, ok := r.Origin.LogTime(); ok {
			hours[at/3600]++
		}
	}
	for _, hour := range slices.Sorted(maps.Keys(hours)) {
		fmt.Println(time.Unix(hour*3600, 0).UTC().Format("2006-01-02 15h"), hours[hour])
	}
	// Output:
	// 2021-03-01 12h 2
	// 2021-03-01 13h 1
}

// Names of formats and of kinds of parts, as a user gives them.
func ExampleFormat_UnmarshalText() {
	var opts extract.Options
	if err := opts.Format.UnmarshalText([]byte("mbox")); err != nil {
		log.Fatal(err)
	}
	if err := opts.Parts.UnmarshalText([]byte("plain,html")); err != nil {
		log.Fatal(err)
	}
	fmt.Println(opts.Format, opts.Parts)
	fmt.Println(opts.Format.UnmarshalText([]byte("novel")) != nil)
	// Output:
	// mbox plain,html
	// true
}

// A glob that a user gives is checked before the walk begins.
func ExampleWalker_Check() {
	w := extract.Walker{Globs: []string{"*.gz", "[z-"}}
	fmt.Println(w.Check())
	// Output: [z-: walk: syntax error in pattern
}
