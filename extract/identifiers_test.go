package extract_test

import (
	"slices"
	"testing"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

const xmlPage = `<?xml version="1.0"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://d.example/xhtml1.dtd" [<!ENTITY e SYSTEM "http://e.example/e">]>
<html xmlns="http://n.example/xhtml" xmlns:xl='http://n.example/xlink' xml:base="http://b.example/" title="see http://t.example/">
<p>http://p.example/ xmlns="http://q.example/"</p>
</html>
`

// TestIdentifiers checks which URLs of markup are identifiers (rule 23), and that they are
// found where they are asked for.
func TestIdentifiers(t *testing.T) {
	refers := []string{"http://e.example/e", "http://b.example/", "http://t.example/", "http://p.example/", "http://q.example/"}
	all := []string{"http://d.example/xhtml1.dtd", "http://e.example/e", "http://n.example/xhtml", "http://n.example/xlink",
		"http://b.example/", "http://t.example/", "http://p.example/", "http://q.example/"}
	for _, c := range []struct {
		opts extract.Options
		want []string
	}{{extract.Options{}, refers}, {extract.Options{Identifiers: true}, all}, {extract.Options{Format: extract.Plain}, all}} {
		var got []string
		for r, err := range extractor(t, c.opts).Run(t.Context(), one(memory("x", []byte(xmlPage)).Open)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(r.URL))
			if at := xmlPage[r.Origin.Offset : r.Origin.Offset+r.Origin.Length]; at != string(r.URL) {
				t.Errorf("%s stands at %q", r.URL, at)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.opts, got, c.want)
		}
	}
}

// TestEmptyReference checks that an empty value refers to the base, which is its target, and
// that it is no Result where no base is known.
func TestEmptyReference(t *testing.T) {
	const forms = `<form action=""><img src=''><a href=" "><a class=""><a href>`
	for _, c := range []struct {
		page, base string
		want       []string
		from       extract.BaseSource
	}{
		{page: forms},
		{page: forms, base: "http://o.example/x?y", want: []string{"http://o.example/x?y", "http://o.example/x?y", "http://o.example/x?y"}, from: extract.FromOption},
		{page: `<base href="http://b.example/d/e">` + forms, want: []string{"", "http://b.example/d/e", "http://b.example/d/e", "http://b.example/d/e"}, from: extract.FromHTML},
		{page: `<base href="">` + forms},
	} {
		for _, g := range []uri.Grammar{uri.URI2002, uri.RFC3986} {
			o := extract.Options{Format: extract.HTML, Grammar: g}
			if c.base != "" {
				base, err := uri.Parse(c.base, g)
				if err != nil {
					t.Fatal(err)
				}
				o.Base = base
			}
			var got []string
			for r, err := range extractor(t, o).Run(t.Context(), one(memory("x", []byte(c.page)).Open)) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(r.Target))
				if len(r.Target) > 0 && (len(r.URL) != 0 || r.BaseSource != c.from || r.Origin.Length > 1 || !r.Valid) {
					t.Errorf("%s: %q by %v at %+v", c.page, r.URL, r.BaseSource, r.Origin)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v: %s: %q, want %q", g, c.page, got, c.want)
			}
		}
	}
}
