//go:build linux

package extract_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// TestWalkChanges changes a tree while it is walked. Files that no longer exist are skipped; only
// for a path that the caller named is that an error. The walk continues.
func TestWalkChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func() error // called when a/1 is read
		want   string
	}{
		{"nothing", func() error { return nil }, "a/1 a/2/x a/3 b/y c"},
		{"a file goes", func() error { return os.Remove("a/3") }, "a/1 a/2/x b/y c"},
		{"a directory goes", func() error { return os.RemoveAll("a/2") }, "a/1 a/3 b/y c"},
		{"the directory itself goes", func() error { return os.RemoveAll("a") }, "a/1 b/y c"},
		{"one that was named goes", func() error { return os.RemoveAll("b") }, "a/1 a/2/x a/3 (b: open: no such file or directory) c"},
		{"a directory becomes a file", func() error { return errors.Join(os.RemoveAll("a/2"), os.WriteFile("a/2", nil, 0o600)) }, "a/1 a/2 a/3 b/y c"},
		{"a file becomes a directory", func() error { return errors.Join(os.Remove("a/3"), os.Mkdir("a/3", 0o700)) }, "a/1 a/2/x b/y c"},
		{"a file becomes a FIFO", func() error { return errors.Join(os.Remove("a/3"), syscall.Mkfifo("a/3", 0o600)) }, "a/1 a/2/x b/y c"},
		{"files come", func() error { return errors.Join(os.WriteFile("a/4", nil, 0o600), os.WriteFile("b/z", nil, 0o600)) }, "a/1 a/2/x a/3 b/y b/z c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(tree(t, "a/1", "a/2/x", "a/3", "b/y", "c"))
			var got []string
			for s := range extract.Walk("a", "b", "c") {
				r, err := s.Open()
				if err != nil {
					got = append(got, fmt.Sprintf("(%v)", err))
					continue
				}
				_ = r.Close()
				if got = append(got, s.Name); s.Name == "a/1" {
					if err := c.change(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("walked %s, want %s", got, c.want)
			}
		})
	}
}

// TestOpenChanges replaces a file between the walk and Open. That is reported, and Open does not
// wait for the writer of a FIFO.
func TestOpenChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func() error
		want   string
	}{
		{"nothing", func() error { return os.Remove("a") }, "a: open: no such file or directory"},
		{"a FIFO", func() error { return errors.Join(os.Remove("a"), syscall.Mkfifo("a", 0o600)) }, "a: open: is no longer a file"},
		{"a device", func() error { return errors.Join(os.Remove("a"), os.Symlink("/dev/zero", "a")) }, "a: open: is no longer a file"},
		{"a directory", func() error { return errors.Join(os.Remove("a"), os.Mkdir("a", 0o700)) }, "a: open: is no longer a file"},
		{"itself", func() error { return errors.Join(os.Remove("a"), os.Symlink("a", "a")) }, "a: open: too many levels of symbolic links"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(tree(t, "a", "b"))
			sources := slices.Collect(extract.Walk("."))
			for i := range sources {
				sources[i].Name = strings.TrimPrefix(sources[i].Name, "./")
			}
			if err := c.change(); err != nil {
				t.Skip(err)
			}
			if err := os.WriteFile("b", []byte("http://b.example/"), 0o600); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			urls, errs := all(t, extractor(t, extract.Options{}).Run(t.Context(), slices.Values(sources)))
			if fmt.Sprint(errs) != "["+c.want+"]" || len(urls) != 1 || time.Since(began) > 5*time.Second {
				t.Errorf("%q, %v, want %s", urls, errs, c.want)
			}
		})
	}
}

// TestWalkLoops walks symbolic links that lead to one another, to themselves and nowhere.
// If links are not followed there are no errors, otherwise one for each.
func TestWalkLoops(t *testing.T) {
	dir := tree(t, "x", "d/y")
	for link, to := range map[string]string{"a": "b", "b": "a", "self": "self", "d/up": "../d", "d/nowhere": "none", "e": "d"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if got, want := walked(t, extract.Walker{}, dir, "."), "./d/y ./x"; got != want {
		t.Errorf("walked %s, want %s", got, want)
	}
	const round = "walk: too many levels of symbolic links"
	want := "(./a: " + round + ") (./b: " + round + ") (./d/nowhere: walk: no such file or directory) (./d/up: walk: symbolic link leads back to a directory it lies in) ./d/y " +
		"(./e/nowhere: walk: no such file or directory) (./e/up: walk: symbolic link leads back to a directory it lies in) ./e/y (./self: " + round + ") ./x"
	if got := walked(t, extract.Walker{Follow: true}, dir, "."); got != want {
		t.Errorf("walked\n%s, want\n%s", got, want)
	}
	if got, want := walked(t, extract.Walker{}, dir, "self", "x"), "(self: open: too many levels of symbolic links) x"; got != want {
		t.Errorf("walked %s, want %s", got, want)
	}
}

// TestWalkSpecial walks FIFOs, sockets, and devices if they can be made. None is opened, not even
// through a symbolic link that is followed.
func TestWalkSpecial(t *testing.T) {
	dir := tree(t, "x")
	t.Chdir(dir)
	if err := syscall.Mkfifo("fifo", 0o600); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	for name, dev := range map[string]int{"null": 1<<8 | 3, "zero": 1<<8 | 5} {
		if err := syscall.Mknod(name, syscall.S_IFCHR|0o600, dev); err != nil {
			t.Logf("%s: %v", name, err) // only root may do that
		}
	}
	for link, to := range map[string]string{"to-fifo": "fifo", "to-zero": "/dev/zero"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range []extract.Walker{{}, {Follow: true}, {Include: []string{"*"}}, {Hidden: true}} {
		if got := walked(t, w, dir, "."); got != "./x" {
			t.Errorf("%+v: walked %s", w, got)
		}
	}
}

// TestWalkDeep walks directories that are nested deeper than a path may be long. On Linux
// all are read; on other systems the rest is an error, and everything in front of it is
// read. See TestWalkLong.
func TestWalkDeep(t *testing.T) {
	dir := tree(t, "a")
	t.Chdir(dir)
	name := strings.Repeat("n", 200)
	for range 30 {
		if err := errors.Join(os.Mkdir(name, 0o700), os.Chdir(name), os.WriteFile("x", nil, 0o600)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	files, reported := 0, 0
	for s := range extract.Walk(".") {
		if r, err := s.Open(); err == nil {
			files++
			_ = r.Close()
		} else if reported++; !strings.HasSuffix(err.Error(), ": walk: file name too long") {
			t.Error(err)
		}
	}
	if linux := runtime.GOOS == "linux"; linux && (files != 31 || reported != 0) || !linux && (files < 20 || reported != 1) {
		t.Errorf("%d files, %d errors", files, reported)
	}
}

// TestFileChanges makes a file shorter and longer while it is read. References that exist when
// their bytes are read are found. A compressed stream without its end is an error.
func TestFileChanges(t *testing.T) {
	const n = 20000
	text := sample(n)
	packed := pack(t, "gzip", text)
	for _, c := range []struct {
		name        string
		data        []byte
		change      func(path string) error
		least, most int
		stage       string
	}{
		{"shrinks", text, func(p string) error { return os.Truncate(p, int64(len(text)/2)) }, n / 2, n * 6 / 10, "read"},
		{"is emptied", text, func(p string) error { return os.Truncate(p, 0) }, 1, 2000, "read"},
		{"grows", text, func(p string) error { return add(p, sample(100)) }, n + 100, n + 100, ""},
		{"goes", text, os.Remove, n, n, ""},
		{"another takes its place", text, func(p string) error { return errors.Join(os.Remove(p), os.WriteFile(p, nil, 0o600)) }, n, n, ""},
		{"packed, shrinks", packed, func(p string) error { return os.Truncate(p, int64(len(packed)/2)) }, n / 3, n * 2 / 3, "read"},
		{"packed, grows", packed, func(p string) error { return add(p, packed) }, 2 * n, 2 * n, ""},
		{"packed, grows by text", packed, func(p string) error { return add(p, sample(1)) }, n, n, "gzip"},
	} {
		for _, workers := range []int{1, 2} {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			urls, stages := 0, ""
			first := func() {
				if urls++; urls == 1 {
					if err := c.change(path); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, err := range extractor(t, extract.Options{Workers: workers}).Run(t.Context(), extract.Walk(path)) {
				var e *extract.Error
				if errors.As(err, &e) {
					stages += e.Stage
					continue
				}
				first()
			}
			if workers > 1 && !strings.Contains(c.name, "grow") && (c.stage == "" || c.stage == "read" && c.most < n/2) {
				c.most = n // much has been read when the first result comes
			}
			if urls < c.least || urls > c.most || stages != c.stage {
				t.Errorf("%s, %d workers: %d references, want %d to %d; errors of %q, want %q", c.name, workers, urls, c.least, c.most, stages, c.stage)
			}
		}
	}
}

// add appends data to the file.
func add(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// TestOpenErrors opens sources that fail for reasons that a test may not be able to
// produce. Each is reported with its name, once.
func TestOpenErrors(t *testing.T) {
	var list []extract.Source
	var want []string
	for i, err := range []error{fs.ErrPermission, syscall.EMFILE, syscall.EIO, &fs.PathError{Op: "open", Path: "s3", Err: syscall.ESTALE}, errors.New("no luck")} {
		name := fmt.Sprint("s", i)
		list = append(list, extract.Source{Name: name, Size: -1, Open: func() (io.ReadCloser, error) { return nil, err }}, memory("ok", []byte("http://a.example/")))
		cause := err
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			cause = p.Err
		}
		want = append(want, fmt.Sprintf("%s: open: %v", name, cause))
	}
	for _, workers := range []int{1, 3} {
		urls, errs := all(t, extractor(t, extract.Options{Workers: workers}).Run(t.Context(), slices.Values(list)))
		var got []string
		for _, e := range errs {
			got = append(got, e.Error())
		}
		if !slices.Equal(got, want) || len(urls) != len(want) {
			t.Errorf("%d workers: %d references, %q, want %q", workers, len(urls), got, want)
		}
	}
}
