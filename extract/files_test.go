package extract_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestImportsOfFiles is TestImports for the files of a package. It fails if files of a package
// refer to one another in a circle. So the files of each package can be put in an order in which
// each refers only to files after it. Move what two files need to a third one, or the function
// that joins them to the file above.
func TestImportsOfFiles(t *testing.T) {
	const format = "{{.ImportPath}};{{.Export}};{{.Dir}};{{join .GoFiles \" \"}}"
	out, err := exec.Command("go", "list", "-deps", "-export", "-f", format, module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports := map[string]string{}
	var ours [][]string
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), ";")
		exports[part[0]] = part[1]
		if strings.HasPrefix(part[0], module) {
			ours = append(ours, part)
		}
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	seen := map[string]bool{}
	for _, p := range ours {
		name := strings.TrimPrefix(p[0], module+"/")
		refs, err := fileReferences(set, imports, p[0], p[2], strings.Fields(p[3]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		seen[name] = true
		if circle := largestCircle(refs); len(circle) > 1 {
			t.Errorf("%s: %d files refer to one another in a circle: %s", name, len(circle), strings.Join(circle, " "))
		}
	}
	for _, name := range []string{"uri", "delimit/internal/window", "extract/record", "cmd/urlsift", "cmd/urlsift/internal/refs"} {
		if !seen[name] {
			t.Errorf("%s was not examined", name)
		}
	}
	circle := largestCircle(map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": nil})
	if !slices.Equal(circle, []string{"a", "b", "c"}) {
		t.Errorf("a circle of three files is found as %q", circle)
	}
}

// TestSizesOfFiles fails for a package of more than 20 files and for a file of more than 300 lines,
// tests not counted. Divide the file by its subjects, or make a package of files that stand for
// themselves.
func TestSizesOfFiles(t *testing.T) {
	const mostFiles, mostLines = 20, 300
	out, err := exec.Command("go", "list", "-f", "{{.Dir}};{{join .GoFiles \" \"}}", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	examined := 0
	for line := range strings.Lines(string(out)) {
		dir, names, _ := strings.Cut(strings.TrimSpace(line), ";")
		files := strings.Fields(names)
		if len(files) > mostFiles {
			t.Errorf("%s: %d files", dir, len(files))
		}
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if lines := bytes.Count(text, []byte("\n")); lines > mostLines {
				t.Errorf("%s: %d lines", filepath.Join(dir, name), lines)
			}
			examined++
		}
	}
	if examined < 300 {
		t.Errorf("only %d files were examined", examined)
	}
}

// fileReferences returns, for each file of the package in dir, the other files that declare
// what it uses.
func fileReferences(set *token.FileSet, imports types.Importer, path, dir string, names []string) (map[string][]string, error) {
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: imports}).Check(path, set, files, &info)
	if err != nil {
		return nil, err
	}
	refs := map[string][]string{}
	for id, used := range info.Uses {
		from, to := filepath.Base(set.Position(id.Pos()).Filename), filepath.Base(set.Position(used.Pos()).Filename)
		if used.Pkg() == pkg && from != to && !slices.Contains(refs[from], to) {
			refs[from] = append(refs[from], to)
		}
	}
	return refs, nil
}

// largestCircle returns the largest set of files in which each refers, directly or through
// others, to each of the others.
func largestCircle(refs map[string][]string) (most []string) {
	reach := map[string]map[string]bool{}
	for file := range refs {
		reach[file] = map[string]bool{}
		for next := []string{file}; len(next) > 0; { // each file once
			at := next[0]
			next = next[1:]
			for _, to := range refs[at] {
				if !reach[file][to] {
					reach[file][to] = true
					next = append(next, to)
				}
			}
		}
	}
	for file := range reach {
		circle := []string{file}
		for other := range reach[file] {
			if other != file && reach[other][file] {
				circle = append(circle, other)
			}
		}
		if len(circle) > len(most) {
			slices.Sort(circle)
			most = circle
		}
	}
	return most
}
