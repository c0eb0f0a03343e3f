package extract_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// boundRow matches a row of the table under Bounds in internal/doc.go. Its columns are what is bounded, the
// bound, the constant and the file.
var boundRow = regexp.MustCompile(`^//\t(\S.*?|  \S.*?) {2,}(\d+)( [KM]iB)? +(\w+) in (\S+)$`)

// TestBounds compares the table under Bounds in internal/doc.go with the constants.
func TestBounds(t *testing.T) {
	text, err := os.ReadFile("internal/doc.go")
	must(t, err)
	_, table, found := strings.Cut(string(text), "\n// # Bounds\n")
	table, _, ends := strings.Cut(table, "\n// # ")
	if !found || !ends {
		t.Fatal("doc.go has no section Bounds in front of another one")
	}
	listed, constants := make(map[string]bool), make(map[string]map[string]int64)
	for line := range strings.Lines(table) {
		row := boundRow.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if row == nil {
			if strings.HasPrefix(line, "//\t") && !strings.HasPrefix(line, "//\twhat ") {
				t.Errorf("doc.go: this row is not read: %s", line)
			}
			continue
		}
		want, err := strconv.ParseInt(row[2], 10, 64)
		must(t, err)
		want *= map[string]int64{"": 1, " KiB": 1 << 10, " MiB": 1 << 20}[row[3]]
		name, file := row[4], row[5]
		if constants[file] == nil {
			constants[file] = constantsOf(t, filepath.Join("..", filepath.FromSlash(file)))
		}
		got, ok := constants[file][name]
		if !ok {
			t.Errorf("doc.go: %s has no constant %s whose value is written in it", file, name)
		} else if got != want {
			t.Errorf("doc.go says %s%s for %s in %s, which is %d", row[2], row[3], name, file, got)
		}
		listed[file+" "+name] = true
	}
	if len(listed) < 30 {
		t.Fatalf("%d rows: is the table read as it is written?", len(listed))
	}
}

// constantsOf returns the values of the constants of a file, including those in functions. It knows
// whole numbers made of literals and other constants of the file.
func constantsOf(t *testing.T, path string) map[string]int64 {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	must(t, err)
	values := make(map[string]int64)
	ast.Inspect(file, func(n ast.Node) bool {
		if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i < len(v.Values) {
						if n, ok := constant.Int64Val(constant.ToInt(valueOf(v.Values[i], values))); ok {
							values[name.Name] = n
						}
					}
				}
			}
		}
		return true
	})
	return values
}

// valueOf returns the value of a numeric expression over these constants. Other expressions have an
// unknown value.
func valueOf(e ast.Expr, constants map[string]int64) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return constant.MakeFromLiteral(e.Value, e.Kind, 0)
		}
	case *ast.Ident:
		if n, ok := constants[e.Name]; ok {
			return constant.MakeInt64(n)
		}
	case *ast.ParenExpr:
		return valueOf(e.X, constants)
	case *ast.BinaryExpr:
		x, y := valueOf(e.X, constants), valueOf(e.Y, constants)
		if x.Kind() != constant.Int || y.Kind() != constant.Int {
			break
		}
		switch e.Op {
		case token.SHL:
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(n))
		case token.QUO:
			if constant.Sign(y) != 0 {
				return constant.BinaryOp(x, token.QUO_ASSIGN, y) // division of whole numbers
			}
		case token.ADD, token.SUB, token.MUL:
			return constant.BinaryOp(x, e.Op, y)
		}
	}
	return constant.MakeUnknown()
}
