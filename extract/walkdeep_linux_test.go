package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/urlsift/urlsift/extract"
)

// deepTree makes nested folders, with a file in each, whose paths are longer than the
// system accepts. It returns the path of the deepest.
func deepTree(t *testing.T, dir string, depth int) string {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	must(t, err)
	for i := range depth {
		name := fmt.Sprintf("%03d%s", i, strings.Repeat("d", 200))
		must(t, unix.Mkdirat(fd, name, 0o755))
		next, err := unix.Openat(fd, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		must(t, err)
		must(t, unix.Close(fd))
		fd, dir = next, filepath.Join(dir, name)
		for _, file := range []string{"a", "b"} {
			f, err := unix.Openat(fd, file, unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC, 0o644)
			must(t, err)
			_, err = unix.Write(f, fmt.Appendf(nil, "http://%s.example/%d\n", file, i))
			must(t, err)
			must(t, unix.Close(f))
		}
		must(t, unix.Symlinkat("a", fd, "link"))
	}
	must(t, unix.Close(fd))
	return dir
}

// TestWalkLong walks folders whose paths are longer than the system accepts, and reads their files.
// The walk may also begin at such a path.
func TestWalkLong(t *testing.T) {
	const depth = 64
	top := t.TempDir()
	deepest := deepTree(t, top, depth)
	if len(deepest) < 3*4096 {
		t.Fatalf("a path of %d bytes", len(deepest))
	}
	for _, workers := range []int{1, 3} {
		for _, walker := range []extract.Walker{{}, {Unsized: true}, {Unsized: true, Hidden: true}, {Include: []string{"a", "b"}}, {Follow: true}} {
			x := extractor(t, extract.Options{Workers: workers})
			found := make(map[string]int)
			for r, err := range x.Run(t.Context(), walker.Walk(top)) {
				if err != nil {
					t.Fatalf("%+v: %.200v", walker, err)
				}
				found[string(r.URL)]++
			}
			again := 1
			if walker.Follow {
				again = 2
			}
			for i := range depth {
				if found[fmt.Sprintf("http://a.example/%d", i)] != again || found[fmt.Sprintf("http://b.example/%d", i)] != 1 {
					t.Fatalf("%+v: at depth %d are found %d and %d", walker, i, found[fmt.Sprintf("http://a.example/%d", i)], found[fmt.Sprintf("http://b.example/%d", i)])
				}
			}
		}
		x := extractor(t, extract.Options{Workers: workers})
		last := fmt.Sprint(depth - 1)
		urls, errs := all(t, x.Run(t.Context(), extract.Walk(deepest+"/b", deepest, deepest+"//", deepest+"/none", deepest+"/"+strings.Repeat("n", 300))))
		b, a := "http://b.example/"+last, "http://a.example/"+last
		if fmt.Sprint(urls) != fmt.Sprint([]string{b, a, b, a, b}) || len(errs) != 2 || !os.IsNotExist(errs[0].Err) {
			t.Errorf("%v, %.200v", urls, errs)
		}
	}
}
