package extract_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The section "Where it happens" of CONTRIBUTING.md is an index in tables. The second column names
// files and, after a colon, declarations in each file.
const (
	indexFile  = "../CONTRIBUTING.md"
	indexBegin = "## Where it happens\n"
)

var quoted = regexp.MustCompile("`([^`]*)`")

// TestIndex checks that each file in the index exists and has the declarations that the index gives
// for it, and that the names in the last column exist.
func TestIndex(t *testing.T) {
	text, err := os.ReadFile(indexFile)
	if err != nil {
		t.Fatal(err)
	}
	_, index, found := strings.Cut(string(text), indexBegin)
	if !found {
		t.Fatalf("%s has no section %q", indexFile, indexBegin)
	}
	index, _, _ = strings.Cut(index, "\n## ")
	declared := map[string]map[string]bool{}
	rows := 0
	for line := range strings.Lines(index) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 2 || cells[1] == "where" || strings.HasPrefix(cells[1], "---") {
			continue
		}
		rows++
		for _, wrong := range wrongIn(cells[1], declared) {
			t.Errorf("%s, row %q: %s", indexFile, cells[0], wrong)
		}
		for _, wrong := range wrongInAnswer(strings.Join(cells[2:], " | "), cells[1], declared) {
			t.Errorf("%s, row %q: %s", indexFile, cells[0], wrong)
		}
	}
	if rows < 80 {
		t.Errorf("the index has %d rows: is it read as it is written?", rows)
	}
}

// TestIndexFails checks that the index checker reports wrong entries.
func TestIndexFails(t *testing.T) {
	for where, wants := range map[string]int{
		"`extract/extract.go`: `Extractor.Run`, `Extractor.runAlone`; `extract/error.go`: `Severity`, `Lost`": 0,
		"`extract/extract.go`: `Extractor.Walk`":                   1,
		"`extract/extract.go`: `Run`":                              1, // Run is a method
		"`extract/gone.go`: `Run`":                                 1,
		"`extract/extract.go`: `Extractor.Run`; `extract/gone.go`": 1,
		"`Extractor.Run`":                                          1,
		"nothing":                                                  1,
		"`extract/share.go`: `splitSize`; `fixtures/README.md`":    0,
		"`extract/internal/schedule/scheduler.go`: `scheduler.assist`, `scheduler.mu`": 0,
		"`extract/internal/schedule/schedule.go`: `scheduler.gone`, `work`":            2,
	} {
		if got := wrongIn(where, map[string]map[string]bool{}); len(got) != wants {
			t.Errorf("%s: %q, want %d", where, got, wants)
		}
	}
}

// TestIndexAnswers checks that names in the last column are looked up in the folders of the row.
func TestIndexAnswers(t *testing.T) {
	for answer, wants := range map[string]int{
		"As `Extractor.Run`; `runAlone` and `core.go`, see `README.md` and `go test ./...`.": 0,
		"`Extractor.vanished`, `vanished` and `vanished.go`.":                                3,
		"`scheduler.work` is in another folder.":                                             1,
	} {
		if got := wrongInAnswer(answer, "`extract/extract.go`: `Extractor.Run`", map[string]map[string]bool{}); len(got) != wants {
			t.Errorf("%s: %q, want %d", answer, got, wants)
		}
	}
}

// wrongIn returns the errors in the second column of a row. The column has files in backquotes,
// separated by semicolons; a colon and the names that a file declares may follow it. declared
// caches the names of the files that were parsed.
func wrongIn(where string, declared map[string]map[string]bool) (wrong []string) {
	for place := range strings.SplitSeq(where, "; ") {
		words := quoted.FindAllStringSubmatch(place, -1)
		if len(words) == 0 || !strings.Contains(words[0][1], "/") {
			wrong = append(wrong, "no file in "+place)
			continue
		}
		file := words[0][1]
		names, err := declaredIn(file, declared)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		for _, name := range words[1:] {
			if !names[name[1]] {
				wrong = append(wrong, file+" does not declare "+name[1])
			}
		}
	}
	return wrong
}

// identifier matches a name in Go, alone or after a type and a dot.
var identifier = regexp.MustCompile(`^[A-Za-z]\w*(\.[A-Za-z]\w*)?$`)

// wrongInAnswer returns the errors in the third column of a row. A name in backquotes must be
// declared in the folder of one of the files in where, the second column. The name of a method or a
// field may omit its type. A file must exist.
func wrongInAnswer(answer, where string, declared map[string]map[string]bool) (wrong []string) {
	var folders []string
	for _, file := range quoted.FindAllStringSubmatch(where, -1) {
		if strings.Contains(file[1], "/") {
			folders = append(folders, path.Dir(file[1]))
		}
	}
	for _, word := range quoted.FindAllStringSubmatch(answer, -1) {
		name := word[1]
		file := path.Ext(name) == ".go" || path.Ext(name) == ".md"
		if !file && !identifier.MatchString(name) {
			continue // a command or a flag, no Go name
		}
		known := slices.ContainsFunc(folders, func(folder string) bool {
			if !file {
				return declaredInFolder(folder, name, declared)
			}
			_, err := os.Stat(filepath.Join("..", filepath.FromSlash(path.Join(folder, name))))
			return err == nil
		})
		if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(name))); !known && err != nil {
			wrong = append(wrong, name+", in the last column, is not in a folder of the second")
		}
	}
	return wrong
}

// declaredInFolder reports whether a file in folder declares name.
func declaredInFolder(folder, name string, declared map[string]map[string]bool) bool {
	files, _ := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
	for _, file := range files {
		names, err := declaredIn(path.Join(folder, filepath.Base(file)), declared)
		if err != nil {
			continue
		}
		if names[name] {
			return true
		}
		for full := range names {
			if strings.HasSuffix(full, "."+name) {
				return true
			}
		}
	}
	return false
}

// declaredIn returns the names that a file of the module declares: functions, types,
// constants, variables, and methods and fields after their type and a dot. A file that is
// not Go declares nothing.
func declaredIn(file string, declared map[string]map[string]bool) (map[string]bool, error) {
	if names := declared[file]; names != nil {
		return names, nil
	}
	names := map[string]bool{}
	local := filepath.Join("..", filepath.FromSlash(file))
	if _, err := os.Stat(local); err != nil || !strings.HasSuffix(file, ".go") {
		return names, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), local, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names[receiverOf(d)+d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				addSpec(names, spec)
			}
		}
	}
	declared[file] = names
	return names, nil
}

// receiverOf returns the type of the receiver of a method and a dot, or "" for a function.
func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	on := d.Recv.List[0].Type
	for {
		switch e := on.(type) {
		case *ast.StarExpr:
			on = e.X
		case *ast.IndexExpr:
			on = e.X
		case *ast.IndexListExpr:
			on = e.X
		case *ast.Ident:
			return e.Name + "."
		default:
			return ""
		}
	}
}

// addSpec adds what spec declares.
func addSpec(names map[string]bool, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			names[name.Name] = true
		}
	case *ast.TypeSpec:
		names[s.Name.Name] = true
		if of, ok := s.Type.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					names[s.Name.Name+"."+name.Name] = true
				}
			}
		}
	}
}

// TestPathsInComments fails if a comment names a folder or file below internal that does not exist.
// Paths begin at the root of the module, at the folder of the comment, at that of a public package
// or at that of the command.
func TestPathsInComments(t *testing.T) {
	named := regexp.MustCompile(`(?:\b[a-z]+/)*\binternal/[a-z0-9_/]*[a-z0-9_](?:\.[a-z]{1,2}\b)?`)
	seen := 0
	must(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		bases := []string{filepath.Dir(path), "..", "../extract", "../delimit", "../uri", "../cmd/urlsift"}
		for _, group := range file.Comments {
			for _, name := range named.FindAllString(group.Text(), -1) {
				seen++
				if !slices.ContainsFunc(bases, func(base string) bool {
					_, err := os.Stat(filepath.Join(base, name))
					return err == nil
				}) {
					t.Errorf("%s: a comment names %s, which does not exist", path, name)
				}
			}
		}
		return nil
	}))
	if seen < 50 {
		t.Errorf("only %d paths were found", seen)
	}
}
