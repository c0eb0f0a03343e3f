package uri_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// constantsOf returns the names of the grammars' constants in grammar.go, in order.
func constantsOf(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "grammar.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST || len(block.Specs) < 2 {
			continue
		}
		for _, spec := range block.Specs {
			name := spec.(*ast.ValueSpec).Names[0].Name
			if name == "nextGrammar" {
				return names
			}
			names = append(names, name)
		}
	}
	t.Fatal("grammar.go has no list of constants that ends with nextGrammar")
	return nil
}

// TestEveryGrammar reports what is missing for each grammar: rules, documentation, tables of cases.
func TestEveryGrammar(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := constantsOf(t)
	i, columns := 0, ""
	seen := map[string]bool{}
	for g := range uri.Every.Each() {
		name := g.String()
		if seen[name] || name == "" || strings.ContainsAny(name, "+, ") {
			t.Errorf("grammar.go: the name %q is not a word of its own", name)
		}
		seen[name] = true
		if i >= len(constants) || strings.ReplaceAll(strings.ToUpper(name), "-", "") != constants[i] {
			t.Fatalf("grammar.go: %s stands at the place of another constant of %v", name, constants)
		}
		var back uri.Grammar
		if err := back.UnmarshalText([]byte(name)); err != nil || back != g {
			t.Errorf("%s is read as %v, %v", name, back, err)
		}
		if !strings.ContainsAny(g.Title(), "0123456789") {
			t.Errorf("%s: the title %q has no date", name, g.Title())
		}
		for _, what := range uri.MissingRules(g) {
			t.Errorf("rules.go: %s lacks: %s", name, what)
		}
		year := g.Title()[len(g.Title())-4:]
		for _, want := range []string{"//   - [" + constants[i] + "]", year} {
			if !strings.Contains(string(doc), want) {
				t.Errorf("doc.go: %s lacks %q", name, want)
			}
		}
		columns += " " + name[len(name)-2:]
		if _, err := os.Stat("../fixtures/cases/validity_" + name + ".public.jsonl"); err != nil {
			t.Errorf("fixtures: %v", err)
		}
		i++
	}
	if i != len(constants) {
		t.Errorf("grammar.go: %d constants, but %d grammars", len(constants), i)
	}
	if !strings.Contains(string(doc), "//\t"+columns[1:]+"\n") {
		t.Errorf("doc.go: no table has the columns%s", columns)
	}
}

// TestEachTwice ranges over one sequence twice.
func TestEachTwice(t *testing.T) {
	each := (uri.URL1993 | uri.RFC3986).Each()
	first := slices.Collect(each)
	if second := slices.Collect(each); len(first) != 2 || !slices.Equal(first, second) {
		t.Errorf("%v, then %v", first, second)
	}
	for g := range uri.Every.Each() {
		if g != uri.URL1993 {
			t.Errorf("%v is first", g)
		}
		break
	}
}

// TestAccessors compares the accessors of a Ref with Get, and some with fixed values.
func TestAccessors(t *testing.T) {
	for _, s := range []string{
		"", "#", "?", "p/q?x#y", "//", "//h", "//@h:", "http://u:p@h:80/p?q#f", "mailto:jim@example.org?subject=x", "http://[::1]:8/",
	} {
		r := uri.MustParse(s)
		for c, got := range map[uri.Component]string{
			uri.Scheme: r.Scheme(), uri.Authority: r.Authority(), uri.Userinfo: r.Userinfo(), uri.Host: r.Host(),
			uri.Port: r.Port(), uri.Path: r.Path(), uri.Query: r.Query(), uri.Fragment: r.Fragment(),
		} {
			if want, _ := r.Get(c); got != want {
				t.Errorf("%q: %v is %q, Get has %q", s, c, got, want)
			}
		}
	}
	r := uri.MustParse("HTTP://u:p@[::1]:080/a%20b?q?#f")
	got := fmt.Sprint([]string{r.Scheme(), r.Authority(), r.Userinfo(), r.Host(), r.Port(), r.Path(), r.Query(), r.Fragment()})
	if want := "[HTTP u:p@[::1]:080 u:p [::1] 080 /a%20b q? f]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
