//go:build unix

package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// found returns what a walk that does not ask for sizes finds in dir.
func foundIn(dir string) []Source { return slices.Collect(Walker{Unsized: true}.Walk(dir)) }

// descriptors returns how many this process has open, -1 if it cannot be told.
func descriptors() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(list)
}

// TestShelf takes from a shelf what files of all sizes have, and closes what it opened.
func TestShelf(t *testing.T) {
	dir := t.TempDir()
	var want [][]byte
	for i, size := range []int{3, 1, 0, 4096, 5, shelfBytes - 4107, 2, 1, shelfBytes - 1, shelfBytes, 7, shelfBytes + 1, 300 << 10, 1, 1, shelfBytes / 2, shelfBytes/2 - 1, shelfBytes / 2, 9} {
		text := bytes.Repeat([]byte{byte('a' + i)}, size)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d", i)), text, 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, text)
	}
	before := descriptors()
	var s shelf
	some := foundIn(dir)
	if len(some) != len(want) {
		t.Fatalf("%d files", len(some))
	}
	held := 0
	for k := range 2 * len(some) { // the second time, fewer are opened at once
		i := k % len(some)
		r, err, ok := s.take()
		if !ok {
			s.load(some[i:], 1, new(schedule.Interrupt))
			r, err, ok = s.take()
		}
		if !ok {
			r, err = some[i].Open()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, is := r.(*slot); is {
			held++
		}
		if size := sizeOf(r); size != int64(len(want[i])) {
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
	s.load(some[9:], 1, new(schedule.Interrupt)) // and take none
	s.load(some, 1, new(schedule.Interrupt))
	s.rest()
	if after := descriptors(); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

// TestShelfFull has room for a few descriptors only: no file fails to open for those that
// the shelf holds.
func TestShelfFull(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	some := foundIn(dir)
	var limit syscall.Rlimit
	var s shelf
	s.load(some[:2], 1, new(schedule.Interrupt)) // makes its room, and has the directory
	next, err := os.Open(dir)                    // as many as that are open below it
	if err := errors.Join(err, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)); err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	low := limit
	for low.Cur = 5; int64(low.Cur) < 5+int64(next.Fd()); low.Cur++ { // whatever its type
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Skip(err)
	}
	most := 0
	for i := range some {
		r, err, ok := s.take()
		if !ok {
			s.load(some[i:], 1, new(schedule.Interrupt))
			most = max(most, s.n)
			r, err, ok = s.take()
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
	s.rest()
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

// TestCloseRead closes what was read, with descriptors in any order, and nothing else.
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
	all := []slot{{fd: fds[0], data: read}, {fd: fds[1], data: read}, {fd: -1, err: io.EOF}, {fd: fds[2], data: read},
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

// TestShelfChanges changes files between the walk and the reading, in all ways that
// matter: what is read is what is there when it is read.
func TestShelfChanges(t *testing.T) {
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
	var s shelf
	defer s.rest()
	s.load(some, 1, new(schedule.Interrupt))
	for i, src := range some {
		r, err, ok := s.take()
		if !ok {
			t.Fatalf("%s is not there", src.Name)
		}
		got := ""
		if err == nil {
			b, readErr := io.ReadAll(r)
			got, err = string(b), readErr
			r.Close()
		}
		want, wantErr := "", error(nil)
		if r, err := openRegular(src.Name); err != nil {
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

// TestShelfSure puts each thing in the place of a file that was found, among files that are
// not asked what they are; what is read is what there is.
func TestShelfSure(t *testing.T) {
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
		"a block":        func(p string) error { return os.Truncate(p, sureBlock) },
		"a longer file":  func(p string) error { return os.Truncate(p, 5000) },
		"a row, all but": func(p string) error { return os.Truncate(p, shelfBytes-11) },
		"a row":          func(p string) error { return os.Truncate(p, shelfBytes) },
		"a large file":   func(p string) error { return os.Truncate(p, 1<<20) },
	} {
		dir := t.TempDir()
		for _, name := range []string{"a", "b", "c", "d"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("what is in "+name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		some := foundIn(dir)
		if err := change(some[1].Name); err != nil {
			t.Skip(err)
		}
		var s shelf
		for range 2 {
			s.load(some, 1, new(schedule.Interrupt))
			for _, src := range some {
				r, gotErr, ok := s.take()
				if !ok {
					s.load([]Source{src, src}, 1, new(schedule.Interrupt))
					r, gotErr, _ = s.take()
				}
				got := readAll(r)
				r, wantErr := openRegular(src.Name)
				if want := readAll(r); fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || got != want {
					t.Errorf("%s, %s: %d bytes, %v, want %d, %v", name, filepath.Base(src.Name), len(got), gotErr, len(want), wantErr)
				}
			}
		}
		s.rest()
	}
}

// readAll returns what r has, and closes it.
func readAll(r io.ReadCloser) string {
	if r == nil {
		return ""
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return fmt.Sprint(string(b), err)
}

// TestSurety opens files, and no links, where files are kept.
func TestSurety(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a directory tells less")
	}
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600), os.Symlink("a", filepath.Join(dir, "b"))); err != nil {
		t.Fatal(err)
	}
	fd := openFolder(dir)
	defer syscall.Close(fd)
	var s surety
	if s.begin(fd); !s.ok {
		t.Skip("another file system")
	}
	got := s.open(fd, "a")
	if got < 0 {
		t.Skip("another system")
	}
	syscall.Close(got)
	if n := s.open(fd, strings.Repeat("a", 256)); n >= 0 || !s.ok {
		t.Errorf("a long name: %d, %v", n, s.ok)
	}
	for _, name := range []string{"b", "c"} {
		if s.begin(fd); s.open(fd, name) >= 0 || s.ok {
			t.Errorf("%s opens", name)
		}
	}
	if s.begin(-1); s.ok {
		t.Error("where there is no directory")
	}
	proc := openFolder("/proc/self")
	defer syscall.Close(proc)
	if s.begin(proc); s.ok {
		t.Error("where files are made when they are read")
	}
}

// TestShelfOpen reads nothing ahead of which somebody has changed the Open, nor behind it.
func TestShelfOpen(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("http://old.example/"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{1, 2} {
		some := foundIn(dir)
		for i := range some {
			if open := some[i].Open; i%3 == 1 {
				some[i].Open = func() (io.ReadCloser, error) {
					if err := os.WriteFile(some[i].Name, []byte("http://new.example/"), 0o600); err != nil {
						return nil, err
					}
					return open()
				}
			}
		}
		x, err := New(Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r, err := range x.Run(t.Context(), slices.Values(some)) {
			if err != nil {
				t.Fatal(err)
			}
			want := "http://old.example/"
			if n%3 == 1 {
				want = "http://new.example/"
			}
			if string(r.URL) != want {
				t.Errorf("%d workers: %d: %s", workers, n, r.URL)
			}
			n++
		}
		if n != len(some) {
			t.Errorf("%d workers: %d of %d", workers, n, len(some))
		}
		for i := range some { // as before
			if err := os.WriteFile(some[i].Name, []byte("http://old.example/"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestShelfLeft leaves a run early, with files on the shelf, and by a panic; and has all
// descriptors back.
func TestShelfLeft(t *testing.T) {
	dir := t.TempDir()
	for i := range 100 {
		text := strings.Repeat("http://a.example/\n", 1+i*i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := descriptors()
	for _, workers := range []int{1, 2} {
		x, err := New(Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		for left := range 60 {
			func() {
				defer func() { _ = recover() }()
				n := 0
				for range x.Run(t.Context(), (Walker{Unsized: true}).Walk(dir)) {
					if n++; n > left {
						if left%2 == 0 {
							panic("left")
						}
						break
					}
				}
			}()
		}
		x.Stats()
	}
	if after := descriptors(); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
