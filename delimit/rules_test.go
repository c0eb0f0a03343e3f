package delimit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCitedRules checks that every rule number in comments and strings of this module exists in
// doc.go.
func TestCitedRules(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^//  (\d+)\. [A-Z]`).FindAllStringSubmatch(string(doc), -1) {
		known[m[1]] = true
	}
	cited := regexp.MustCompile(`(?i)\brules? (\d+(?:(?:, | and | to )\d+)*)`)
	number := regexp.MustCompile(`\d+`)
	found := 0
	err = filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range cited.FindAllStringSubmatch(string(text), -1) {
			for _, n := range number.FindAllString(m[1], -1) {
				if found++; !known[n] {
					t.Errorf("%s cites %q: doc.go has no rule %s", name, m[0], n)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 20 {
		t.Errorf("only %d citations were found", found)
	}
}
