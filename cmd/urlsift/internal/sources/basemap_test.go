package sources

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

func TestBaseMap(t *testing.T) {
	name := filepath.Join(t.TempDir(), "map")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("site/ \thttp://www.example.org/\n\nsite/old http://old.example.org/a\n- http://stdin.example/x\nwith blank http://b.example/\n")
	m, err := ReadBaseMap(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"site/a/b.html", "http://www.example.org/a/b.html"},
		{"site/old/b c%.html", "http://old.example.org/a/b%20c%25.html"},
		{"site/old", "http://old.example.org/a"},
		{"site/older", "http://www.example.org/older"},
		{"with blank/x", "http://b.example/x"},
		{"-", "http://stdin.example/x"},
		{"other", ""},
		{"sit", ""},
	} {
		s := extract.Source{Name: c[0]}
		if m.of(&s); s.Base.String() != c[1] {
			t.Errorf("%s: %q, want %q", c[0], s.Base, c[1])
		}
	}
	for text, want := range map[string]string{"a": "line 1 has no URL", "\na b": "line 2: b is no URL", "a http://u:secret@h/^": "***", "a //h/": "no URL"} {
		write(text)
		if _, err := ReadBaseMap(name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadBaseMap(name + "x"); err == nil {
		t.Error("a missing file is no error")
	}
}
