package glob

import (
	"strings"
	"testing"
	"time"
)

// TestMatch compares globs with paths. A path with '/' at its end is a directory.
func TestMatch(t *testing.T) {
	for _, c := range []struct{ glob, yes, no string }{
		{"*.md", "a.md x/a.md .md", "a.md.gz md x.md/y"},
		{"a", "a x/a a/ x/y/a/", "ab a/b"},
		{"a/", "a/ x/a/", "a x/a"},
		{"/a", "a a/", "x/a"},
		{"./a", "a a/", "x/a"},
		{"././a*", "ab", "x/ab"},
		{"a/b", "a/b", "x/a/b b"},
		{"x/*", "x/a x/b/", "x x/a/b"},
		{"**/a", "a x/a x/y/a", "x/b"},
		{"a/**", "a/b a/b/c", "a a/ x/a/b"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "ab a/x/c"},
		{"/**", "a a/b", ""},
		{"**", "a a/b", ""},
		{"**/*.md", "a.md x/y/a.md", "a.txt"},
		{"a**b", "ab axb x/axxb", "a/b"},
		{"x/a**b", "x/axxb", "x/a/b"},
		{"a/***/b", "a/b a/x/y/b", ""},
		{"*.{md,txt}", "a.md a.txt", "a.gz a.{md,txt}"},
		{"{a,x/b}", "a x/b", "y/a y/x/b"},
		{"{a,b{c,d}}", "a bc bd", "b ab"},
		{"a/{**,x}/b", "a/b a/x/b a/y/z/b", "a/c"},
		{"a}", "a}", "a"},
		{`\{a\}`, "{a}", "a"},
		{"?", "a ä x/b", "ab"},
		{"a?b", "axb", "a/b ab"},
		{"x/a?b", "x/axb", "x/a/b"},
		{"[a-c]1", "a1 c1", "d1 -1"},
		{"[!a-c]1", "d1 ]1", "a1"},
		{"[^a-c]1", "d1", "b1"},
		{"x/a[!b]c", "x/adc", "x/a/c x/abc"},
		{"x/a[+-0]c", "x/a.c x/a0c x/a+c", "x/a/c x/a1c"},
		{"x/a[/]c", "", "x/a/c"},
		{"[]a]", "] a", "b []"},
		{"[!]a]", "b", "] a"},
		{"[a-]", "a -", "b"},
		{"[[:digit:]x-z]", "5 y", "d : w"},
		{"[[:upper:][:space:]]", "A", "a"},
		{"[[:]", "[ :", "a"},
		{`[\]a]`, "] a", `\`},
		{"[ä-ü]", "ö", "o"},
		{"[z-a]", "z", "a m"},
		{"{[},],x}", "} , x", "[ ]"},
		{`\*`, "*", "a"},
		{`\!a`, "!a", "a"},
		{"!a", "!a", "a"},
		{"a\xff*", "a\xffb", "a\xfeb aÿb"},
		{"*\xff", "a\xff", "a\xfe"},
		{"[\xfe-\xff]", "\xfe", "\xfd"},
		{"a b", "a\x00b", ""},
	} {
		g, err := Parse(c.glob)
		if err != nil {
			t.Errorf("%q: %v", c.glob, err)
			continue
		}
		for i, paths := range []string{c.yes, c.no} {
			for path := range strings.FieldsSeq(paths) {
				path, dir := strings.CutSuffix(strings.ReplaceAll(path, "\x00", " "), "/")
				if got := g.Match(path, dir); got != (i == 0) {
					t.Errorf("%q matches %q: %v", c.glob, path, got)
				}
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"", "/", "./", "//", "[", "a[", "[]", "[!]", "[a", "[a-", `[\`, `[a\]`, "[[:digit:]", "[[:what:]]", "{", "{a", "a{b,{c}", `a\`, `\`, "*[", "{[}]"} {
		g, err := Parse(text)
		if err != ErrBad {
			t.Errorf("%q: error %v", text, err)
		}
		if g.Match(text, true) {
			t.Errorf("%q matches itself", text)
		}
	}
	var zero Glob
	if zero.Match("", true) {
		t.Error("the zero Glob matches")
	}
}

// TestDecide decides about paths with lists of ignore files. In the expected results, a path in
// brackets is kept by a '!', and a path with '-' in front is ignored.
func TestDecide(t *testing.T) {
	for _, c := range []struct{ list, ignored, kept, undecided string }{
		{"# a\n\n*.o\r\n!x.o\n", "a.o d/a.o", "x.o d/x.o", "a #"},
		{"\ufeffa\nb", "a b", "", "c"},
		{"{a,b}\n", "{a,b}", "", "a b"},
		{"\\#a\n\\!b\n", "#a !b", "", "a b"},
		{"a  \nb\\ \n", "a b\x00", "", "b"},
		{"[\nb\\\n!\n/\n \nc\n", "c", "", "[ b b\\ !"},
		{"d/\n/e\n", "d/ x/d/ e", "", "d x/e"},
		{"*\n!*/\n!*.md", "a.txt", "d/ d/a.md", ""},
		{"d/**", "d/a d/b/c", "", "d/"},
	} {
		l := ParseList(c.list)
		for i, paths := range []string{c.ignored, c.kept, c.undecided} {
			for path := range strings.FieldsSeq(paths) {
				path, dir := strings.CutSuffix(strings.ReplaceAll(path, "\x00", " "), "/")
				if ignored, decided := l.Decide(path, dir); ignored != (i == 0) || decided != (i < 2) {
					t.Errorf("%q, %q: ignored %v, decided %v", c.list, path, ignored, decided)
				}
			}
		}
	}
}

// TestMatchTime checks that many stars do not multiply the time.
func TestMatchTime(t *testing.T) {
	path := strings.Repeat(strings.Repeat("a", 60)+"/", 60)
	for _, text := range []string{strings.Repeat("a*", 100) + "b", strings.Repeat("**/a*/", 30) + "b", strings.Repeat("**/", 100) + "*b"} {
		g, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if g.Match(path+"a", false) {
			t.Error("there is no b")
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("%q took %v", text, d)
		}
	}
}

// FuzzTranslate checks that patterns that Parse accepts are valid for package doublestar.
func FuzzTranslate(f *testing.F) {
	for _, s := range []string{"a/**", "[[:alpha:]]", "{a,[}]}", "\xff[^\xfe]", "*{**,/}?"} {
		f.Add(s, "a/b")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, braces := range []bool{true, false} {
			if len(text) > 200 || strings.Count(text, "{") > 5 {
				return
			}
			g, err := compile(text, braces)
			if err != nil {
				continue
			}
			if g.kind == special && !valid(g.pattern) {
				t.Errorf("%q became %q", text, g.pattern)
			}
			g.Match(path, true)
		}
	})
}
