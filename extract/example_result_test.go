package extract_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

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
	for range x.Read("text", strings.NewReader("http://a.example/ and http://[b]/")) {
	}
	s := x.Stats()
	fmt.Printf("%d bytes, %d candidates: %d accepted, %d refused\n", s.RawBytes, s.Candidates, s.Accepted, s.Refused)
	// Output: 33 bytes, 2 candidates: 1 accepted, 1 refused
}

// Where the text can be read in several ways, a program may try the other ones too.
func ExampleResult_Readings() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read("text", strings.NewReader("Is it http://example.org/what?")) {
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

// Scheme and host are those of the target, where there is one.
func ExampleResult_Host() {
	x, err := extract.New(extract.Options{Base: uri.MustParse("http://www.example.org/a")})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Read("text", strings.NewReader("<URL:b> and ftp://[::1]/c")) {
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
	for r, err := range x.Read("text", strings.NewReader("http://[b]/")) {
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
	for r, err := range x.Read("text", strings.NewReader("ftp://me:secret@example.org/")) {
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
	for r, err := range x.Read("mail", strings.NewReader(mail)) {
		if err != nil {
			log.Fatal(err)
		}
		if t, ok := r.Origin.Time(); ok {
			fmt.Printf("%s: %s\n", t.UTC().Format(time.RFC3339), r.URL)
		}
	}
	// Output: 1997-11-21T15:55:06Z: http://example.org/
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

// A log was renamed, and a new log begins with the same bytes, so the Place of the old one fits
// both. Before the new log takes over the Place, the program looks for the old one.
func ExampleFile_Other() {
	folder, err := os.MkdirTemp("", "rotated")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "access.log")
	var kept extract.Place
	x, err := extract.New(extract.Options{Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			p, renamed := kept, false
			err := f.Other(name+".1", func(other *extract.File) { renamed = other.Continues(&p) })
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				log.Fatal(err)
			}
			if !renamed && f.Continues(&p) {
				return p
			}
			return extract.Place{}
		},
		Reached: func(f *extract.File, p *extract.Place) { kept = *p },
	}})
	if err != nil {
		log.Fatal(err)
	}
	read := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
		for r, err := range x.Run(context.Background(), extract.Walk(name)) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s\n", r.URL)
		}
	}
	read("started by http://example.org/\n")
	if err := os.Rename(name, name+".1"); err != nil {
		log.Fatal(err)
	}
	read("started by http://example.org/\nGET http://example.org/a\n")
	// Output:
	// http://example.org/
	// http://example.org/
	// http://example.org/a
}

// A file is being copied. The incomplete copy is shorter than the text that was read of the
// file, but it has the same key prefix.
func ExampleFile_KeyPrefix() {
	folder, err := os.MkdirTemp("", "copies")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	text := strings.Repeat("GET http://example.org/a\n", 1000)
	for name, n := range map[string]int{"1": len(text), "2": len(text) / 2} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text[:n]), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	var key string
	x, err := extract.New(extract.Options{Workers: 1, Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			prefix := f.KeyPrefix()
			f.Later = key != "" && strings.HasPrefix(key, string(prefix))
			fmt.Println(filepath.Base(f.Name), "is read later:", f.Later)
			return extract.Place{}
		},
		Reached: func(f *extract.File, p *extract.Place) { key = string(p.AppendKey(nil)) },
	}})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"1", "2"} {
		for _, err := range x.Run(context.Background(), extract.Walk(filepath.Join(folder, name))) {
			if err != nil {
				log.Fatal(err)
			}
		}
	}
	// Output:
	// 1 is read later: false
	// 2 is read later: true
}
