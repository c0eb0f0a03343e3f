package extract_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
	for _, dir := range []string{".", "record", "../delimit", "../uri", "../uri/scheme"} {
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
