//go:build unix

package files_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// TestReadPathsWaits reads a list from a pipe that stays open. Each path must be yielded at once,
// and the end of the context must end the wait for the next path.
func TestReadPathsWaits(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	if err := syscall.Mkfifo(list, 0o600); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(list, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	send := func(text string) {
		if _, err := w.WriteString(text); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	send("a\n")
	done := make(chan string)
	go func() {
		var got []string
		for path, err := range files.ReadPaths(ctx, list, '\n') {
			if err != nil {
				t.Error(err)
			}
			switch got = append(got, path); path {
			case "a":
				send("b\nhalf")
			case "b":
				time.AfterFunc(20*time.Millisecond, cancel)
			}
		}
		done <- strings.Join(got, " ")
	}()
	select {
	case got := <-done:
		if got != "a b" {
			t.Errorf("read %s", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits")
	}
}
