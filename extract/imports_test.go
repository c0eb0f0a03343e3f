package extract_test

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/urlsift/urlsift"

// rooms has for each package of the module the others that it may use, directly
// or not. A package that is not here may use all of them but cmd.
var rooms = map[string][]string{
	"uri":                     {},
	"delimit":                 {},
	"extract/internal/decode": {},
	"extract":                 {"uri", "delimit", "extract/internal/decode"},
}

// outside has for each package what of the standard library it may not import.
var outside = map[string][]string{
	"uri":                     {"io", "os", "net", "net/url", "regexp"},
	"delimit":                 {"os", "net", "net/url", "regexp"},
	"extract/internal/decode": {"os", "net", "net/url", "regexp"},
	"extract":                 {"flag", "log", "log/slog", "net/url", "regexp", "os/exec"},
}

// TestImports holds the floors of the house: no arrow leads up, or past a wall.
func TestImports(t *testing.T) {
	list := func(args ...string) []string {
		out, err := exec.Command("go", append([]string{"list"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("go list: %v\n%s", err, out)
		}
		return strings.Fields(string(out))
	}
	for pkg, may := range rooms {
		path := module + "/" + pkg
		allowed := map[string]bool{path: true}
		for _, m := range may {
			allowed[module+"/"+m] = true
		}
		for _, dep := range list("-deps", path) {
			if strings.HasPrefix(dep, module) && !allowed[dep] {
				t.Errorf("%s uses %s", pkg, dep)
			}
		}
		for _, imp := range list("-f", `{{join .Imports " "}}`, path) {
			for _, not := range outside[pkg] {
				if imp == not {
					t.Errorf("%s imports %s", pkg, imp)
				}
			}
			if pkg != "extract" && strings.Contains(imp, ".") && !strings.HasPrefix(imp, module) && !strings.HasPrefix(imp, "golang.org/x/") {
				t.Errorf("%s imports %s", pkg, imp)
			}
		}
	}
	for _, pkg := range list(module + "/cmd/...") {
		for _, imp := range list("-f", `{{join .Imports " "}}`, pkg) {
			if imp == module+"/extract/internal/decode" {
				t.Errorf("%s imports %s", pkg, imp)
			}
		}
	}
}
