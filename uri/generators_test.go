package uri_test

import (
	"net/url"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// TestGenerators compares the table of generators in the package comment with the output of this
// package and net/url.
func TestGenerators(t *testing.T) {
	base, err := uri.NewBase(uri.MustParse("http://h/x"), uri.RFC3986)
	if err != nil {
		t.Fatal(err)
	}
	from := func(base string) uri.Base {
		b, err := uri.NewBase(uri.MustParse(base), uri.RFC3986)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range [][3]string{
		{"http://h/x/y", "http://h/x/z", "z"}, {"http://h/x/y", "http://h/x/a:b", "./a:b"}, {"http://h/x/", "http://h/x/a:b", "./a:b"},
	} {
		if got := from(c[0]).Relative(uri.MustParse(c[1])).String(); got != c[2] {
			t.Errorf("%s from %s is %s, want %s", c[1], c[0], got, c[2])
		}
	}
	for path, theirs := range map[string]string{"a:b": "./a:b", "//a": "//a"} {
		if _, err := new(uri.Builder).Set(uri.Path, path).Ref(); err == nil {
			t.Errorf("the path %s is no error", path)
		}
		if got := (&url.URL{Path: path}).String(); got != theirs {
			t.Errorf("net/url writes %s, not %s", got, theirs)
		}
	}
	if got := string(uri.AppendData(nil, uri.Path, "a b/100%?", uri.RFC3986)); got != "a%20b%2F100%25%3F" {
		t.Errorf("data is %s", got)
	}
	if got := (&url.URL{Path: "a b/100%?"}).String(); got != "a%20b/100%25%3F" {
		t.Errorf("net/url writes %s", got)
	}
	other, _ := url.Parse("http://h/x")
	for _, c := range [][3]string{
		{"g?", "http://h/g?", "http://h/g?"}, {"g#", "http://h/g#", "http://h/g"}, {"%7e%2f", "http://h/%7e%2f", "http://h/%7e%2f"},
		{"HTTP://H/", "HTTP://H/", "http://H/"}, {"a^", "", "http://h/a%5E"},
	} {
		got := ""
		if r, err := uri.Parse(c[0], uri.RFC3986); err == nil {
			target, err := base.Resolve(r)
			if err != nil {
				t.Fatal(err)
			}
			got = target.String()
		}
		theirs, err := other.Parse(c[0])
		if err != nil || got != c[1] || theirs.String() != c[2] {
			t.Errorf("%s: %q, and net/url %q, want %q and %q (%v)", c[0], got, theirs, c[1], c[2], err)
		}
	}
}
