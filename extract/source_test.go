package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// tree makes files that contain their own names, and directories, whose names end with
// '/'.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// walked lists what a walk of the names below dir yields, with errors in brackets.
func walked(t *testing.T, w extract.Walker, dir string, names ...string) string {
	t.Helper()
	t.Chdir(dir)
	var out []string
	for s := range w.Walk(names...) {
		r, err := s.Open()
		if err != nil {
			out = append(out, fmt.Sprintf("(%v)", err))
			continue
		}
		_ = r.Close()
		out = append(out, s.Name)
		if info, err := os.Stat(s.Name); err == nil && info.Mode().IsRegular() && s.Size != info.Size() {
			t.Errorf("%s has %d bytes, Source.Size is %d", s.Name, info.Size(), s.Size)
		}
	}
	return strings.Join(out, " ")
}

// TestWalkMaildir walks the folders of a maildir, whose names look hidden.
func TestWalkMaildir(t *testing.T) {
	dir := tree(t, "M/cur/1:2,S", "M/new/2", "M/tmp/", "M/.Sent/cur/3", "M/.Sent/new/", "M/.git/x", "M/.hid",
		"N/.Sent/cur/4", "N/.Sent/new/5")
	if got, want := walked(t, extract.Walker{}, dir, "M", "N"), "M/.Sent/cur/3 M/cur/1:2,S M/new/2 N/.Sent/cur/4 N/.Sent/new/5"; got != want {
		t.Errorf("walked %s, want %s", got, want)
	}
}

func TestWalk(t *testing.T) {
	dir := tree(t, "b.txt", "a/z", "a/.hid", "a/y.gz", "a.txt", ".git/x", "c/d/e/f", "c/d/g.log", "empty/")
	for _, err := range []error{
		os.Symlink("../b.txt", filepath.Join(dir, "a", "link")),
		os.Symlink("..", filepath.Join(dir, "c", "up")),
		os.Symlink("nowhere", filepath.Join(dir, "c", "broken")),
		makeFIFO(filepath.Join(dir, "c", "fifo")),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	sep := string(filepath.Separator)
	loop := "(c/up: walk: symbolic link leads back to a directory it lies in)"
	for _, c := range []struct {
		name  string
		w     extract.Walker
		paths []string
		want  string
	}{
		{"here", extract.Walker{}, []string{"."}, "./a/y.gz ./a/z ./a.txt ./b.txt ./c/d/e/f ./c/d/g.log"},
		{"slash", extract.Walker{}, []string{"a/"}, "a/y.gz a/z"},
		{"order", extract.Walker{}, []string{"c", "b.txt", "a"}, "c/d/e/f c/d/g.log b.txt a/y.gz a/z"},
		{"hidden", extract.Walker{Hidden: true}, []string{"a", ".git"}, "a/.hid a/y.gz a/z .git/x"},
		{"hidden, named", extract.Walker{}, []string{"a/.hid", ".git"}, "a/.hid .git/x"},
		{"follow", extract.Walker{Follow: true}, []string{"a"}, "a/link a/y.gz a/z"},
		{"follow round", extract.Walker{Follow: true}, []string{"c"}, "(c/broken: walk: no such file or directory) c/d/e/f c/d/g.log " +
			"c/up/a/link c/up/a/y.gz c/up/a/z c/up/a.txt c/up/b.txt (c/up/c: walk: symbolic link leads back to a directory it lies in)"},
		{"follow from above", extract.Walker{Follow: true, Include: []string{"*.log"}, Exclude: []string{"broken"}}, []string{"."}, "./c/d/g.log " + "(./" + loop[1:]},
		{"link, named", extract.Walker{}, []string{"a/link"}, "a/link"},
		{"include", extract.Walker{Include: []string{"*.txt", "c/d/*"}}, []string{"c", "a", "a.txt", "c/d/e/f"}, "c/d/g.log a.txt c/d/e/f"},
		{"exclude", extract.Walker{Exclude: []string{"d", "./a/*"}}, []string{"."}, "./a.txt ./b.txt"},
		{"missing", extract.Walker{}, []string{"nothing", "b.txt"}, "(nothing: open: no such file or directory) b.txt"},
		{"bad glob", extract.Walker{Include: []string{"["}}, []string{"."}, "([: walk: syntax error in pattern)"},
		{"empty", extract.Walker{}, []string{"empty", "/dev/null"}, "/dev/null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := walked(t, c.w, dir, c.paths...), strings.ReplaceAll(c.want, "/", sep); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestWalkLazy leaves a walk at its first file. The rest must not be listed.
func TestWalkLazy(t *testing.T) {
	dir := tree(t, "a/x", "b/x")
	t.Chdir(dir)
	for s := range extract.Walk("a", "b") {
		if err := os.RemoveAll("b"); err != nil {
			t.Fatal(err)
		}
		if s.Name != filepath.Join("a", "x") {
			if r, err := s.Open(); err == nil {
				_ = r.Close()
				t.Errorf("%s was listed too early", s.Name)
			}
		}
	}
}

// TestNoPermission reads files with and without permission. For root, who may read all files, it
// checks nothing.
func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := tree(t, "a", "closed/x", "secret", "z")
	t.Chdir(dir)
	for _, name := range []string{"closed", "secret"} {
		if err := os.Chmod(name, 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(name, 0o700)
	}
	want := "./a (./closed: walk: permission denied) (open ./secret: permission denied) ./z"
	if got := walked(t, extract.Walker{}, dir, "."); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestStdin reads standard input from a file and from a pipe.
func TestStdin(t *testing.T) {
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(sample(5))
	_ = w.Close()
	file, err := os.Open("open_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{r, file} {
		os.Stdin = f
		sources := slices.Collect(extract.Walk())
		if len(sources) != 1 || sources[0].Name != "-" || (sources[0].Size > 0) != (f == file) {
			t.Fatalf("sources %+v", sources)
		}
		urls, errs := all(t, extractor(t, extract.Options{}).Run(t.Context(), slices.Values(sources)))
		if len(urls) < 5 || errs != nil {
			t.Errorf("%d references, errors %v", len(urls), errs)
		}
		_ = f.Close()
	}
}
