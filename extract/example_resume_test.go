package extract_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// A file was written since the last run, but it has the same size. If it has all that was read,
// nothing of it is read again; if a byte was changed in place, it is read from its beginning.
func ExampleFile_HasAll() {
	folder, err := os.MkdirTemp("", "hasall")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "links.txt")

	var last extract.Place
	var size int64
	var modified time.Time
	x, err := extract.New(extract.Options{Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			known := f.Continues(&last)
			if f.Size == size && !f.Modified.Equal(modified) {
				known = f.HasAll(&last) // Continues does not compare all bytes
			}
			size, modified = f.Size, f.Modified
			if !known {
				return extract.Place{}
			}
			return last
		},
		Reached: func(_ *extract.File, p *extract.Place) { last = *p },
	}})
	if err != nil {
		log.Fatal(err)
	}
	for day, text := range []string{"http://example.org/a\n", "http://example.org/a\n", "http://example.org/b\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
		written := time.Date(2021, 3, 1+day, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(name, written, written); err != nil {
			log.Fatal(err)
		}
		fmt.Println("day", day+1)
		for r, err := range x.Run(context.Background(), extract.Walk(name)) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("  %s\n", r.URL)
		}
	}
	// Output:
	// day 1
	//   http://example.org/a
	// day 2
	// day 3
	//   http://example.org/b
}

// A program does not open files that have not changed since its last run. It keeps the hash of the
// options too, because with another Charset an unchanged file has other URLs.
func ExampleOptions_ReadHash() {
	file, err := os.CreateTemp("", "readhash")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	fmt.Fprint(file, "see <http://example.org/caf\xe9>\n")
	file.Close()

	type known struct {
		size     int64
		modified time.Time
		readHash uint64
	}
	files := map[string]known{} // a program would write it to a file
	for _, label := range []string{"iso-8859-1", "iso-8859-1", "koi8-r"} {
		opts := extract.Options{Charset: label}
		x, err := extract.New(opts)
		if err != nil {
			log.Fatal(err)
		}
		isNew := func(s extract.Source) bool {
			info, err := os.Stat(s.Name)
			if err != nil {
				return true // Run reports the error
			}
			now := known{info.Size(), info.ModTime(), opts.ReadHash()}
			was := files[s.Name]
			files[s.Name] = now
			return was != now
		}
		var changed iter.Seq[extract.Source] = func(yield func(extract.Source) bool) {
			for s := range extract.Walk(file.Name()) {
				if isNew(s) && !yield(s) {
					return
				}
			}
		}
		fmt.Println(label)
		for r, err := range x.Run(context.Background(), changed) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("  %s\n", r.URL)
		}
	}
	// Output:
	// iso-8859-1
	//   http://example.org/caf%C3%A9
	// iso-8859-1
	// koi8-r
	//   http://example.org/caf%D0%98
}

// A log was compressed after it was read. Begins finds its text in the compressed file, and makes
// the Place one of that file, so that nothing is read twice.
func ExamplePlace_Compressed() {
	folder, err := os.MkdirTemp("", "compressed")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	const text = "GET http://example.org/a\nGET http://example.org/b\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, text)
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}

	var last extract.Place
	x, err := extract.New(extract.Options{Resume: &extract.Resume{
		Begin: func(f *extract.File) extract.Place {
			was := last.Compressed()
			if last.Stored == 0 || !f.Begins(&last) {
				return extract.Place{}
			}
			if last.Compressed() && !was {
				fmt.Println(filepath.Base(f.Name), "is the compressed log")
			}
			return last
		},
		Reached: func(_ *extract.File, p *extract.Place) { last = *p },
	}})
	if err != nil {
		log.Fatal(err)
	}
	read := func(name string, data []byte) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			log.Fatal(err)
		}
		for r, err := range x.Run(context.Background(), extract.Walk(path)) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s: %s\n", name, r.URL)
		}
	}
	read("access.log", []byte(text))
	read("access.log.1.gz", packed.Bytes())
	// Output:
	// access.log: http://example.org/a
	// access.log: http://example.org/b
	// access.log.1.gz is the compressed log
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
