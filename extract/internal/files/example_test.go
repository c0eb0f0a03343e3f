package files_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// A walk yields files in lexical order, and an error for a path that does not exist. The Reader
// reads each file.
func Example() {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"b", "a"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("in "+name), 0o600); err != nil {
			panic(err)
		}
	}
	in := files.Reader{Stopped: func() bool { return false }}
	for f := range (files.Walker{}).Walk(dir, filepath.Join(dir, "none")) {
		if f.Err != nil {
			fmt.Println(f.Err.Stage, filepath.Base(f.Err.Path), os.IsNotExist(f.Err.Err))
			continue
		}
		r, err := f.Open()
		if err != nil {
			panic(err)
		}
		in.Reset(r)
		text, err := io.ReadAll(&in)
		fmt.Println(filepath.Base(f.Path), f.Size, string(text), err)
		_ = r.Close()
	}
	// Output:
	// a 4 in a <nil>
	// b 4 in b <nil>
	// open none true
}

// A Prefetcher opens and reads all files of a group before the first is taken.
func ExamplePrefetcher() {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var group []*files.File
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("in "+name), 0o600); err != nil {
			panic(err)
		}
	}
	for f := range (files.Walker{Unsized: true}).Walk(dir) {
		group = append(group, f)
	}
	var ahead files.Prefetcher
	defer ahead.Release()
	ahead.Load(group, 1, func() bool { return false })
	for _, f := range group {
		r, err, ok := ahead.Take()
		if !ok {
			r, err = f.Open()
		}
		if err != nil {
			panic(err)
		}
		text, err := io.ReadAll(r)
		fmt.Println(filepath.Base(f.Path), files.SizeOf(r), string(text), err)
		_ = r.Close()
	}
	// Output:
	// a 4 in a <nil>
	// b 4 in b <nil>
}
