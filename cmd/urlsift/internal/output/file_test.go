package output

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestFiles opens files with Create and with Continue: a new file, one with content, an input, and
// one to which nothing can be added. It writes "new", and compares the content of the file.
func TestFiles(t *testing.T) {
	keeps := func(length int64, err error) func(string, []string) (*os.File, error) {
		return func(path string, inputs []string) (*os.File, error) {
			return Continue(path, inputs, '\n', func(_, _ uint64, size int64) (int64, error) { return min(size, length), err })
		}
	}
	for _, c := range []struct {
		name  string
		open  func(path string, inputs []string) (*os.File, error)
		had   string // "" if there is no file
		input bool   // the file is an input
		has   string
		error string // after the path
	}{
		{"create", Create, "", false, "new", ""},
		{"create over a file", Create, "old", false, "new", ""},
		{"create over an input", Create, "old", true, "old", " is an input as well; choose another output"},
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
			f.Close()
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
