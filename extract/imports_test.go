package extract_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

const module = "github.com/urlsift/urlsift"

// rooms lists the packages under uri, delimit and extract, and for each the packages of the module that it may import.
var rooms = map[string][]string{
	"uri":                                {},
	"uri/scheme":                         {"uri"},
	"uri/unwrap":                         {"uri"},
	"delimit":                            {},
	"extract":                            {"delimit", "extract/internal/compress", "extract/internal/damage", "extract/internal/decode/charset", "extract/internal/decode/octet", "extract/internal/digest", "extract/internal/document", "extract/internal/files", "extract/internal/files/glob", "extract/internal/ledger", "extract/internal/mail", "extract/internal/redact", "extract/internal/schedule", "extract/internal/times", "uri", "uri/unwrap"},
	"extract/internal":                   {},
	"extract/internal/archive/sequence":  {"extract/internal/damage"},
	"extract/internal/archive/sevenzip":  {"extract/internal/compress/bzip2", "extract/internal/compress/inflate", "extract/internal/compress/lzma", "extract/internal/compress/xz", "extract/internal/damage"},
	"extract/internal/archive/tarstream": {"extract/internal/damage"},
	"extract/internal/archive/zipstream": {"extract/internal/compress/inflate", "extract/internal/damage"},
	"extract/internal/compress":          {"extract/internal/compress/bzip2", "extract/internal/compress/inflate", "extract/internal/compress/lzma", "extract/internal/compress/lzw", "extract/internal/compress/xz", "extract/internal/damage", "extract/internal/ledger", "extract/internal/magic"},
	"extract/internal/compress/bzip2":    {},
	"extract/internal/compress/inflate":  {},
	"extract/internal/compress/lzma":     {},
	"extract/internal/compress/lzw":      {},
	"extract/internal/compress/xz":       {"extract/internal/compress/lzma"},
	"extract/internal/damage":            {},
	"extract/internal/decode":            {"extract/internal/damage"},
	"extract/internal/decode/charset":    {"extract/internal/damage", "extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/decode/decodetest": {"extract/internal/decode"},
	"extract/internal/decode/header":     {"extract/internal/damage", "extract/internal/decode", "extract/internal/decode/charset", "extract/internal/decode/octet"},
	"extract/internal/decode/html":       {"extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/decode/markdown":   {"extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/decode/octet":      {},
	"extract/internal/decode/roff":       {"extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/decode/table":      {"extract/internal/damage", "extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/decode/tex":        {"extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/decode/transfer":   {"extract/internal/damage", "extract/internal/decode", "extract/internal/decode/octet"},
	"extract/internal/digest":            {},
	"extract/internal/document":          {"extract/internal/archive/sequence", "extract/internal/archive/sevenzip", "extract/internal/archive/tarstream", "extract/internal/archive/zipstream", "extract/internal/compress", "extract/internal/damage", "extract/internal/decode", "extract/internal/decode/charset", "extract/internal/decode/header", "extract/internal/decode/html", "extract/internal/decode/markdown", "extract/internal/decode/octet", "extract/internal/decode/roff", "extract/internal/decode/table", "extract/internal/decode/tex", "extract/internal/decode/transfer", "extract/internal/ledger", "extract/internal/magic", "extract/internal/mail"},
	"extract/internal/files":             {"extract/internal/damage", "extract/internal/files/glob", "extract/internal/files/longpath", "extract/internal/files/system"},
	"extract/internal/files/glob":        {},
	"extract/internal/files/longpath":    {},
	"extract/internal/files/system":      {"extract/internal/files/longpath"},
	"extract/internal/ledger":            {},
	"extract/internal/magic":             {},
	"extract/internal/mail":              {"extract/internal/damage", "extract/internal/decode", "extract/internal/decode/charset", "extract/internal/decode/header", "extract/internal/decode/octet"},
	"extract/internal/redact":            {},
	"extract/internal/schedule":          {},
	"extract/internal/times":             {},
	"extract/record":                     {"delimit", "extract", "extract/record/internal/suffix", "uri", "uri/unwrap"},
	"extract/record/internal/suffix":     {},
	"extract/record/internal/suffix/gen": {},
}

// libraries are the packages that may import modules other than the standard library and
// golang.org/x.
var libraries = map[string]bool{
	"extract":                     true,
	"extract/internal/compress":   true,
	"extract/internal/digest":     true,
	"extract/internal/files/glob": true,
	"extract/internal/mail":       true,
}

// outside lists, for each package, the standard packages that it must not import.
var outside = map[string][]string{
	"uri/scheme":                       {"io", "os", "net", "net/url", "regexp"},
	"uri/unwrap":                       {"os", "net", "net/url", "regexp"},
	"uri":                              {"io", "os", "net", "net/url", "regexp"},
	"delimit":                          {"os", "net", "net/url", "regexp", "bufio", "log", "reflect", "sync"},
	"extract/internal/decode":          {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/octet":    {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/charset":  {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/transfer": {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/html":     {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/table":    {"os", "net", "net/url", "regexp", "encoding/csv"},
	"extract/internal/decode/markdown": {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/roff":     {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/tex":      {"os", "net", "net/url", "regexp"},
	"extract/internal/decode/header":   {"os", "net", "net/url", "regexp"},
	"extract/internal/files/glob":      {"os", "io", "regexp"},
	"extract/internal/redact":          {"os", "io", "net", "net/url", "regexp", "sync"},
	"extract/internal/mail":            {"os", "net", "net/url", "net/mail", "mime/multipart", "regexp"},
	"extract":                          {"flag", "log", "log/slog", "net", "net/mail", "net/url", "regexp", "os/exec"},
	"extract/record":                   {"os", "io", "net", "net/url", "regexp", "sync", "encoding/json", "encoding/csv"},
}

// readers are the packages of the command that may import uri and delimit, because they take
// single references apart.
var readers = []string{"cmd/urlsift", "cmd/urlsift/internal/filter", "cmd/urlsift/internal/check", "cmd/urlsift/internal/tally", "cmd/urlsift/internal/refs"}

// TestImports fails for an import that these tables do not allow. Add a new package to
// rooms, with the packages that it may import.
func TestImports(t *testing.T) {
	args := []string{"list", "-f", `{{.ImportPath}};{{join .Imports " "}}`}
	for _, top := range []string{"uri", "delimit", "extract"} {
		args = append(args, module+"/"+top+"/...")
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		path, direct, _ := strings.Cut(line, ";")
		imports[path] = strings.Fields(direct)
	}
	for path := range imports {
		if pkg := strings.TrimPrefix(path, module+"/"); rooms[pkg] == nil {
			t.Errorf("%s is not in rooms: add it, with the packages that it may import", pkg)
		}
	}
	for pkg, may := range rooms {
		path := module + "/" + pkg
		if _, listed := imports[path]; !listed {
			t.Errorf("go list leaves %s out", pkg)
		}
		for _, imp := range imports[path] {
			if room, ours := strings.CutPrefix(imp, module+"/"); ours && !slices.Contains(may, room) {
				t.Errorf("%s imports %s: add it to rooms, if the map in extract/internal/doc.go allows it, or use another package", pkg, room)
			}
			for _, not := range outside[pkg] {
				if imp == not {
					t.Errorf("%s imports %s", pkg, imp)
				}
			}
			if !libraries[pkg] && strings.Contains(imp, ".") && !strings.HasPrefix(imp, module) && !strings.HasPrefix(imp, "golang.org/x/") {
				t.Errorf("%s imports %s", pkg, imp)
			}
		}
	}
}

// TestImportsOfCommand fails for a package of the command that imports uri or delimit and is not in
// readers, because the command reads through extract, and for one of readers that imports neither.
func TestImportsOfCommand(t *testing.T) {
	needed := map[string]bool{}
	files, err := filepath.Glob("../cmd/*/*.go")
	inner, _ := filepath.Glob("../cmd/*/internal/*/*.go")
	if err != nil || len(files) == 0 || len(inner) == 0 {
		t.Fatal("there is no command")
	}
	files = append(files, inner...)
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			room, ours := strings.CutPrefix(imp, module+"/")
			switch {
			case room == "cmd/urlsift/internal/flags" && strings.Contains(filepath.ToSlash(file), "/internal/") && !strings.Contains(filepath.ToSlash(file), "/internal/flags/"):
				t.Errorf("%s imports the flags: its own Options say what it is to do", file)
			case !ours, room == "extract", room == "extract/record", strings.HasPrefix(room, "cmd/urlsift/internal/"):
			case (room == "uri" || room == "delimit") && strings.HasSuffix(file, "_test.go"):
			case room == "uri" || room == "uri/scheme" || room == "delimit":
				pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
				if needed[pkg] = true; !slices.Contains(readers, pkg) {
					t.Errorf("%s imports %s", file, imp)
				}
			default:
				t.Errorf("%s imports %s", file, imp)
			}
		}
	}
	for _, one := range readers {
		if !needed[one] {
			t.Errorf("%s is in readers, but imports neither uri nor delimit", one)
		}
	}
}

// TestNoGrammarNamed fails for a file outside of uri and uri/scheme that names a grammar, as
// uri.RFC3986 does. With a newer grammar its rule would be wrong, and nothing would say so.
// Rules are sets in uri/rules.go.
func TestNoGrammarNamed(t *testing.T) {
	skipRace(t)
	files := 0
	for _, top := range []string{"../extract", "../delimit", "../cmd/urlsift"} {
		err := filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, name := range grammarsIn(file) {
				t.Errorf("%s names uri.%s: use a set of uri/rules.go, or add one", path, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nvar a, b, c = uri.URL1994|uri.RFC3986, uri.Default, uri.Every", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := grammarsIn(file); !slices.Equal(got, []string{"URL1994", "RFC3986"}) {
		t.Errorf("found %q", got)
	}
}

// grammarsIn returns the constants of single grammars that file names. Their names are those of the
// grammars in capitals, without hyphens (TestEveryGrammar in uri).
func grammarsIn(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, ok := s.X.(*ast.Ident)
		if !ok || from.Name != "uri" {
			return true
		}
		for g := range uri.Every.Each() {
			if s.Sel.Name == strings.ToUpper(strings.ReplaceAll(g.String(), "-", "")) {
				found = append(found, s.Sel.Name)
			}
		}
		return true
	})
	return found
}
