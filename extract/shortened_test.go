package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestShortened makes files shorter while they are read. That is an error at the position that
// reading had reached, and everything in front of it is found. It is no error if a file becomes
// longer, or becomes shorter after it was read.
func TestShortened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		name     string
		size     int // size of the file, in lines
		keep     int64
		reported bool
		mode     string
		lines    int // lower bound of the lines found
	}{
		{name: "small", size: 2000, keep: 70_000, reported: true, lines: 900},
		{name: "small, to nothing", size: 2000, keep: 0, reported: true, lines: 500},
		{name: "big", size: 300_000, keep: 1_000_000, reported: true, lines: 10_000},
		{name: "big, to nothing", size: 300_000, keep: 0, reported: true, lines: 500},
		{name: "gzip", size: 300_000, keep: 1_000_000, reported: true, mode: "gzip", lines: 1000},
		{name: "all was read", size: 500, keep: 0, lines: 500},
		{name: "longer", size: 300_000, keep: 40_000_000, lines: 300_000},
	} {
		if !long && c.size == 300_000 && c.mode == "" {
			c.size /= 4
			c.lines = min(c.lines, c.size)
		}
		data := sample(c.size)
		if c.mode != "" {
			data = pack(t, c.mode, data)
		}
		for _, workers := range []int{1, 3} {
			if raceEnabled && workers == 1 {
				continue
			}
			for how, sources := range map[string]iter.Seq[extract.Source]{"walk": extract.Walk(path), "unsized": extract.Walker{Unsized: true}.Walk(filepath.Dir(path))} {
				must(t, os.WriteFile(path, data, 0o600))
				what := fmt.Sprintf("%s, %s, %d workers", c.name, how, workers)
				x := extractor(t, extract.Options{Workers: workers})
				found := 0
				var errs []*extract.Error
				for _, err := range x.Run(t.Context(), sources) {
					var e *extract.Error
					if errors.As(err, &e) {
						errs = append(errs, e)
						continue
					}
					if found++; found == 1 {
						if workers > 1 && len(data) < 1<<20 {
							break // the other workers have read it by now
						}
						must(t, os.Truncate(path, c.keep))
					}
				}
				if workers > 1 && len(data) < 1<<20 {
					continue
				}
				if found < c.lines || c.reported && found >= c.size {
					t.Errorf("%s: %d are found of %d", what, found, c.size)
				}
				switch {
				case !c.reported && len(errs) == 0:
				case len(errs) != 1 || !c.reported:
					t.Errorf("%s: %v", what, errs)
				case errs[0].Stage != "read" || !errors.Is(errs[0], io.ErrUnexpectedEOF) || errs[0].Origin.Source != path || errs[0].Origin.Offset == 0 || errs[0].Origin.Line < int64(found)-1:
					t.Errorf("%s: %d found, then %+v", what, found, errs[0])
				}
			}
		}
	}
}

// TestSizeless reads files like those in /proc, whose sizes are meaningless. That is no error.
func TestSizeless(t *testing.T) {
	for _, path := range []string{"/proc/self/status", "/proc/cpuinfo", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/cpu/online"} {
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			continue
		}
		for _, workers := range []int{1, 2} {
			x := extractor(t, extract.Options{Workers: workers})
			for _, err := range x.Run(t.Context(), extract.Walk(path)) {
				t.Errorf("%s: %v", path, err)
			}
			if n := x.Stats().RawAll; n == 0 || !bytes.Contains(data, []byte("\n")) {
				t.Errorf("%s: %d bytes are read of %d", path, n, len(data))
			}
		}
	}
}
