package scheme_test

import (
	"errors"
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
	// scheme: no field of wais is called "colour" (there are host, port, database, search, search_words, wtype, fields)
}

// NewField escapes data depending on the field: a slash is escaped in a segment, but not in a path.
func ExampleNewField() {
	for _, of := range [][]string{
		{"ftp", "path", "pub/a b"},
		{"ftp", "segments", "pub", "a/b"},
		{"gopher", "selector", "About us?"},
		{"news", "group", "comp.lang.misc"},
		{"wais", "search_words", "c++", "go"},
		{"ftp", "colour", "red"},
	} {
		f, err := scheme.NewField(of[0], of[1], uri.URI2002, of[2:]...)
		fmt.Println(f.Raw, err)
	}
	// Output:
	// pub/a%20b <nil>
	// pub/a%2Fb <nil>
	// About%20us%3F <nil>
	// comp.lang.misc <nil>
	// c%2B%2B+go <nil>
	//  scheme: no field of ftp is called "colour" (there are user, password, host, port, path, segments, type)
}

// AppendFields makes the same reference from its fields. Two fields that contradict each other are
// an error.
func ExampleAppendFields() {
	s := "ftp://h.example/pub/a%2Fb;type=i"
	fields := scheme.Fields(s, uri.Split(s), uri.URI2002)
	made, err := scheme.AppendFields(nil, fields, uri.URI2002)
	fmt.Printf("%s %v\n", made, err)

	for i := range fields {
		if fields[i].Name == "path" {
			fields[i], _ = scheme.NewField("ftp", "path", uri.URI2002, "pub/c")
		}
	}
	_, err = scheme.AppendFields(nil, fields, uri.URI2002)
	fmt.Println(err)
	// Output:
	// ftp://h.example/pub/a%2Fb;type=i <nil>
	// scheme: the fields path and segments of ftp contradict each other
}

func ExampleFieldNames() {
	fmt.Println(scheme.FieldNames("prospero"))
	fmt.Println(scheme.FieldNames("foo"))
	// Output:
	// [host port hsoname version attributes]
	// []
}

// comesBack makes a reference from fields, and checks that it has these fields.
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

// TestFieldsMakeReferences makes each reference of the table from its fields.
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

// TestConflicts checks that two fields that contradict each other are an error that names both.
func TestConflicts(t *testing.T) {
	for _, c := range []struct {
		scheme, fields string
		g              uri.Grammar
		want           string // the reference, or the fields that contradict each other
	}{
		{"ftp", "host=h path=a segments=b", uri.URL1994, "path and segments"},
		{"ftp", "host=h path=a/b segments=a segments=b", uri.URL1994, "ftp://h/a/b"},
		{"ftp", "host=h path=a;b segments=a;b", uri.RFC3986, "ftp://h/a%3Bb"},
		{"ftp", "host=h path=a/b segments=a/b", uri.URL1994, "path and segments"},
		{"file", "path=a segments=a segments=b", uri.URL1994, "path and segments"},
		{"http", "host=h search=a+b search_words=x", uri.URL1994, "search and search_words"},
		{"http", "host=h search=a+b search_words=a search_words=b", uri.URL1994, "http://h?a+b"},
		{"wais", "host=h database=d search=x search_words=y", uri.URL1994, "search and search_words"},
		{"wais", "host=h database=d wtype=t search=y", uri.URL1994, "wtype and search"},
		{"wais", "host=h database=d wtype=t search_words=y", uri.URL1993, "wtype and search_words"},
		{"mailto", "address=a@b local=a domain=b", uri.URL1994, "mailto:a@b"},
		{"mailto", "address=a@b local=c", uri.URL1994, "address and local"},
		{"mailto", "address=a@b domain=c", uri.URL1994, "address and domain"},
		{"mailto", "address=a domain=c", uri.URL1994, "address and domain"},
		{"mailto", "addresses=a@b addresses=c@d", uri.RFC3986, "mailto:a@b,c@d"},
		{"mailto", "addresses=a,b@c", uri.RFC3986, "mailto:a%2Cb@c"},
		{"mailto", "addresses=a@b address=a@b local=a domain=b", uri.URI2002, "mailto:a@b"},
		{"mailto", "addresses=a@b addresses=c@d address=a@b", uri.RFC3986, "addresses and address"},
		{"mailto", "addresses=a addresses=b@c address=a,b@c", uri.RFC3986, "addresses and address"},
		{"mailto", "addresses=a@b addresses=c@d local=a", uri.RFC3986, "addresses and local"},
		{"mailto", "addresses=a@b addresses=c@d domain=b", uri.RFC3986, "addresses and domain"},
		{"mailto", "address=a,b@c", uri.RFC3986, "mailto:a%2Cb@c"},
		{"mailto", "address=a,b@c", uri.URL1994, "mailto:a,b@c"},
		{"mailto", "local=a,b domain=c", uri.URI2002, "mailto:a%2Cb@c"},
		{"news", "group=a message_id=1@h", uri.URL1994, "message_id and group"},
		{"news", "group=a kind=all", uri.URL1994, "group and kind"},
		{"news", "message_id=1@h kind=all", uri.URL1993, "message_id and kind"},
		{"news", "group=a kind=group", uri.URL1994, "news:a"},
	} {
		first, _ := scheme.NewField(c.scheme, "scheme", c.g, c.scheme)
		fields := []scheme.Field{first}
		data := map[string][]string{}
		for pair := range strings.FieldsSeq(c.fields) {
			name, value, _ := strings.Cut(pair, "=")
			data[name] = append(data[name], value)
		}
		for name, values := range data {
			f, err := scheme.NewField(c.scheme, name, c.g, values...)
			if err != nil {
				t.Fatal(err)
			}
			fields = append(fields, f)
		}
		made, err := scheme.AppendFields(nil, fields, c.g)
		got := string(made)
		if e := (*scheme.Error)(nil); errors.As(err, &e) && e.Reason == scheme.Conflict && e.Scheme == c.scheme {
			got = e.Field + " and " + e.Other
		}
		if got != c.want {
			t.Errorf("%v: %s %s: %s, %v, want %s", c.g, c.scheme, c.fields, got, err, c.want)
		}
	}
}

// TestLackingFields checks that an error about a missing field lists the fields that the grammar
// has.
func TestLackingFields(t *testing.T) {
	for _, c := range []struct {
		scheme, field string
		g             uri.Grammar
		want          string
	}{
		{"ftp", "type", uri.URL1993, "(there are user, password, host, port, path, segments)"},
		{"telnet", "password", uri.URL1993, "(there are user, host, port)"},
		{"wais", "docid", uri.URL1994, "(there are host, port, database, search, search_words, wtype, fields)"},
		{"wais", "fields", uri.URL1993, "(there are host, port, database, search, search_words, wtype, length, docid)"},
		{"mailto", "addresses", uri.URL1994, "(there are address, local, domain)"},
		{"gopher", "gopher_plus", uri.URL1993, "(there are host, port, gtype, selector, search)"},
	} {
		first, _ := scheme.NewField(c.scheme, "scheme", c.g, c.scheme)
		host, _ := scheme.NewField(c.scheme, "host", c.g, "h")
		last, err := scheme.NewField(c.scheme, c.field, c.g, "1")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = scheme.AppendFields(nil, []scheme.Field{first, host, last}, c.g); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v: %s with %s: %v, want %s", c.g, c.scheme, c.field, err, c.want)
		}
		if _, err = scheme.NewField(c.scheme, "colour", c.g, "1"); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v: %s with colour: %v, want %s", c.g, c.scheme, err, c.want)
		}
	}
}

// FuzzFromFields checks that the fields of any reference make a reference with these fields, by
// each grammar that has them, or are an error.
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
			_, _, hasUser := p.Span(uri.Userinfo) // few schemes have a user field
			_, _, hasHost := p.Span(uri.Host)
			short := strings.HasPrefix(s, "m") || strings.HasPrefix(s, "cid:") || strings.HasPrefix(s, "n") // these schemes have no host
			if got, _ := uri.Accepts(s, p, g); got != 0 && !hasUser && (hasHost || short) {
				_, err := scheme.AppendFields(nil, fields, g)
				t.Fatalf("%v: nothing is made of the fields of %q: %v", g, s, err)
			}
		}
	})
}

// FuzzNewField checks that data can be read unchanged from a reference that was made of it.
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

// verbatim has the fields that are not escaped, or that contain more than data.
var verbatim = map[string]bool{"fields": true, "kind": true, "port": true, "number": true, "version": true, "length": true, "type": true}

// only reports whether every field is always used. Some fields are used only if another is missing.
func only(fields []scheme.Field) bool {
	have := map[string]bool{}
	for _, f := range fields {
		have[f.Name] = true
	}
	return !(have["path"] && have["segments"] || have["search"] && have["search_words"] || have["address"] && (have["local"] || have["domain"]) ||
		have["addresses"] && (have["address"] || have["local"] || have["domain"]) ||
		have["group"] && have["message_id"] || have["kind"] || have["wtype"] && (have["search"] || have["search_words"]) ||
		have["fields"] && (have["length"] || have["docid"]) || !have["wtype"] && (have["fields"] || have["length"] || have["docid"]))
}

// TestFieldless checks the error for a scheme that has no fields in the grammar.
func TestFieldless(t *testing.T) {
	for _, c := range []struct {
		scheme string
		g      uri.Grammar
		want   string
	}{
		{"foo", uri.URI2002, `scheme: "foo" has no fields in uri-2002 (in url-1993 any scheme has path and search)`},
		{"x500", uri.URL1994, `scheme: "x500" has no fields in url-1994 (in url-1993 any scheme has path and search)`},
		{"foo", uri.URL1993, ""},
	} {
		first, _ := scheme.NewField(c.scheme, "scheme", c.g, c.scheme)
		path, err := scheme.NewField(c.scheme, "path", c.g, "a")
		if err != nil {
			t.Fatal(err)
		}
		made, err := scheme.AppendFields(nil, []scheme.Field{first, path}, c.g)
		if got := fmt.Sprint(err); c.want != "" && got != c.want || c.want == "" && string(made) != "foo:a" {
			t.Errorf("%s, %v: %s, %s, want %s", c.scheme, c.g, made, got, c.want)
		}
	}
}
