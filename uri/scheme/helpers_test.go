package scheme_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// rowsOf returns the rows of a table of cases.
func rowsOf(t testing.TB, name string) (rows []map[string]json.RawMessage) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		var row map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// text returns the string that row has under key. ok is false if it has none, or null.
func text(t testing.TB, row map[string]json.RawMessage, key string) (s string, ok bool) {
	t.Helper()
	var p *string
	if err := json.Unmarshal(row[key], &p); err != nil || p == nil {
		return "", false
	}
	return *p, true
}

// seedAll adds references of all grammars, and texts that are not references.
func seedAll(f *testing.F) {
	for g := range uri.Every.Each() {
		for _, row := range rowsOf(f, "validity_"+g.String()+".public.jsonl") {
			if s, ok := text(f, row, "ref"); ok {
				f.Add(s)
			}
		}
	}
	for _, s := range []string{"", "%", "a:", "news:@", "url:url:url:", "wais://h/d/t/" + strings.Repeat("1=;", 99), "telnet://1@1@", "\x00:\xff"} {
		f.Add(s)
	}
}
