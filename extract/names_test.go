package extract_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNames fails for an exported name that the section "Names" of doc.go does not list, and for a
// word in it that is no such name. Only packages with many names have that section.
func TestNames(t *testing.T) {
	for _, dir := range []string{"../uri", "../delimit", "."} {
		text, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		_, list, ok := strings.Cut(string(text), "\n// # Names\n")
		list, _, _ = strings.Cut(list, "\n// # ")
		if !ok {
			t.Errorf("%s: doc.go has no section Names", dir)
			continue
		}
		names := publicNames(t, dir)
		listed := regexp.MustCompile(`\b[A-Z]\w*`).FindAllString(onlyIndented(list), -1)
		for _, name := range names {
			if !slices.Contains(listed, name) {
				t.Errorf("%s: doc.go: Names lacks %s", dir, name)
			}
		}
		for _, name := range listed {
			if !slices.Contains(names, name) {
				t.Errorf("%s: doc.go: Names has %s, which is not exported", dir, name)
			}
		}
	}
}

// onlyIndented returns the indented lines of a comment.
func onlyIndented(comment string) string {
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		if strings.HasPrefix(line, "//\t") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// publicNames returns the exported names of a package, without methods and fields.
func publicNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, file := range filesIn(t, dir, false) {
		for name := range file.Scope.Objects {
			if ast.IsExported(name) {
				names = append(names, name)
			}
		}
	}
	if len(names) < 15 {
		t.Fatalf("%s: only %d names", dir, len(names))
	}
	return names
}

// filesIn returns the Go files of a folder, which are tests or not.
func filesIn(t *testing.T, dir string, tests bool) (files []*ast.File) {
	t.Helper()
	entries, err := fs.ReadDir(os.DirFS(dir), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") != tests {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// TestExamples fails for an exported function that no example of its package calls.
func TestExamples(t *testing.T) {
	for dir := range publicPackages {
		used := map[string]bool{}
		for _, example := range doc.Examples(filesIn(t, dir, true)...) {
			if example.Output == "" && !example.EmptyOutput {
				t.Errorf("%s: Example%s has no output, so it does not run", dir, example.Name)
			}
			ast.Inspect(example.Code, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if s, ok := call.Fun.(*ast.SelectorExpr); ok {
						used[s.Sel.Name] = true
					}
				}
				return true
			})
		}
		for _, file := range filesIn(t, dir, false) {
			for name, object := range file.Scope.Objects {
				if ast.IsExported(name) && object.Kind == ast.Fun && !used[name] {
					t.Errorf("%s: no example calls %s", dir, name)
				}
			}
		}
	}
}
