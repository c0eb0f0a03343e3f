package uri_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// linesOf returns the lines of a fixture, without comments, with their numbers.
func linesOf(t *testing.T, pattern string) map[string][]line {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "fixtures", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	files := make(map[string][]line)
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewScanner(f)
		for n := 1; in.Scan(); n++ {
			if s := in.Text(); s != "" && s[0] != '#' {
				files[filepath.Base(name)] = append(files[filepath.Base(name)], line{n, s})
			}
		}
		if err := in.Err(); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return files
}

type line struct {
	n    int
	text string
}

// plain removes the quotation marks of a text in a fixture. Texts have them if they
// contain bytes that are not visible.
func plain(t *testing.T, l line, s string) string {
	t.Helper()
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	s, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("line %d: %v", l.n, err)
	}
	return s
}

// TestGrammars reads fixtures/uri. A row has a result for each grammar, oldest first, and then the
// text. The result is '+' if the grammar accepts the text, otherwise the offset of the first
// rejected byte.
func TestGrammars(t *testing.T) {
	for name, lines := range linesOf(t, "uri/*.txt") {
		t.Run(name, func(t *testing.T) {
			for _, l := range lines {
				rest, s := l.text, ""
				var cells []string
				for range 6 {
					cell, more, ok := strings.Cut(strings.TrimLeft(rest, " "), " ")
					if !ok {
						t.Fatalf("line %d has fewer than six results", l.n)
					}
					cells, rest = append(cells, cell), more
				}
				s = plain(t, l, strings.TrimLeft(rest, " "))
				p, i := uri.Split(s), 0
				for g := range uri.Every.Each() {
					got, bad := uri.Accepts(s, p, g)
					result := "+"
					if got == 0 {
						result = strconv.Itoa(bad)
					}
					if result != cells[i] {
						t.Errorf("line %d: %q: %v gives %s, want %s", l.n, s, g, result, cells[i])
					}
					_, perr := uri.Parse(s, g)
					xerr := uri.Explain([]byte(s), p, g)
					for _, err := range []error{perr, xerr} {
						if (err == nil) != (got != 0) {
							t.Errorf("line %d: %q: %v: %v", l.n, s, g, err)
						} else if e, ok := err.(*uri.Error); err != nil && (!ok || e.Offset != bad) {
							t.Errorf("line %d: %q: %v: %v, offset is %d", l.n, s, g, err, bad)
						}
					}
					i++
				}
			}
		})
	}
}

// TestTargets reads fixtures/resolve. A block has lines "base" and "as", and then a line for each
// reference: "ref = target", as the documents print their examples.
func TestTargets(t *testing.T) {
	for name, lines := range linesOf(t, "resolve/*.txt") {
		t.Run(name, func(t *testing.T) {
			var ref uri.Ref
			var b uri.Base
			var err error
			for _, l := range lines {
				switch key, value, _ := strings.Cut(l.text, " "); key {
				case "base":
					if ref, err = uri.Parse(value, uri.Every); err != nil {
						t.Fatalf("line %d: %v", l.n, err)
					}
					continue
				case "as":
					var g uri.Grammar
					words := strings.Fields(value)
					if err := g.UnmarshalText([]byte(words[0])); err != nil {
						t.Fatalf("line %d: %v", l.n, err)
					}
					if b, err = uri.NewBase(ref, g); err != nil {
						t.Fatalf("line %d: %v", l.n, err)
					}
					for _, w := range words[1:] {
						if w == "lax" {
							b.Lax = true
						} else if err := b.Excess.UnmarshalText([]byte(w)); err != nil {
							t.Fatalf("line %d: %v", l.n, err)
						}
					}
					continue
				}
				s, want, ok := strings.Cut(l.text, " = ")
				if !ok {
					t.Fatalf("line %d: no \" = \"", l.n)
				}
				s = plain(t, l, strings.TrimRight(s, " "))
				got, err := uri.AppendTarget(nil, b, s, uri.Split(s))
				is := string(got)
				if e, bad := err.(*uri.Error); bad {
					is = "(" + e.Reason + ")"
				} else if len(got) == 0 {
					is = "(current document)"
				}
				if is != want {
					t.Errorf("line %d: %q by %q: %s, want %s", l.n, s, ref, is, want)
				}
			}
		})
	}
}
