package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// built returns the path of the command, built as for users, once for all tests. Other tests run
// the command inside the test binary, which may use cgo and the race detector, and these need more
// memory.
func built(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// builtIn is the folder of the built command; "" if it is not built yet.
var builtIn string

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "urlsift") // t.TempDir is removed with its test, and other users may be unable to enter it
	if err != nil {
		return "", err
	}
	builtIn = dir
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "urlsift")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})
