package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSelfDeep writes results to a file below the walked folder, with a path that is longer than
// the system accepts. The walk must leave that file out, or the run would not end.
func TestSelfDeep(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	name := strings.Repeat("d", 200)
	for range 30 {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chdir(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("in", lines(20000), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"-j1", "-j3"} {
		o := shell(t, `urlsift "$2" "$1" >out; status=$?; wc -l <out; exit $status`, filepath.Clean(top), flags)
		if o.status != foundSome || strings.TrimSpace(o.out) != "20000" || o.complaints != "" {
			t.Errorf("%s: status %d, %s lines, %.300s", flags, o.status, o.out, o.complaints)
		}
	}
}
