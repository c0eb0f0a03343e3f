//go:build unix

package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
			f, err := openRegular(path)
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
		f, err := openRegular(path)
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
	f, err := openRegular(path)
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
	_, err := openRegular(filepath.Join(dir, "none"))
	_, want := os.Open(filepath.Join(dir, "none"))
	if err == nil || err.Error() != want.Error() || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %v", err, want)
	}
	if _, err := openRegular(dir); err == nil {
		t.Error("a directory is opened")
	}
	if runtime.GOOS == "linux" { // its size is reported as 0
		f, err := openRegular("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got, err := io.ReadAll(f); len(got) == 0 || err != nil {
			t.Errorf("read %d, %v", len(got), err)
		}
	}
	f, err := openRegular(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, ok := f.(*os.File); !ok {
		t.Errorf("a large file is a %T", f)
	}
}
