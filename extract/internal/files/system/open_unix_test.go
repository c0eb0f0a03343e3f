//go:build unix

package system

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

// TestSmallFile reads small files in several ways: like any file, and with io.EOF together with the
// last bytes.
func TestSmallFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, size := range []int{0, 1, 4095, 4096, 100000} {
		text := strings.Repeat("x", size)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, how := range []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.OneByteReader,
		} {
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(how(f)); string(got) != text || err != nil {
				t.Errorf("%d bytes: read %d, %v", size, len(got), err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("closed again: %v", err)
			}
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := f.Read(make([]byte, 1<<20))
		if n != size || err != io.EOF {
			t.Errorf("%d bytes: read %d at once, %v", size, n, err)
		}
		f.Close()
	}
}

// TestSmallFileGrows reads a file that grows while it is read to its end.
func TestSmallFileGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(path, []byte("one and two"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); string(got) != "one and two" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}

// TestOpenRegularErrors opens a path that does not exist, files that are not regular, a file whose
// size is meaningless, and a large file.
func TestOpenRegularErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(filepath.Join(dir, "none"))
	_, want := os.Open(filepath.Join(dir, "none"))
	if err == nil || err.Error() != want.Error() || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %v", err, want)
	}
	if _, err := Open(dir); err == nil {
		t.Error("a directory is opened")
	}
	if runtime.GOOS == "linux" { // its size is reported as 0
		f, err := Open("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got, err := io.ReadAll(f); len(got) == 0 || err != nil {
			t.Errorf("read %d, %v", len(got), err)
		}
	}
	f, err := Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, ok := f.(*os.File); !ok {
		t.Errorf("a large file is a %T", f)
	}
}

// TestRegularOpener opens regular files, and no symbolic links, in a temporary directory.
func TestRegularOpener(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a directory tells less")
	}
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600), os.Symlink("a", filepath.Join(dir, "b"))); err != nil {
		t.Fatal(err)
	}
	fd := openDirectory(dir)
	defer syscall.Close(fd)
	var o regularOpener
	if o.begin(fd); !o.ok {
		t.Skip("another file system")
	}
	got := o.open(fd, "a")
	if got < 0 {
		t.Skip("another system")
	}
	syscall.Close(got)
	if n := o.open(fd, strings.Repeat("a", 256)); n >= 0 || !o.ok {
		t.Errorf("a long name: %d, %v", n, o.ok)
	}
	for _, name := range []string{"b", "c"} {
		if o.begin(fd); o.open(fd, name) >= 0 || o.ok {
			t.Errorf("%s opens", name)
		}
	}
	if o.begin(-1); o.ok {
		t.Error("where there is no directory")
	}
	proc := openDirectory("/proc/self")
	defer syscall.Close(proc)
	if o.begin(proc); o.ok {
		t.Error("where files are made when they are read")
	}
}
