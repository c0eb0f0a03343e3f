package sources

import (
	"os"
	"path/filepath"
	"slices"
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
		if m.setBase(&s); s.Base.String() != c[1] {
			t.Errorf("%s: %q, want %q", c[0], s.Base, c[1])
		}
	}
	var unmet []string
	if m.unmet(func(what string) { unmet = append(unmet, what) }); len(unmet) > 0 {
		t.Errorf("all lines were met but %q", unmet)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	write("./d http://d.example\nsub/../e/ http://e.example/\n" + dir + "/f http://f.example/?q=\n.. http://up.example/\nnone http://n.example/\n./- http://minus.example/\n/ http://root.example\n")
	if m, err = ReadBaseMap(name); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"d/x", "http://d.example/x"},
		{"./d/x", "http://d.example/x"},
		{dir + "//d/./x", "http://d.example/x"},
		{"e", "http://e.example/"},
		{"e/x", "http://e.example/x"},
		{"f/x", "http://f.example/?q=/x"},
		{"../x", "http://up.example/x"},
		{"dd", "http://up.example/" + filepath.Base(dir) + "/dd"},
		{"/no such folder/x", "http://root.example/no%20such%20folder/x"},
		{"-", ""},
	} {
		s := extract.Source{Name: c[0]}
		if m.setBase(&s); s.Base.String() != c[1] {
			t.Errorf("%s: %q, want %q", c[0], s.Base, c[1])
		}
	}
	m.unmet(func(what string) { unmet = append(unmet, what) })
	if want := []string{`line 5 of --base-map, "none"`, `line 6 of --base-map, "./-"`}; !slices.Equal(unmet, want) {
		t.Errorf("not met: %q, want %q", unmet, want)
	}
	for text, want := range map[string]string{"a": "line 1 has no URL", "\na b": "line 2: b is no URL", "a http://u:secret@h/^": "***", "a //h/": "no URL",
		"d http://h/\nd/ http://i/": `lines 1 and 2 give "d/" different URLs`, "d http://h/\n\n./d http://h": "lines 1 and 3", "d http://h/?f=\nd/ http://h/?f=": "lines 1 and 2"} {
		write(text)
		if _, err := ReadBaseMap(name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	write("d http://h/\nd/ http://h/\nd http://h/")
	if m, err := ReadBaseMap(name); err != nil || len(m) != 1 {
		t.Errorf("lines that agree: %v, %v", m, err)
	}
	if _, err := ReadBaseMap("-"); err == nil || !strings.Contains(err.Error(), "not standard input") {
		t.Errorf("standard input as a map: %v", err)
	}
	if _, err := ReadBaseMap(name + "x"); err == nil {
		t.Error("a missing file is no error")
	}
}
