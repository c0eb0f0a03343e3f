package files_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// grow makes a new working directory with these files and their text. Names that end in '/' are
// directories.
func grow(t *testing.T, names map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// listed returns the paths that a walk yields, and errors in brackets, sorted.
func listed(w files.Walker, paths ...string) (list []string) {
	for f := range w.Walk(paths...) {
		if f.Err != nil {
			list = append(list, "("+f.Err.Error()+")")
			continue
		}
		list = append(list, filepath.ToSlash(f.Path))
	}
	slices.Sort(list)
	return list
}

// installed skips the test, with a message, if program is not installed.
func installed(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("SKIPPED: %s is not installed, so nothing was compared with it", program)
	}
	return path
}

// output runs a program and returns the NUL-terminated names that it prints, sorted. A status of 1
// means that there are none.
func output(t *testing.T, stdin, program string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME=/nonexistent", "XDG_CONFIG_HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "RIPGREP_CONFIG_PATH=")
	cmd.Stdin = strings.NewReader(stdin)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if status := cmd.ProcessState.ExitCode(); status > 1 || status < 0 {
		t.Fatalf("%s %q: %v: %s", program, args, err, &complaint)
	}
	list := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	slices.Sort(list)
	return list
}

// forGlobs is a tree of files for tests of globs.
var forGlobs = map[string]string{
	"a.md": "", "b.txt": "", ".h.md": "", "d/a.md": "", "d/b.md.gz": "", "d/.h/x.md": "", "d/e/f/a.md": "", "d/e/g/b.txt": "", "d/{q}.md": "", "d/[x].md": "",
	"e/d/a.md": "", "e/d/e/a": "", ".top/a.md": "", "x/a b.md": "", "x/-": "", "x/a": "", "x/b": "", "x/ab/a": "", "x/ab/b": "", "x/ba/ab": "",
}

// TestGlobsLikeRipgrep compares walks with those of ripgrep.
func TestGlobsLikeRipgrep(t *testing.T) {
	rg := installed(t, "rg")
	grow(t, forGlobs)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	compare := func(hidden bool, roots []string, globs ...string) {
		args := []string{"--files", "--null", "--no-ignore"}
		if hidden {
			args = append(args, "--hidden")
		}
		for _, g := range globs {
			args = append(args, "-g", g)
		}
		want := output(t, "", rg, append(append(args, "--"), roots...)...)
		if got := listed(files.Walker{Globs: globs, Hidden: hidden, Unsized: len(globs) > 1}, roots...); !slices.Equal(got, want) {
			t.Errorf("%q in %q, hidden %v:\ngot  %q\nwant %q", globs, roots, hidden, got, want)
		}
	}
	dot, all := []string{"."}, [][]string{{"."}, {"d"}, {"./d", "e/"}, {here}, {filepath.Join(here, "d")}, {"x", "a.md"}}
	for k, globs := range [][]string{
		{"*.md"}, {"*.{md,txt}"}, {"d/*"}, {"/d/*.md"}, {"/*.md"}, {"**/d/*.md"}, {"d/**"}, {"d/**/a.md"}, {"**"}, {"*"}, {"d"}, {"d/"}, {"!d"}, {"!d/"}, {"!*.md"},
		{"!/d"}, {"!d/e"}, {"!d/e/**"}, {".h"}, {".h/**"}, {"d/.h", "*.md"}, {"*.md", "!a.md"}, {"!a.md", "*.md"}, {"*.md", "!d/**", "d/e/**"}, {"{a,b}.*"}, {"{d,e}/**"},
		{"d/{e,x}/**/*.md"}, {"[ab].*"}, {"[!a].*"}, {"[^a]*.md"}, {"d/[[]x].md"}, {`d/\{q\}.md`}, {`d/\[x\].md`}, {"?.md"}, {"a*"}, {"a b.*"}, {"x/-"}, {"-"}, {"[a-]"}, {"no*such"}, {"!no"}, {"d/*/f/*"}, {"a.md", "b.txt"},
		{"{a.md,d/a.md}"}, {"**/*.gz"}, {"*b*"}, {"x**b"},
	} {
		for i, roots := range all {
			if !long && (i+k)%3 > 0 {
				continue
			}
			compare(len(globs[0])%2 == 0, roots, globs...)
		}
	}
	rounds := 100
	if !long {
		rounds = 30
	}
	pieces := []string{"a", "b", "d", "x", "/", "/", "*", "**/", "/**", "?", "{a,b}", "{a,x/b}", "[ab]", "[!b]", ".md", `\a`, "."}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		var globs []string
		for range 1 + random.IntN(3) {
			g := []string{"", "", "!"}[random.IntN(3)]
			for range 1 + random.IntN(4) {
				g += pieces[random.IntN(len(pieces))]
			}
			globs = append(globs, g)
		}
		if slices.ContainsFunc(globs, peculiar) || (files.Walker{Globs: globs}).Check() != nil {
			continue
		}
		compare(random.IntN(2) == 0, dot, globs...)
	}
}

// peculiar reports whether ripgrep reads g in its own way: it lets [!b] match a "/", and
// takes "./" and "//" as they are written.
func peculiar(g string) bool {
	return strings.Contains(g, "./") || strings.Contains(g, "//") || strings.Contains(g, "[!")
}

// TestIgnoreLikeGit compares walks with the files that git does not ignore.
func TestIgnoreLikeGit(t *testing.T) {
	git := installed(t, "git")
	for i, tree := range []map[string]string{
		{".gitignore": "*.o\n/build/\n!keep.o\n", "a.o": "", "keep.o": "", "build/x": "", "src/build/x": "", "src/a.o": "", "src/.gitignore": "!a.o\n*.c\n", "src/b.c": "", "src/deep/c.c": "", "c.c": ""},
		{".gitignore": "d/*\n!d/e/\nd/e/*\n!d/e/f\n", "d/a": "", "d/e/f": "", "d/e/g": "", "d/h/f": ""},
		{".gitignore": "d/\n!d/e\n", "d/e": "", "x/d": "", "y/d/z": "", "x/e": ""},
		{".gitignore": "a\\ \nb  \n\\#c\n#d\n\\!e\n[\nf\\\n", "a ": "", "a": "", "b": "", "#c": "", "#d": "", "!e": "", "[": "", "f\\": ""},
		{".gitignore": "{a,b}\n*.{c}\n", "a": "", "b": "", "{a,b}": "", "x.c": "", "x.{c}": ""},
		{".gitignore": "a/**\n!a/**/\n!a/**/k\n**/z\n/**/w/q\n", "a/x": "", "a/b/k": "", "a/b/c/k": "", "a/b/c/j": "", "p/z/1": "", "w/q": "", "r/w/q": "", "q": ""},
		{".gitignore": "[[:digit:]]*\nx[!a-c]\n[]y]\n", "1": "", "12a": "", "a1": "", "xa": "", "xd": "", "]": "", "y": "", "z": ""},
		{".gitignore": "*\r\n!*/\r\n!*.md\r\n", "a.md": "", "b": "", "d/a.md": "", "d/b": ""},
		{".gitignore": "sub/x\n", "sub/x/1": "", "sub/y/.gitignore": "/1\nz/\n", "sub/y/1": "", "sub/y/z/1": "", "sub/y/w/1": "", "sub/y/w/z": "", "x/sub/x": ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			grow(t, tree)
			compareWithGit(t, git, tree)
		})
	}
	rounds := 40
	if !long {
		rounds = 12
	}
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "b", "/", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!b]", "{", ",", "}", "\\a", "\\", "[", " ", "]"}
	lines := func() (text string) {
		for range 1 + random.IntN(5) {
			text += []string{"", "", "", "!", "/"}[random.IntN(5)]
			for range 1 + random.IntN(4) {
				text += pieces[random.IntN(len(pieces))]
			}
			text += []string{"", "", "/"}[random.IntN(3)] + "\n"
		}
		if halfStars.MatchString(text) {
			return "a\n"
		}
		return text
	}
	for range rounds {
		tree := map[string]string{".gitignore": lines(), "a/.gitignore": lines(), "b/a/.gitignore": lines()}
		for _, d := range []string{"", "a/", "b/", "b/a/", "a/b/", "ab/", "ab/c/", "a/b/ab/"} {
			for _, f := range []string{"a.x", "b.x", "cc", "ba", "ab.c", "{a", "[", " "} {
				tree[d+f] = ""
			}
		}
		grow(t, tree)
		compareWithGit(t, git, tree)
	}
}

// halfStars matches patterns that some versions of git read as "**/" although it is not a whole
// path element. These versions compare pointers into different strings.
var halfStars = regexp.MustCompile(`[^/\n!]\*\*+/`)

// compareWithGit walks the working directory, first as a whole and then some directories by name.
func compareWithGit(t *testing.T, git string, tree map[string]string) {
	t.Helper()
	output(t, "", git, "init", "-q")
	var all []string
	for name := range tree {
		all = append(all, name)
	}
	ignored := output(t, strings.Join(all, "\x00"), git, "check-ignore", "--no-index", "-z", "--stdin")
	var want []string
	for _, name := range all {
		if !slices.Contains(ignored, name) {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	w := files.Walker{Ignore: true, Hidden: true, Exclude: []string{".git"}}
	var got []string
	for _, name := range listed(w, ".") {
		got = append(got, strings.TrimPrefix(name, "./"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q:\ngot  %q\nwant %q", tree, got, want)
	}
	// A directory that git does not ignore has the same files if it is walked by name.
	top, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range top {
		if e.IsDir() && e.Name() != ".git" && len(output(t, e.Name()+"/", git, "check-ignore", "--no-index", "-z", "--stdin")) == 0 {
			below := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return !strings.HasPrefix(name, e.Name()+"/") })
			if got := listed(w, e.Name()); !slices.Equal(got, below) {
				t.Errorf("%q, %s:\ngot  %q\nwant %q", tree, e.Name(), got, below)
			}
		}
	}
}
