//go:build unix

package output

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReplaceKeeps checks that a new file has the mode of the old one, and its owner and group if
// the system allows that; and what is written directly: a file in a folder in which no file can be
// made, a FIFO, and what is open as standard output.
func TestReplaceKeeps(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for _, mode := range []os.FileMode{0o600, 0o640, 0o604, 0o666, 0o755} {
		if err := write("out")(dir); err != nil {
			t.Fatal(err)
		}
		owner := os.Geteuid()
		if owner == 0 {
			owner = 65534
		}
		if err := os.Chown(out, owner, -1); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(out, mode); err != nil {
			t.Fatal(err)
		}
		f, err := Replace(out, nil)
		if err != nil {
			t.Fatal(err)
		}
		old := f.old
		if err := f.Finish(true); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(out)
		if err != nil || info.Mode() != mode || info.Sys().(*syscall.Stat_t).Uid != uint32(owner) || os.SameFile(info, old) {
			t.Errorf("%v: became %v, %v", mode, info, err)
		}
	}

	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	reader, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	was := os.Stdout
	defer func() { os.Stdout = was }()
	if os.Stdout, err = os.OpenFile(filepath.Join(dir, "stdout"), os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Stdout.Close()
	for _, path := range []string{fifo, "/dev/null", "/dev/stdout", filepath.Join(dir, "stdout")} {
		f, err := Replace(path, nil)
		if err != nil || f.replaces != "" {
			t.Errorf("%s is replaced: %v", path, err)
		}
		if err == nil {
			f.Finish(true)
		}
	}

	if os.Geteuid() == 0 {
		return // root can make files in every folder
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	f, err := Replace(out, nil)
	if err != nil || f.replaces != "" {
		t.Fatalf("%v: the file would be replaced", err)
	}
	f.Finish(true)
	if _, err := Replace(filepath.Join(dir, "other"), nil); err == nil {
		t.Error("a file was made in the folder")
	}
}
