//go:build unix

package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestFoundAllocs checks that small files cost three allocations each: package os allocates the
// directory entry and its name, and Open is the third. Allocations for each directory and each
// batch of files may add at most a tenth of one per file.
func TestFoundAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("with the race detector")
	}
	const files = 1000
	dir := t.TempDir()
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("see http://a.example/ there\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := extractor(t, extract.Options{Workers: 1})
	run := func() {
		n := 0
		for range x.Run(t.Context(), (extract.Walker{Unsized: true}).Walk(dir)) {
			n++
		}
		if n != files {
			t.Fatalf("%d references", n)
		}
	}
	run()
	if n := testing.AllocsPerRun(3, run) / files; n > 3.1 {
		t.Errorf("%.2f allocations a file", n)
	}
}
