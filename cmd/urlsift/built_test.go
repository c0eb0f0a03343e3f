package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// built returns the command as it is installed, which is built once for all tests. The
// one that tests run is bound to the tests, and so to C and a race detector that want
// memory of their own.
func built(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// builtIn is the folder of the command that was built, if it was.
var builtIn string

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "urlsift") // t.TempDir ends with its test, and is shut for other users in places
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
