package scheme_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// asJSON returns v encoded as JSON and decoded again.
func asJSON(t *testing.T, v interface{}) (back interface{}) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestFieldsTable(t *testing.T) {
	for _, row := range rowsOf(t, "scheme_components.public.jsonl") {
		url, _ := text(t, row, "url")
		name, _ := text(t, row, "grammar")
		var g uri.Grammar
		if err := g.UnmarshalText([]byte(name)); err != nil {
			t.Fatal(err)
		}
		var want map[string]interface{}
		if err := json.Unmarshal(row["fields"], &want); err != nil {
			t.Fatal(err)
		}
		got := make(map[string]interface{})
		for _, f := range scheme.Fields(url, uri.Split(url), g) {
			if _, twice := got[f.Name]; twice {
				t.Errorf("%s: %q has two %s", name, url, f.Name)
			}
			got[f.Name] = asJSON(t, f.Value())
		}
		if request, asked := text(t, row, "gopher_request"); asked && got["gopher_request"] != request {
			t.Errorf("%s: %q: request %q, want %q", name, url, got["gopher_request"], request)
		}
		_, contested := row["contested"]
		for key, value := range want {
			if is, ok := got[key]; !ok || !reflect.DeepEqual(is, value) {
				t.Errorf("%s: %q: %s is %#v, %v; table has %#v", name, url, key, is, ok, value)
			}
		}
		for key := range got {
			if _, ok := want[key]; !ok && key != "gopher_request" && !contested {
				t.Errorf("%s: %q: the table has no %s", name, url, key)
			}
		}
	}
}

// FuzzFields checks that fields are parts of the text, and that their values can be printed.
func FuzzFields(f *testing.F) {
	for _, row := range rowsOf(f, "scheme_components.public.jsonl") {
		s, _ := text(f, row, "url")
		f.Add(s)
	}
	seedAll(f)
	f.Fuzz(func(t *testing.T, s string) {
		for g := range uri.Every.Each() {
			for _, field := range scheme.Fields(s, uri.Split(s), g) {
				if !strings.Contains(s, field.Raw) {
					t.Fatalf("%v: %q: %s is %q", g, s, field.Name, field.Raw)
				}
				if field.Kind == scheme.Listed && strings.Count(strings.Join(field.List(), ""), "") > len(s)+1 {
					t.Fatalf("%v: %q: %s is %q", g, s, field.Name, field.List())
				}
				if _, err := json.Marshal(field.Value()); err != nil {
					t.Fatalf("%v: %q: %s: %v", g, s, field.Name, err)
				}
				if field.Kind == scheme.Unescaped && field.Decoded() != field.String() {
					t.Fatalf("%v: %q: %s is %q and %q", g, s, field.Name, field.String(), field.Decoded())
				}
			}
		}
	})
}
