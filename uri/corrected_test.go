package uri_test

import (
	"encoding/json"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// TestJoin checks that empty segments are kept, and that dot segments cannot be data.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		base     string
		segments []string
		want     string
	}{
		{"", []string{"a", "", "b"}, "http://h/a//b"},
		{"", []string{"", "a"}, "http://h//a"},
		{"/p/", []string{"a"}, "http://h/p/a"},
		{"/p", []string{"a", ""}, "http://h/p/a/"},
		{"/p/../q", []string{"a:b"}, "http://h/p/../q/a%3Ab"},
		{"", []string{"pub", "..", "etc"}, ""},
		{"", []string{"."}, ""},
		{"", []string{"..."}, "http://h/..."},
	} {
		b := new(uri.Builder).Set(uri.Scheme, "http").Set(uri.Host, "h").Set(uri.Path, c.base)
		r, err := b.Join(c.segments...).Ref()
		if r.String() != c.want || (err == nil) == (c.want == "") {
			t.Errorf("%q %q: %q, %v, want %q", c.base, c.segments, r, err, c.want)
		}
	}
	r, err := new(uri.Builder).SetData(uri.Path, "a:b").Ref()
	if r.String() != "a%3Ab" || err != nil {
		t.Errorf("a first segment with a colon: %q, %v", r, err)
	}
	b := new(uri.Builder).SetData(uri.Path, "..")
	if _, err := b.Ref(); err == nil {
		t.Error("the path of a step is accepted as data")
	}
	if r, err := b.Set(uri.Path, "../x").Ref(); r.String() != "../x" || err != nil {
		t.Errorf("a path that is set: %q, %v", r, err)
	}
}

// TestRoundTrip checks that UnmarshalText reads the output of MarshalText, for any grammar.
func TestRoundTrip(t *testing.T) {
	for g := range uri.Every.Each() {
		for _, text := range []string{"http://[v1.x]/", "http://h/", "http://h/a[b", "mailto:a@b", "news:a.b"} {
			r, err := uri.Parse(text, g)
			if err != nil {
				continue
			}
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var again, column uri.Ref
			if err := json.Unmarshal(data, &again); err != nil || again != r {
				t.Errorf("%v: %s: %v, %v", g, data, again, err)
			}
			value, _ := r.Value()
			if err := column.Scan(value); err != nil || column != r {
				t.Errorf("%v: %s: %v, %v", g, value, column, err)
			}
		}
	}
}

// TestBehindPrefix checks that Warnings examines the text after the prefix of 1994, and that
// AppendNormal leaves a quoted mailbox unchanged.
func TestBehindPrefix(t *testing.T) {
	for _, text := range []string{"URL:ftp://u:p@h/x", "url:URL:ftp://u:p@h/x"} {
		p := uri.Split(text)
		if uri.Warnings(text, p).String() != "password" {
			t.Errorf("%s: no warning", text)
		}
		if got := string(uri.AppendRedacted(nil, text, p)); got != text[:len(text)-5]+"***@h/x" {
			t.Errorf("%s: %s", text, got)
		}
	}
	if text := "foo://h:0/"; uri.Warnings(text, uri.Split(text)).String() != "port" {
		t.Error("port 0 is not odd")
	}
	if eq, err := compare("mailto:%22a@B%22@c", "mailto:%22a@b%22@c", uri.RFC3986); eq == equals || err != nil {
		t.Errorf("two mailboxes: %v, %v", eq, err)
	}
	if eq, err := compare("mailto:a@B,c@D", "mailto:a@b,c@d", uri.RFC3986); eq != equals || err != nil {
		t.Errorf("one list: %v, %v", eq, err)
	}
}
