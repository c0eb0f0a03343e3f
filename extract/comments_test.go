package extract_test

import (
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

// TestPathsInComments fails if a comment names a folder or file below internal that does not exist.
// Paths begin at the root of the module, at the folder of the comment, at that of a public package
// or at that of the command.
func TestPathsInComments(t *testing.T) {
	skipRace(t)
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
