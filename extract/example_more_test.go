package extract_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/extract"
)

// A list names the files that are read, one path a line.
func ExampleReadPaths() {
	list, err := os.CreateTemp("", "list")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(list.Name())
	fmt.Fprint(list, "testdata/lines.bz2\n\ntestdata/piece.bz2")
	list.Close()

	for path, err := range extract.ReadPaths(context.Background(), list.Name(), '\n') {
		fmt.Println(path, err)
	}
	// Output:
	// testdata/lines.bz2 <nil>
	// testdata/piece.bz2 <nil>
}

// A Walker makes Sources from a list of paths and from the files that it finds below them.
func ExampleWalker_WalkEach() {
	w := extract.Walker{Include: []string{"lines.*"}}
	paths := func(yield func(string, error) bool) {
		_ = yield("testdata", nil) && yield("main_test.go", nil)
	}
	for s := range w.WalkEach(paths) {
		fmt.Println(filepath.ToSlash(s.Name))
	}
	// Output:
	// testdata/lines.bz2
	// main_test.go
}

// A Redactor replaces passwords in any text, even if they are escaped.
func ExampleRedactor() {
	var d extract.Redactor
	var line []byte // reused for each text
	for _, text := range []string{
		"get ftp://me:secret@example.org/a",
		"?next=http%3A%2F%2Fme%3Asecret%40example.org%2F",
		"mailto:me@example.org",
	} {
		line = d.Append(line[:0], []byte(text))
		fmt.Printf("%s\n", line)
	}
	// Output:
	// get ftp://me:***@example.org/a
	// ?next=http%3A%2F%2Fme%3A***%40example.org%2F
	// mailto:me@example.org
}

// A text that belongs to a Result has the passwords of its URL in another spelling.
func ExampleRedactor_AppendVariant() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var d extract.Redactor
	for r, err := range x.Read(context.Background(), "text", strings.NewReader("<ftp://me:sec\n  ret@example.org/>")) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", d.AppendReference(nil, r.URL))
		fmt.Printf("%s\n", d.AppendVariant(nil, r.Candidate.Text, r.URL))
	}
	// Output:
	// ftp://me:***@example.org/
	// ftp://me:***@example.org/
}

// A log grows, and each run reads only what was added since the last one. Between the runs,
// the Place of the file is kept as bytes.
func ExampleResume() {
	folder, err := os.MkdirTemp("", "resume")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "access.log")

	var kept []byte // a program would write it to a file
	run := func() {
		resume := &extract.Resume{
			Begin: func(f *extract.File) extract.Place {
				var p extract.Place
				if err := p.UnmarshalBinary(kept); err == nil && f.Continues(&p) {
					return p
				}
				return extract.Place{} // another file, or the first run: from its beginning
			},
			Reached: func(_ *extract.File, p *extract.Place) { kept, _ = p.AppendBinary(kept[:0]) },
		}
		x, err := extract.New(extract.Options{Resume: resume})
		if err != nil {
			log.Fatal(err)
		}
		for r, err := range x.Run(context.Background(), extract.Walk(name)) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("line %d: %s\n", r.Origin.Line, r.URL)
		}
	}

	write := func(text string) {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		fmt.Fprint(f, text)
	}
	write("GET http://example.org/a\nGET http://example.org/b\n")
	run()
	write("GET http://example.org/c\n")
	fmt.Println("more was written")
	run()
	// Output:
	// line 1: http://example.org/a
	// line 2: http://example.org/b
	// more was written
	// line 3: http://example.org/c
}

// The public fields of a Place say how far a file was read.
func ExamplePlace() {
	x, err := extract.New(extract.Options{Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			fmt.Println("begin", filepath.Base(f.Name), "of", f.Size, "bytes")
			return extract.Place{}
		},
		Reached: func(f *extract.File, p *extract.Place) {
			fmt.Println("read", p.Stored, "bytes,", p.Text, "of text,", p.Results, "results, whole:", p.Whole)
		},
	}})
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for range x.Run(context.Background(), extract.Walk("testdata/lines.bz2")) {
		n++
	}
	fmt.Println(n, "results")
	// Output:
	// begin lines.bz2 of 34203 bytes
	// read 34203 bytes, 287582 of text, 4000 results, whole: true
	// 4000 results
}

// A log is renamed between two runs. The second run finds how far it was read by what is in
// it: the keys of all Places are in an index, here a sorted slice.
func ExampleFile_Keys() {
	folder, err := os.MkdirTemp("", "keys")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	var index [][]byte // sorted
	places := map[string]extract.Place{}
	seek := func(from []byte) []byte {
		i, _ := slices.BinarySearchFunc(index, from, bytes.Compare)
		if i == len(index) {
			return nil
		}
		return index[i]
	}
	x, err := extract.New(extract.Options{Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			for _, key := range slices.Backward(f.Keys(seek)) { // the longest first
				if p := places[string(key)]; f.Begins(&p) {
					return p
				}
			}
			return extract.Place{}
		},
		Reached: func(f *extract.File, p *extract.Place) {
			key := p.AppendKey(nil)
			places[string(key)] = *p
			i, _ := slices.BinarySearchFunc(index, key, bytes.Compare)
			index = slices.Insert(index, i, key)
		},
	}})
	if err != nil {
		log.Fatal(err)
	}
	text := "GET http://example.org/a\n"
	for _, name := range []string{"access.log", "access.log.1"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
		for r, err := range x.Run(context.Background(), extract.Walk(path)) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s: %s\n", name, r.URL)
		}
		text += "GET http://example.org/b\n"
	}
	// Output:
	// access.log: http://example.org/a
	// access.log.1: http://example.org/b
}

// Begin may look into a file: here it leaves out those whose text does not begin with a mark.
func ExampleFile_Text() {
	x, err := extract.New(extract.Options{Workers: 1, Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			text, compressed := f.Text()
			first, err := bufio.NewReader(text).ReadString('\n')
			fmt.Printf("%s is compressed: %v; it begins with %q, %v\n", filepath.Base(f.Name), compressed, first, err)
			f.Later = !strings.HasPrefix(first, "# access")
			return extract.Place{}
		},
		Reached: func(f *extract.File, p *extract.Place) { fmt.Println("it was read") },
	}})
	if err != nil {
		log.Fatal(err)
	}
	for range x.Run(context.Background(), extract.Walk("testdata/lines.bz2")) {
		fmt.Println("not reached")
	}
	// Output:
	// lines.bz2 is compressed: true; it begins with "line 1: see http://host1.example.org/path/7?q=1 for more\n", <nil>
}
