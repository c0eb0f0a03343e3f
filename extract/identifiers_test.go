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

// TestIdentifiers checks which URLs of markup are identifiers (rule 23), and that
// Options.Identifiers includes them.
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
				t.Errorf("%s is at %q", r.URL, at)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.opts, got, c.want)
		}
	}
}

// TestEmptyReference checks what empty values refer to. 2002, section 4.2: "an empty URI
// reference within a document is interpreted as a reference to the start of that document";
// but "if the URI reference occurs in a context that is always intended to result in a new
// request, as in the case of HTML's FORM element, then an empty URI reference represents the
// base URI of the current document". 1997, section 3, has IMG src too, and there it represents
// "the URL of the current document". RFC 3986, section 5.2.2: the target is the base.
// Where no base is known, an empty value is no Result.
func TestEmptyReference(t *testing.T) {
	const (
		refs     = `<html><form action=""><img src=''><a href=" "><input src=""><q cite=""><a class=""><a href>`
		based    = `<html><base href="http://b.example/d/e">` + refs
		fromBase = "http://b.example/d/e html"
		fromRet  = "http://r.example/p?q retrieval"
		fromOpt  = "http://o.example/x?y option"
		none     = " "
	)
	const drafts, all = uri.URL1996 | uri.URL1997 | uri.URI2002, uri.URL1996 | uri.URL1997 | uri.URI2002 | uri.RFC3986
	mail := "From: a@b.example\nContent-Location: http://b.example/d/e\nContent-Type: text/html\n\n" + refs
	for _, c := range []struct {
		name, page, option, retrieval string
		grammars                      uri.Grammar
		format                        extract.Format
		want                          []string // targets of form, img, a, input and q
	}{
		{"no base", refs, "", "", all, extract.HTML, nil},
		{"empty base", `<base href="">` + refs, "", "", all, extract.HTML, nil},
		{"option", refs, "http://o.example/x?y#z", "", drafts, extract.HTML, []string{fromOpt, fromOpt, none, fromOpt, none}},
		{"option", refs, "http://o.example/x?y#z", "", uri.RFC3986, extract.HTML, []string{fromOpt, fromOpt, fromOpt, fromOpt, fromOpt}},
		{"page", based, "", "", drafts, extract.HTML, []string{fromBase, fromBase, none, fromBase, none}},
		{"page", based, "", "", uri.RFC3986, extract.HTML, []string{fromBase, fromBase, fromBase, fromBase, fromBase}},
		{"retrieved", refs, "http://o.example/x?y", "http://r.example/p?q", all, extract.HTML, []string{fromRet, fromRet, fromRet, fromRet, fromRet}},
		{"both", based, "", "http://r.example/p?q", uri.URI2002, extract.HTML, []string{fromBase, fromBase, fromRet, fromBase, fromRet}},
		{"both", based, "", "http://r.example/p?q", uri.URL1997, extract.HTML, []string{fromRet, fromRet, fromRet, fromRet, fromRet}},
		// The retrieved document is the message, not the page in it.
		{"mail", mail, "", "http://r.example/p?q", uri.URI2002, extract.Message, []string{"http://b.example/d/e content-location", "http://b.example/d/e content-location", none, "http://b.example/d/e content-location", none}},
	} {
		for g := range c.grammars.Each() {
			for _, workers := range []int{1, 3} {
				o := extract.Options{Format: c.format, Grammar: g, Workers: workers}
				if c.option != "" {
					o.Base = uri.MustParse(c.option)
				}
				s := memory("x", []byte(c.page))
				if c.retrieval != "" {
					s.Base = uri.MustParse(c.retrieval)
				}
				var got []string
				for r, err := range extractor(t, o).Run(t.Context(), func(yield func(extract.Source) bool) { yield(s) }) {
					if err != nil {
						t.Fatal(err)
					}
					if len(r.URL) > 0 {
						continue // the base
					}
					if got = append(got, string(r.Target)+" "+r.BaseSource.String()); !r.Valid || r.Origin.Length > 1 {
						t.Errorf("%s, %v: %+v", c.name, g, r)
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("%s, %v: %q, want %q", c.name, g, got, c.want)
				}
			}
		}
	}
}
