package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// read returns the paths in a list, with errors in brackets.
func read(list string, end byte) string {
	var out []string
	for path, err := range files.ReadPaths(context.Background(), list, end) {
		if err != nil {
			path = "(" + err.Error() + ")"
		}
		out = append(out, path)
	}
	return strings.Join(out, "|")
}

func TestReadPaths(t *testing.T) {
	dir, long := t.TempDir(), strings.Repeat("y", 64<<10+1)
	t.Chdir(dir)
	for i, c := range []struct {
		text string
		end  byte
		want string
	}{
		{"", '\n', ""},
		{"a", '\n', "a"},
		{"a\nb b\n", '\n', "a|b b"},
		{"a\r\n\r\n\n b\r", '\n', "a| b"},
		{"a\nb\x00\x00-\r\x00c", 0, "a\nb|-\r|c"},
		{"-\n", '\n', "-"},
		{long[1:] + "\nb", '\n', "(" + long[:64] + "...: open: a path of more than 64 KiB in the list)|b"},
		{"a\x00" + long + long + "\x00b", 0, "a|(" + long[:64] + "...: open: a path of more than 64 KiB in the list)|b"},
		{long[2:] + "\nb", '\n', long[2:] + "|b"},
		{long, '\n', "(" + long[:64] + "...: open: a path of more than 64 KiB in the list)"},
	} {
		if err := os.WriteFile("list", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := read("list", c.end); got != c.want {
			t.Errorf("%d: %.200q, want %.200q", i, got, c.want)
		}
	}
	if got, want := read("none", 0), "(none: open: no such file or directory)"; got != want && runtime.GOOS != "windows" {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := read(".", 0), "(.: read: is a directory)"; got != want && runtime.GOOS != "windows" {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestReadPathsStdin reads a list from standard input. The list must not name standard input as a
// file.
func TestReadPathsStdin(t *testing.T) {
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("list", []byte("a\n-\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("list")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	os.Stdin = f
	if got, want := read("-", '\n'), "a|(-: open: standard input is the list, and cannot be in it)|b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWalkEach walks paths from a sequence. An error in the sequence is yielded as a file with that
// error.
func TestWalkEach(t *testing.T) {
	grow(t, map[string]string{"d/a": "", "b": ""})
	asked, got := 0, ""
	for f := range (files.Walker{}).WalkEach(func(yield func(string, error) bool) {
		for _, path := range []string{"d", "!", "none", "b", "d"} {
			var err error
			if path == "!" {
				err = os.ErrInvalid
			}
			if asked++; !yield(path, err) {
				return
			}
		}
	}) {
		if got += fmt.Sprint(filepath.ToSlash(f.Path), " ", f.Err != nil, " ", asked, "; "); f.Path == "b" {
			break
		}
	}
	if want := "d/a false 1; ! true 2; none true 3; b false 4; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
