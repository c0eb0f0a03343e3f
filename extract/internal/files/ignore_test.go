package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// TestIgnore walks trees for which git and ripgrep differ, or with ignore files that git does not
// know.
func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		name  string
		tree  map[string]string
		w     files.Walker
		roots string
		want  string
	}{
		{".ignore counts more", map[string]string{".ignore": "a\n!b", ".gitignore": "b\nc", "a": "", "b": "", "c": "", "d/.gitignore": "!a", "d/a": ""}, files.Walker{}, ".", "./b"},
		{"not heeded", map[string]string{".ignore": "*", "a": ""}, files.Walker{Unsized: true}, ".", "./.ignore ./a"},
		{"above, in a tree of git", map[string]string{".git/": "", ".gitignore": "x\n/s/y\nt/", "s/x": "", "s/y": "", "s/t/z": "", "s/u/y": ""}, files.Walker{}, "s", "s/u/y"},
		{"two levels above", map[string]string{".git/": "", ".ignore": "/s/u/y", "s/.gitignore": "x", "s/u/x": "", "s/u/y": "", "s/u/z": ""}, files.Walker{}, "s/u", "s/u/z"},
		{"above, no tree of git", map[string]string{".gitignore": "x", "s/x": ""}, files.Walker{}, "s", "s/x"},
		{"another tree of git", map[string]string{".git/": "", ".gitignore": "x", ".ignore": "y", "sub/.git/": "", "sub/x": "", "sub/y": ""}, files.Walker{}, ".", "./sub/x"},
		{"root is the other tree", map[string]string{".git/": "", ".gitignore": "x", "sub/.git/": "", "sub/x": ""}, files.Walker{}, "sub", "sub/x"},
		{"a named path is read", map[string]string{".gitignore": "x\nd", "x": "", "d/y": ""}, files.Walker{}, "x d", "d/y x"},
		{"a glob counts more", map[string]string{".gitignore": "*.log\nd", "a.log": "", "d/b.log": "", "c": ""}, files.Walker{Globs: []string{"*.log"}}, ".", "./a.log"},
		{"an include does not", map[string]string{".gitignore": "a.log", "a.log": "", "b.log": ""}, files.Walker{Include: []string{"*.log"}}, ".", "./b.log"},
		{"two roots", map[string]string{"a/.gitignore": "x", "a/x": "", "a/y": "", "b/x": ""}, files.Walker{}, "a/ ./b", "./b/x a/y"},
		{"a directory of that name", map[string]string{".gitignore/x": "", "a": ""}, files.Walker{}, ".", "./a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			grow(t, c.tree)
			c.w.Ignore = c.name != "not heeded"
			c.w.Hidden = !c.w.Ignore
			if got := strings.Join(listed(c.w, strings.Fields(c.roots)...), " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestIgnoreErrors checks that a walk continues if an ignore file cannot be read.
func TestIgnoreErrors(t *testing.T) {
	grow(t, map[string]string{".git/": "", ".gitignore": strings.Repeat("x\n", 1<<19) + "x", "x": "", "d/.ignore": strings.Repeat("x\n", 1<<19), "d/x": "", "d/y": ""})
	const long = ": walk: ignore file of more than 1 MiB)"
	if got, want := listed(files.Walker{Ignore: true}, "."), []string{"(./.gitignore" + long, "./d/y", "./x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := listed(files.Walker{Ignore: true}, "d"), []string{"(" + filepath.Join(here, ".gitignore") + long, "d/y"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range (files.Walker{Ignore: true}).Walk(".") {
		break // leave the walk at the error
	}
}

// TestUnmatched checks that globs that matched nothing are reported, but only after complete walks.
func TestUnmatched(t *testing.T) {
	grow(t, map[string]string{"a.md": "", "b.txt": "", "d/c.md": "", ".h/x": ""})
	for _, c := range []struct {
		w     files.Walker
		roots string
		want  string
	}{
		{files.Walker{Include: []string{"*.md", "*.rst", "d/*"}}, ".", "*.rst"},
		{files.Walker{Include: []string{"*.md", "a.*", "d", "d/"}}, ".", "d d/"},
		{files.Walker{Exclude: []string{"d", "d/c.md", ".h", "*.gz"}}, ".", "d/c.md *.gz"},
		{files.Walker{Globs: []string{"*.md", "!a.*", "!*.x", "d/**", "d"}}, ".", "!*.x d"},
		{files.Walker{Globs: []string{"c.md", "*.md"}}, ".", ""},
		{files.Walker{Globs: []string{"!d", "!c.md"}}, ".", "!c.md"},
		{files.Walker{Include: []string{"*.md"}}, "a.md", "*.md"},
		{files.Walker{Include: []string{"c.*"}, Exclude: []string{"a.*"}}, "d .", ""},
	} {
		var got []string
		c.w.Unmatched = func(glob string) { got = append(got, glob) }
		walk := c.w.Walk(strings.Fields(c.roots)...)
		for range walk {
			break
		}
		if len(got) > 0 {
			t.Errorf("%+v: of a walk that was left: %q", c.w, got)
		}
		for range 2 {
			got = nil
			for range walk {
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, %q, %q: %q, want %q", c.w.Globs, c.w.Include, c.w.Exclude, got, c.want)
			}
		}
	}
}

// TestGlobsHere compares globs with paths that are written in several ways.
func TestGlobsHere(t *testing.T) {
	here := grow(t, map[string]string{"d/a": "", "d/b": "", "e/a": ""})
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{".", "./", ".//", "d", "./d", "d/", "d//", "e/../d", here, filepath.Join(here, "d"), "../" + filepath.Base(here)} {
		for _, g := range []string{"d/a", "./d/a", "/d/a", filepath.Join(here, "d/a"), "d/[a]"} {
			got := listed(files.Walker{Include: []string{g}}, root)
			known := strings.HasPrefix(root, "../") // the walk does not know the name of this directory
			if known != (len(got) == 0) || !known && (len(got) != 1 || !strings.HasSuffix(got[0], "d/a") && !strings.HasSuffix(got[0], "d//a")) {
				t.Errorf("%s in %s: %q", g, root, got)
			}
		}
	}
	for g, want := range map[string]int{filepath.Join(outside, "a"): 1, filepath.Join(outside, "*"): 1, "/a": 0, "a": 1, "**/a": 1} {
		if got := listed(files.Walker{Include: []string{g}}, outside); len(got) != want {
			t.Errorf("%s in %s: %q", g, outside, got)
		}
	}
}

// TestCheck checks that Check and a walk report the first invalid glob.
func TestCheck(t *testing.T) {
	grow(t, map[string]string{"a": ""})
	for _, w := range []files.Walker{{Globs: []string{"*", "!{a"}}, {Include: []string{"["}}, {Exclude: []string{""}}, {Globs: []string{"!"}}} {
		err := w.Check()
		if err == nil || err.Error() != err.Path+": walk: syntax error in pattern" || errors.Unwrap(err) == nil {
			t.Errorf("%+v: error %v", w, err)
		} else if got := listed(w, "."); len(got) != 1 || got[0] != "("+err.Error()+")" {
			t.Errorf("walked %q", got)
		}
	}
	if err := (files.Walker{Globs: []string{"!a", "{a,b}"}}).Check(); err != nil {
		t.Error(err)
	}
}
