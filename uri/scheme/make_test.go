package scheme_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

func ExampleFromFields() {
	made := func(g uri.Grammar, name string, pairs ...string) {
		f, _ := scheme.NewField(name, "scheme", g, name)
		fields := []scheme.Field{f}
		for i := 0; i < len(pairs); i += 2 {
			f, err := scheme.NewField(name, pairs[i], g, pairs[i+1])
			if err != nil {
				fmt.Println(err)
				return
			}
			fields = append(fields, f)
		}
		fmt.Println(scheme.FromFields(fields, g))
	}
	made(uri.RFC3986, "gopher", "host", "gopher.example", "gtype", "0", "selector", "/About us", "gopher_plus", "+application/postscript Es_ES")
	made(uri.URL1994, "gopher", "host", "gopher.example", "gtype", "0", "selector", "/About us")
	made(uri.URL1994, "mailto", "address", "jim%example.org@gate.example")
	made(uri.URL1994, "afs", "cellname", "example.org", "path", "a")
	made(uri.URL1994, "wais", "database", "a", "docid", "b", "colour", "c")
	// Output:
	// gopher://gopher.example/0/About%20us%09%09+application/postscript%20Es_ES <nil>
	// gopher://gopher.example/0%2FAbout%20us <nil>
	// mailto:jim%25example.org@gate.example <nil>
	//  uri: scheme: the name that ends at offset 3 is not in url-1994 (url-1993+url-1996+url-1997+uri-2002+rfc3986 have it): "afs://example.org/a"
	// scheme: no field of wais is called "colour" (there are host, port, database, search, search_words, wtype, fields, length, docid)
}

// comesBack checks that the fields of what is made of fields are these fields.
func comesBack(t *testing.T, fields []scheme.Field, g uri.Grammar) (text string) {
	t.Helper()
	made, err := scheme.AppendFields(nil, fields, g)
	if err != nil {
		return ""
	}
	text = string(made)
	p := uri.Split(text)
	if got, _ := uri.Accepts(text, p, g); got == 0 {
		t.Fatalf("%v: made %q, which it rejects", g, text)
	}
	have := map[string]scheme.Field{}
	for _, f := range scheme.Fields(text, p, g) {
		have[f.Name] = f
	}
	for _, f := range fields {
		if f.Kind == scheme.Undefined || strings.HasPrefix(f.Name, "effective_") || f.Name == "gopher_request" {
			continue
		}
		if back := have[f.Name]; fmt.Sprint(back.Value()) != fmt.Sprint(f.Value()) || back.Kind != f.Kind {
			t.Fatalf("%v: made %q, of which %s is %q (%d), not %q (%d)", g, text, f.Name, back.Value(), back.Kind, f.Value(), f.Kind)
		}
	}
	return text
}

// The fields of each reference of the table make that reference again.
func TestFieldsMakeReferences(t *testing.T) {
	made := 0
	for _, row := range rowsOf(t, "scheme_components.public.jsonl") {
		s, _ := text(t, row, "url")
		for g := range uri.Every.Each() {
			p := uri.Split(s)
			if got, _ := uri.Accepts(s, p, g); got == 0 {
				continue
			}
			fields := scheme.Fields(s, p, g)
			if fields == nil {
				continue
			}
			text := comesBack(t, fields, g)
			if text == "" {
				t.Errorf("%v: nothing is made of the fields of %q", g, s)
			}
			made++
			if !strings.EqualFold(text, s) && !strings.Contains(s, "#") && uri.Split(s) == uri.Split(text) {
				t.Errorf("%v: %q becomes %q", g, s, text)
			}
		}
	}
	if made < 200 {
		t.Errorf("%d only", made)
	}
}

// Fields of any reference make a reference with these fields, by each grammar that has
// them, or an error.
func FuzzFromFields(f *testing.F) {
	for _, row := range rowsOf(f, "scheme_components.public.jsonl") {
		s, _ := text(f, row, "url")
		f.Add(s)
	}
	seedAll(f)
	f.Fuzz(func(t *testing.T, s string) {
		p := uri.Split(s)
		for g := range uri.Every.Each() {
			fields := scheme.Fields(s, p, g)
			if fields == nil || comesBack(t, fields, g) != "" {
				continue
			}
			_, _, hasUser := p.Span(uri.Userinfo) // which is a field of few schemes
			_, _, hasHost := p.Span(uri.Host)
			short := strings.HasPrefix(s, "m") || strings.HasPrefix(s, "cid:") || strings.HasPrefix(s, "n") // have no host
			if got, _ := uri.Accepts(s, p, g); got != 0 && !hasUser && (hasHost || short) {
				_, err := scheme.AppendFields(nil, fields, g)
				t.Fatalf("%v: nothing is made of the fields of %q: %v", g, s, err)
			}
		}
	})
}

// Data comes back from a reference that was made of it.
func FuzzNewField(f *testing.F) {
	for i, s := range []string{"a b", "/a//b/", "100%", "%41", ";type=I", "a;b=c", "a+b&c", "?", "#", "a\tb\r\n", "é", "\x00", "@", ":", "[::1]", "*", "", ".", "..", "1=a", "a@b"} {
		f.Add(s, s, uint16(i))
	}
	schemes := []string{"http", "ftp", "file", "gopher", "mailto", "mid", "cid", "news", "nntp", "telnet", "wais", "prospero", "afs"}
	f.Fuzz(func(t *testing.T, one, two string, which uint16) {
		for g := range uri.Every.Each() {
			own := schemes[int(which)%len(schemes)]
			field, err := scheme.NewField(own, "scheme", g, own)
			if err != nil {
				t.Fatal(err)
			}
			fields := []scheme.Field{field}
			bits := which / uint16(len(schemes))
			for i, name := range scheme.FieldNames(own) {
				if bits&(1<<i) != 0 && name != "host" && name != "cellname" {
					continue
				}
				data := []string{one, two}[i%2]
				if name == "host" || name == "cellname" {
					data = "h.example"
				}
				if field, err = scheme.NewField(own, name, g, data); err != nil {
					t.Fatal(err)
				}
				if !verbatim[name] && len(field.Raw) > 0 && field.Decoded() != data && field.Kind != scheme.Listed {
					t.Fatalf("%v: %s %q is %q", g, name, data, field.Raw)
				}
				fields = append(fields, field)
			}
			if only(fields) {
				comesBack(t, fields, g)
			}
		}
	})
}

// verbatim has the fields that have no escapes, or more than data.
var verbatim = map[string]bool{"fields": true, "kind": true, "port": true, "number": true, "version": true, "length": true, "type": true}

// only reports whether no field is used only if another is missing.
func only(fields []scheme.Field) bool {
	have := map[string]bool{}
	for _, f := range fields {
		have[f.Name] = true
	}
	return !(have["path"] && have["segments"] || have["search"] && have["search_words"] || have["address"] && (have["local"] || have["domain"]) ||
		have["group"] && have["message_id"] || have["kind"] || have["wtype"] && (have["search"] || have["search_words"]) ||
		have["fields"] && (have["length"] || have["docid"]) || !have["wtype"] && (have["fields"] || have["length"] || have["docid"]))
}
