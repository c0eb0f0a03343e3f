//go:build unix

package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// foundIn returns the files that a walk without sizes finds in dir.
func foundIn(dir string) []*File { return slices.Collect(Walker{Unsized: true}.Walk(dir)) }

// never is the function stopped of a caller that does not stop.
func never() bool { return false }

// descriptors returns the number of open descriptors of this process, -1 if it is unknown.
func descriptors() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(list)
}

// TestPrefetch takes files of all sizes from a Prefetcher, which must close all that it opened.
func TestPrefetch(t *testing.T) {
	dir := t.TempDir()
	var want [][]byte
	for i, size := range []int{3, 1, 0, 4096, 5, prefetchBytes - 4107, 2, 1, prefetchBytes - 1, prefetchBytes, 7, prefetchBytes + 1, 300 << 10, 1, 1, prefetchBytes / 2, prefetchBytes/2 - 1, prefetchBytes / 2, 9} {
		text := bytes.Repeat([]byte{byte('a' + i)}, size)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d", i)), text, 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, text)
	}
	before := descriptors()
	var p Prefetcher
	some := foundIn(dir)
	if len(some) != len(want) {
		t.Fatalf("%d files", len(some))
	}
	held := 0
	for k := range 2 * len(some) { // the second time, fewer are opened at once
		i := k % len(some)
		r, err, ok := p.Take()
		if !ok {
			p.Load(some[i:], 1, never)
			r, err, ok = p.Take()
		}
		if !ok {
			r, err = some[i].Open()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, is := r.(*prefetched); is {
			held++
		}
		if size := SizeOf(r); size != int64(len(want[i])) {
			t.Errorf("%d: of size %d", i, size)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want[i]) {
			t.Errorf("%d: %d bytes of %d, %v", i, len(got), len(want[i]), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := r.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("closed again: %v", err)
		}
	}
	if held < 10 {
		t.Errorf("%d files were read ahead", held)
	}
	p.Load(some[9:], 1, never) // take no file
	p.Load(some, 1, never)
	p.Release()
	if after := descriptors(); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

// TestPrefetchFull allows only a few descriptors. No file may fail to open because a Prefetcher
// holds the others.
func TestPrefetchFull(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	some := foundIn(dir)
	var limit syscall.Rlimit
	var p Prefetcher
	p.Load(some[:2], 1, never) // allocates its buffers, and opens the directory
	next, err := os.Open(dir)  // next is the lowest free descriptor
	if err := errors.Join(err, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)); err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	low := limit
	for low.Cur = 5; int64(low.Cur) < 5+int64(next.Fd()); low.Cur++ { // the type of Cur depends on the system
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Skip(err)
	}
	most := 0
	for i := range some {
		r, err, ok := p.Take()
		if !ok {
			p.Load(some[i:], 1, never)
			most = max(most, p.n)
			r, err, ok = p.Take()
		}
		if !ok {
			r, err = some[i].Open()
		}
		if err == nil {
			err = r.Close()
		}
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	p.Release()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if most > 10 {
		t.Errorf("%d files were open at once, of 5", most)
	}
	if n := descriptors(); n > int(next.Fd())+8 {
		t.Errorf("%d descriptors are open", n)
	}
}

// TestCloseRead checks that exactly the files that were read are closed, with descriptors in any
// order.
func TestCloseRead(t *testing.T) {
	var fds [9]int
	for i := range fds {
		var p [2]int
		if err := syscall.Pipe(p[:]); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Close(p[1])
		fds[i] = p[0]
	}
	read := []byte("x")
	all := []prefetched{{fd: fds[0], data: read}, {fd: fds[1], data: read}, {fd: -1, err: io.EOF}, {fd: fds[2], data: read},
		{fd: fds[3]}, {fd: fds[4], data: read}, {fd: fds[8], data: read}, {fd: fds[6], data: read}, {fd: fds[5], data: read}}
	closeRead(all)
	for i, fd := range fds {
		var info syscall.Stat_t
		open := syscall.Fstat(fd, &info) == nil
		if want := i == 3 || i == 7; open != want {
			t.Errorf("%d: open %v", i, open)
		}
		if open {
			_ = syscall.Close(fd)
		}
	}
	closeRead(nil)
}

// TestPrefetchChanges changes files between the walk and the reading, in many ways. The new
// contents must be read.
func TestPrefetchChanges(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	names := []string{"a", "device", "directory", "fifo", "goes", "grows", "hidden", "is elsewhere", "z"}
	for _, name := range names {
		if err := os.WriteFile(at(name), []byte("in "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	some := foundIn(dir)
	for _, name := range []string{"device", "directory", "fifo", "goes", "is elsewhere"} {
		if err := os.Remove(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("/dev/zero", at("device")), os.Mkdir(at("directory"), 0o700), syscall.Mkfifo(at("fifo"), 0o600),
		os.WriteFile(at("grows"), []byte(strings.Repeat("much more ", 1000)), 0o600), os.Chmod(at("hidden"), 0),
		os.Symlink(at("a"), at("is elsewhere"))); err != nil {
		t.Fatal(err)
	}
	var p Prefetcher
	defer p.Release()
	p.Load(some, 1, never)
	for i, f := range some {
		r, err, ok := p.Take()
		if !ok {
			t.Fatalf("%s is not there", f.Path)
		}
		got := ""
		if err == nil {
			b, readErr := io.ReadAll(r)
			got, err = string(b), readErr
			r.Close()
		}
		want, wantErr := "", error(nil)
		if r, err := system.Open(f.Path); err != nil {
			wantErr = err
		} else {
			b, _ := io.ReadAll(r)
			want = string(b)
			r.Close()
		}
		if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%s: %d bytes, %v, want %d, %v", names[i], len(got), err, len(want), wantErr)
		}
	}
}

// TestPrefetchSure replaces files by other things after the walk has found them. The Prefetcher
// does not ask the system for the type of these files. The result must be that of opening the
// replacement.
func TestPrefetchSure(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"nothing":        func(string) error { return nil },
		"no file":        os.Remove,
		"a directory":    func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
		"a FIFO":         func(p string) error { return errors.Join(os.Remove(p), syscall.Mkfifo(p, 0o600)) },
		"a device":       func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/dev/zero", p)) },
		"an empty one":   func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/dev/null", p)) },
		"a link":         func(p string) error { return errors.Join(os.Remove(p), os.Symlink("a", p)) },
		"a process":      func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/proc/version", p)) },
		"itself":         func(p string) error { return errors.Join(os.Remove(p), os.Symlink(p, p)) },
		"an empty file":  func(p string) error { return os.Truncate(p, 0) },
		"a block":        func(p string) error { return os.Truncate(p, system.DiskBlock) },
		"a longer file":  func(p string) error { return os.Truncate(p, 5000) },
		"a row, all but": func(p string) error { return os.Truncate(p, prefetchBytes-11) },
		"a row":          func(p string) error { return os.Truncate(p, prefetchBytes) },
		"a large file":   func(p string) error { return os.Truncate(p, 1<<20) },
	} {
		dir := t.TempDir()
		for _, name := range []string{"a", "b", "c", "d"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("what is in "+name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		some := foundIn(dir)
		if err := change(some[1].Path); err != nil {
			t.Skip(err)
		}
		var p Prefetcher
		for range 2 {
			p.Load(some, 1, never)
			for _, f := range some {
				r, gotErr, ok := p.Take()
				if !ok {
					p.Load([]*File{f, f}, 1, never)
					r, gotErr, _ = p.Take()
				}
				got := readAll(r)
				r, wantErr := system.Open(f.Path)
				if want := readAll(r); fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || got != want {
					t.Errorf("%s, %s: %d bytes, %v, want %d, %v", name, filepath.Base(f.Path), len(got), gotErr, len(want), wantErr)
				}
			}
		}
		p.Release()
	}
}

// readAll returns the content of r, and closes it.
func readAll(r io.ReadCloser) string {
	if r == nil {
		return ""
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return fmt.Sprint(string(b), err)
}
