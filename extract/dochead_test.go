package extract_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// publicPackages are the packages whose doc.go begins with an example, by their folders. The value is
// what the example must contain, so that the test fails if it reads something else.
var publicPackages = map[string]string{
	".":             "extract.New(",
	"record":        "record.New(",
	"../delimit":    "delimit.NewScanner(",
	"../uri":        "uri.MustParse(",
	"../uri/scheme": "scheme.Fields(",
}

// headOf returns the first lines of code in the comment of a package: those that begin with a tab,
// and empty lines between them.
func headOf(doc string) string {
	var code strings.Builder
	for line := range strings.Lines(doc) { // one iteration for each line
		text, isComment := strings.CutPrefix(line, "//")
		switch {
		case isComment && strings.HasPrefix(text, "\t"), text == "\n" && code.Len() > 0:
			code.WriteString(text)
		case code.Len() > 0:
			return code.String()
		}
	}
	return code.String()
}

// TestDocHeads compiles the example at the head of each public package, as the body of a function
// with a ctx.
func TestDocHeads(t *testing.T) {
	imports := []string{"context", "fmt", "log", "os"}
	for _, p := range []string{"delimit", "extract", "extract/record", "uri", "uri/scheme"} {
		imports = append(imports, "github.com/urlsift/urlsift/"+p)
	}
	var files []string
	dir := t.TempDir()
	for folder, contains := range publicPackages {
		doc, err := os.ReadFile(filepath.Join(folder, "doc.go"))
		must(t, err)
		code := headOf(string(doc))
		if !strings.Contains(code, contains) {
			t.Errorf("%s/doc.go: the example is read as %q, without %s", folder, code, contains)
		}
		var source strings.Builder
		source.WriteString("package heads\n\n")
		for _, p := range imports {
			if name := p[strings.LastIndex(p, "/")+1:]; name == "context" || strings.Contains(code, name+".") {
				fmt.Fprintf(&source, "import %q\n", p)
			}
		}
		name := "head_" + contains[:strings.Index(contains, ".")]
		before, _, _ := strings.Cut(string(doc), "//\t")
		path, err := filepath.Abs(filepath.Join(folder, "doc.go"))
		must(t, err)
		fmt.Fprintf(&source, "\nfunc %s(ctx context.Context) error {\n//line %s:%d\n%s\n\treturn nil\n}\n", name, path, strings.Count(before, "\n")+1, code)
		file := filepath.Join(dir, name+".go")
		must(t, os.WriteFile(file, []byte(source.String()), 0o600))
		files = append(files, file)
	}
	if out, err := exec.Command("go", append([]string{"vet"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("examples at the heads of packages: %v\n%s", err, out)
	}
}
