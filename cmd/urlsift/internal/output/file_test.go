package output

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestFiles opens files with Create and with Continue: a new file, one with content, an input, and
// one to which nothing can be added. It writes "new", and compares the content of the file.
func TestFiles(t *testing.T) {
	keeps := func(length int64, err error) func(string, []string) (*File, error) {
		return func(path string, inputs []string) (*File, error) {
			return Continue(path, inputs, '\n', func(_, _ uint64, size int64) (int64, error) { return min(size, length), err })
		}
	}
	for _, c := range []struct {
		name  string
		open  func(path string, inputs []string) (*File, error)
		had   string // "" if there is no file
		input bool   // the file is an input
		has   string
		error string // after the path
	}{
		{"create", Create, "", false, "new", ""},
		{"create over a file", Create, "old", false, "new", ""},
		{"create over an input", Create, "old", true, "old", " is an input as well; choose another output"},
		{"replace", Replace, "", false, "new", ""},
		{"replace a file", Replace, "old", false, "new", ""},
		{"replace an input", Replace, "old", true, "old", " is an input as well; choose another output"},
		{"continue", keeps(9, nil), "", false, "new", ""},
		{"continue a file", keeps(9, nil), "old\n", false, "old\nnew", ""},
		{"continue a file without its last end", keeps(9, nil), "old", false, "old\nnew", ""},
		{"continue a part of a file", keeps(2, nil), "o\nld", false, "o\nnew", ""},
		{"continue a part without its end", keeps(1, nil), "old\n", false, "o\nnew", ""},
		{"continue nothing of a file", keeps(0, nil), "old", false, "new", ""},
		{"continue an input", keeps(9, nil), "old", true, "old", " is an input as well; choose another output"},
		{"continue another file", keeps(0, errors.New("not ours")), "old", false, "old", ": not ours"},
	} {
		path := filepath.Join(t.TempDir(), "out")
		if c.had != "" {
			if err := os.WriteFile(path, []byte(c.had), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		inputs := []string{filepath.Join(filepath.Dir(path), "missing")}
		if c.input {
			inputs = append(inputs, path)
		}
		f, err := c.open(path, inputs)
		if err == nil {
			_, err = f.WriteString("new")
			if failed := f.Finish(err == nil); err == nil {
				err = failed
			}
		}
		switch {
		case c.error == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.error != "" && (err == nil || err.Error() != path+c.error):
			t.Errorf("%s: %v, want %q", c.name, err, path+c.error)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.has {
			t.Errorf("%s: the file has %q, %v, want %q", c.name, got, err, c.has)
		}
	}
}

// TestReplace replaces files of many kinds, with a new file that has no name until the end, if the
// system can do that, and with one that has a name. The old file stays until Finish.
func TestReplace(t *testing.T) {
	for _, named := range []bool{false, true} {
		noName = unnamed
		if named {
			noName = func(string, fs.FileMode) *os.File { return nil }
		}
		for _, c := range []struct {
			name  string
			path  string                 // what is given to Replace
			make  func(dir string) error // makes what is there before
			end   func(f *File) error
			files map[string]string // name and content at the end
		}{
			{"a new file", "out", nil, finish(true), map[string]string{"out": "new"}},
			{"a new file, not whole", "out", nil, finish(false), map[string]string{}},
			{"an old file", "out", write("out"), finish(true), map[string]string{"out": "new"}},
			{"an old file, not whole", "out", write("out"), finish(false), map[string]string{"out": "old"}},
			{"discarded first", "out", write("out"), func(f *File) error { f.Discard(); return f.Finish(true) }, map[string]string{"out": "old"}},
			{"discarded later", "out", write("out"), func(f *File) error { defer f.Discard(); return f.Finish(true) }, map[string]string{"out": "new"}},
			{"never finished", "out", write("out"), func(f *File) error { f.Close(); f.Discard(); return nil }, map[string]string{"out": "old"}},
			{"a link", "link", func(dir string) error {
				return errors.Join(write("out")(dir), os.Symlink("out", filepath.Join(dir, "link")))
			}, finish(true), map[string]string{"out": "new", "link": "new"}},
			{"a link to a link, over a folder that is a link", "link", func(dir string) error {
				return errors.Join(os.MkdirAll(filepath.Join(dir, "a/b"), 0o755), write("a/out")(dir), os.Symlink("a/b", filepath.Join(dir, "c")),
					os.Symlink("c/../middle", filepath.Join(dir, "link")), os.Symlink("out", filepath.Join(dir, "a/middle")))
			}, finish(true), map[string]string{"a": "/", "c": "/", "a/b": "/", "a/middle": "new", "a/out": "new", "link": "new"}},
			{"a link to no file", "link", func(dir string) error { return os.Symlink("out", filepath.Join(dir, "link")) },
				finish(true), map[string]string{"out": "new", "link": "new"}},
			{"a folder instead of the old file", "out", write("out"), func(f *File) error {
				err := errors.Join(os.Remove(f.replaces), os.Mkdir(f.replaces, 0o755))
				if failed := f.Finish(true); failed == nil {
					err = errors.New("no error")
				}
				return err
			}, map[string]string{"out": "/"}},
		} {
			dir := t.TempDir()
			if c.make != nil {
				if err := c.make(dir); err != nil {
					t.Skip(err) // the system has no symbolic links
				}
			}
			before := filesIn(t, dir)
			f, err := Replace(filepath.Join(dir, c.path), nil)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if _, err := f.WriteString("new"); err != nil {
				t.Fatal(err)
			}
			if got := filesIn(t, dir); f.name == "" && !maps.Equal(got, before) || len(got) > len(before)+1 {
				t.Errorf("%s: before the end, there is %v", c.name, got)
			}
			if err := c.end(f); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if got := filesIn(t, dir); !maps.Equal(got, c.files) {
				t.Errorf("%s: there is %v, want %v", c.name, got, c.files)
			}
			info, err := os.Lstat(filepath.Join(dir, "link"))
			if c.path == "link" && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
				t.Errorf("%s: the link is gone", c.name)
			}
		}
	}
	noName = unnamed
}

func finish(whole bool) func(f *File) error { return func(f *File) error { return f.Finish(whole) } }

// write returns a function that writes "old" to a file.
func write(name string) func(dir string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o640) }
}

// filesIn returns the content of each file in dir, by name; that of a folder is "/".
func filesIn(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		text, failed := os.ReadFile(path)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			text, failed = []byte("/"), nil
		}
		if failed == nil { // a link to no file is left out
			files[filepath.ToSlash(path[len(dir)+1:])] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
