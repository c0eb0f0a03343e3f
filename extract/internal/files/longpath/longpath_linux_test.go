package longpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// deep makes nested directories until their path is longer than the system accepts, and enters the
// last. It returns that path.
func deep(t *testing.T) string {
	t.Helper()
	path, name := t.TempDir(), strings.Repeat("n", 250)
	t.Chdir(path)
	for len(path) < 3*maxPath {
		if err := errors.Join(os.Mkdir(name, 0o700), unix.Chdir(name)); err != nil {
			t.Fatal(err)
		}
		path += "/" + name
	}
	return path
}

// TestReadDir lists a directory whose path is too long for the system. Names, types, order and
// errors must be those that package os returns for a short path.
func TestReadDir(t *testing.T) {
	path := deep(t)
	for _, name := range []string{"b", "a", "ä", "\xff", ".h", "aa", " ", strings.Repeat("z", 255)} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir("dir", 0o700), os.Symlink("dir", "link"), os.Symlink("none", "broken"), syscall.Mkfifo("fifo", 0o600)); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadDir(".")
	if err != nil || len(want) != 12 {
		t.Fatal(len(want), err)
	}
	for _, end := range []string{"", "/", "//"} {
		got, err := ReadDir(path + end)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %d entries, %v", end, len(got), err)
		}
		for i, e := range got {
			if e.Name() != want[i].Name() || e.Type() != want[i].Type() {
				t.Errorf("%q: %q %v, want %q %v", end, e.Name(), e.Type(), want[i].Name(), want[i].Type())
			}
		}
	}
	for _, name := range []string{"none", "a", "fifo", "broken", "dir"} {
		_, want := os.ReadDir(name)
		_, got := ReadDir(path + "/" + name)
		if cause(got) != cause(want) {
			t.Errorf("%s: %v, want %v", name, cause(got), cause(want))
		}
	}
	short := filepath.Join(t.TempDir(), strings.Repeat("n", 300)) // a name that is too long for any file
	if list, err := ReadDir(short); !errors.Is(err, syscall.ENAMETOOLONG) || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}

// cause returns the system's error in err.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// TestStat calls Stat and Lstat for a symbolic link whose path is too long for the system.
func TestStat(t *testing.T) {
	path := deep(t)
	if err := errors.Join(os.WriteFile("a", []byte("text"), 0o600), os.Symlink("a", "link")); err != nil {
		t.Fatal(err)
	}
	if info, err := Stat(path + "/link"); err != nil || !info.Mode().IsRegular() || info.Size() != 4 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := Lstat(path + "/link"); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := Stat(path + "/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
