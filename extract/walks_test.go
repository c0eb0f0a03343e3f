package extract_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The prose of CONTRIBUTING.md names files and declarations, too: above all the walks, "Add a flag"
// and the like. A name is joined with a file in one of these ways.
var joinedNames = []struct {
	pattern    *regexp.Regexp
	name, file int // the groups
}{
	{regexp.MustCompile("`([^`]+)` \\(`([^`]+\\.go)`"), 1, 2}, // `Name` (`file.go`)
	{regexp.MustCompile("`([^`]+)` in `([^`]+\\.go)`"), 1, 2}, // `Name` in `file.go`
	{regexp.MustCompile("`([^`]+\\.go)`: `([^`]+)`"), 2, 1},   // `file.go`: `Name`
	{regexp.MustCompile("`([^`]+\\.go)`, whose `([^`]+)`"), 2, 1},
}

// walkTitle begins the title of a walk, a list of steps.
const walkTitle = "Add a"

// TestIndexWalks checks the prose of CONTRIBUTING.md: files exist, a file declares the names that are
// joined with it, and the tests that a command runs exist. The other names in a walk are declared in
// or below a folder that the walk names.
func TestIndexWalks(t *testing.T) {
	text, err := os.ReadFile(indexFile)
	if err != nil {
		t.Fatal(err)
	}
	w := &walks{packages: packagesOf(t), declared: map[string]map[string]bool{}}
	for section := range strings.SplitSeq(string(text), "\n## ") {
		title, _, _ := strings.Cut(section, "\n")
		for _, wrong := range w.check(section) {
			t.Errorf("%s, %q: %s", indexFile, title, wrong)
		}
	}
	if w.joined < 10 || w.names < 50 {
		t.Errorf("%d joined names, %d names: is the prose read as it is written?", w.joined, w.names)
	}
}

// TestIndexWalksFails checks that wrong prose is reported.
func TestIndexWalksFails(t *testing.T) {
	w := &walks{packages: packagesOf(t), declared: map[string]map[string]bool{}}
	for text, wants := range map[string]int{
		"In `Options.hashes` (`extract/options.go`), `core.done` in\n   `extract/core.go`; `extract/core.go`: `core`.": 0,

		"It is in `Options.hashes` (`extract/place.go`).":                          1,
		"It is in `Options.hashes`\n   (`extract/place.go`).":                      1,
		"`extract.Options` in `extract/options.go`, whose `core` has more.":        1,
		"`core.done` in `extract/options.go`; `extract/options.go`: `core`.":       2,
		"`extract/gone.go`: a row.":                                                1,
		"`extract/core.go` and `extract/gone` and `extract/internal/decode`":       1,
		"`extract/core.go` has `core.gone` and `vanished`, and `damage.Vanished`.": 3,
		"`extract/core.go` has `done`, a `damage.Damage` and `Severity`.":          0,
		"`uri/rules.go` has `rows`, and not `finder`; see `README.md`.":            1,
		"Run `go test ./extract ./uri -run 'TestIndexWalks|TestEveryGrammar'`.":    0,
		"Run `go test ./extract ./uri -run 'TestIndexWalks|TestVanished'`.":        1,
		"Run `go test ./extract -run TestEveryGrammar`.":                           1,
		"\n| `extract/gone.go` | a table, which others check |":                    0,
	} {
		if got := w.check(walkTitle + " test\n" + text); len(got) != wants {
			t.Errorf("%s: %q, want %d", text, got, wants)
		}
	}
}

// walks checks prose.
type walks struct {
	packages      map[string][]string // folders by the last word of their path
	declared      map[string]map[string]bool
	joined, names int // how many were checked
}

// packagesOf returns the folders of the module that have Go files.
func packagesOf(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, top := range []string{"uri", "delimit", "extract", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				folder := strings.TrimPrefix(filepath.ToSlash(name), "../")
				found[path.Base(folder)] = append(found[path.Base(folder)], folder)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// check returns the errors in the prose of a section, without its tables and blocks of code.
func (w *walks) check(section string) (wrong []string) {
	var prose []string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ") {
			prose = append(prose, strings.Fields(line)...)
		}
	}
	text := strings.Join(prose, " ")
	for _, j := range joinedNames {
		for _, found := range j.pattern.FindAllStringSubmatch(text, -1) {
			names, err := declaredIn(found[j.file], w.declared)
			name := strings.TrimPrefix(found[j.name], path.Base(path.Dir(found[j.file]))+".") // extract.Options
			if err == nil && identifier.MatchString(name) {
				w.joined++
				if !names[name] {
					wrong = append(wrong, found[j.file]+" does not declare "+name)
				}
			}
		}
	}
	var names, folders []string
	for _, word := range quoted.FindAllStringSubmatch(text, -1) {
		switch name := word[1]; {
		case strings.HasPrefix(name, "go test "):
			wrong = append(wrong, w.wrongTests(name)...)
		case isPath(name):
			info, err := os.Stat(filepath.Join("..", filepath.FromSlash(name)))
			switch {
			case err != nil:
				wrong = append(wrong, err.Error())
			case info.IsDir():
				folders = append(folders, name)
			default:
				folders = append(folders, path.Dir(name))
			}
		case identifier.MatchString(name):
			names = append(names, name)
		}
	}
	if !strings.HasPrefix(section, walkTitle) {
		return wrong // elsewhere a word in backquotes may be anything
	}
	for _, name := range names {
		if w.names++; !w.knows(name, folders) {
			wrong = append(wrong, name+" is not declared in a folder of this section")
		}
	}
	return wrong
}

// isPath reports whether name is meant as the path of a file or folder, from the top of the module.
func isPath(name string) bool {
	top, _, nested := strings.Cut(name, "/")
	if _, err := os.Stat(filepath.Join("..", top)); err != nil || strings.ContainsAny(name, " *'") {
		return false
	}
	return nested || path.Ext(name) != "" || top == "benchmarks"
}

// knows reports whether name is declared in or below one of folders, or, as package.Name, in that
// package.
func (w *walks) knows(name string, folders []string) bool {
	of, member, _ := strings.Cut(name, ".")
	for base, all := range w.packages {
		for _, folder := range all {
			below := slices.ContainsFunc(folders, func(top string) bool { return folder == top || strings.HasPrefix(folder, top+"/") })
			if below && declaredInFolder(folder, name, w.declared) || base == of && declaredInFolder(folder, member, w.declared) {
				return true
			}
		}
	}
	return false
}

// wrongTests returns the tests that the command names and its packages do not have.
func (w *walks) wrongTests(command string) (wrong []string) {
	words := strings.Fields(command)
	at := slices.Index(words, "-run")
	if at < 0 || at+1 == len(words) {
		return nil
	}
	for test := range strings.SplitSeq(strings.Trim(words[at+1], "'"), "|") {
		has := slices.ContainsFunc(words, func(word string) bool {
			folder, ok := strings.CutPrefix(word, "./")
			return ok && declaredInFolder(folder, test, w.declared)
		})
		if strings.HasPrefix(test, "Test") && !has {
			wrong = append(wrong, "no package of the command has "+test)
		}
	}
	return wrong
}
