package uri_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// rowsOf yields the objects of a table in fixtures/cases, one a line.
func rowsOf(t testing.TB, name string) []map[string]json.RawMessage {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "fixtures", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []map[string]json.RawMessage
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var row map[string]json.RawMessage
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatalf("%s:%d: %v", name, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// fieldsOf returns an object of a row.
func fieldsOf(t testing.TB, object json.RawMessage) (row map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(object, &row); err != nil {
		t.Fatal(err)
	}
	return row
}

// text returns the string under key, and whether there is one.
func text(t testing.TB, row map[string]json.RawMessage, key string) (s string, ok bool) {
	t.Helper()
	var p *string
	if err := json.Unmarshal(row[key], &p); err != nil || p == nil {
		return "", false
	}
	return *p, true
}

func TestValidityTables(t *testing.T) {
	for own := range uri.Every.Each() {
		t.Run(own.String(), func(t *testing.T) {
			asked := 0
			for _, row := range rowsOf(t, "validity_"+own.String()+".public.jsonl") {
				ref, _ := text(t, row, "ref")
				p := uri.Split(ref)
				all, _ := uri.Accepts(ref, p, uri.Every)
				for g := range uri.Every.Each() {
					var want *bool
					if err := json.Unmarshal(row[g.String()], &want); err != nil {
						t.Fatal(err)
					}
					if want == nil { // the document has no rule, or contradicts itself
						continue
					}
					asked++
					if got := all&g != 0; got != *want {
						t.Errorf("%q: %v says %v, table has %v", ref, g, got, *want)
					}
					// The result for one grammar is the same alone and in a set.
					alone, bad := uri.Accepts(ref, p, g)
					if alone != all&g {
						t.Errorf("%q: %v alone gives %v, among all %v", ref, g, alone, all&g)
					}
					if err := uri.Explain(ref, p, g); (err == nil) != (alone != 0) {
						t.Errorf("%q: Explain by %v gives %v", ref, g, err)
					}
					if (alone != 0) != (bad == len(ref)) && bad != len(ref) {
						t.Errorf("%q: %v gives %v and offset %d", ref, g, alone, bad)
					}
				}
			}
			if asked < 1000 {
				t.Errorf("the table has only %d results", asked)
			}
		})
	}
}

func TestSplitTable(t *testing.T) {
	for _, row := range rowsOf(t, "split.public.jsonl") {
		ref, _ := text(t, row, "ref")
		p := uri.Split([]byte(ref))
		for c := uri.Scheme; c <= uri.Fragment; c++ {
			if _, asked := row[c.String()]; !asked {
				continue
			}
			want, there := text(t, row, c.String())
			lo, hi, ok := p.Span(c)
			if ok != there || ref[lo:hi] != want {
				t.Errorf("%q: %v is %q, %v; table has %q, %v", ref, c, ref[lo:hi], ok, want, there)
			}
		}
	}
}

func TestAuthorityTable(t *testing.T) {
	for _, row := range rowsOf(t, "authority.public.jsonl") {
		auth, _ := text(t, row, "authority")
		ref := "//" + auth
		p := uri.Split(ref)
		if lo, hi, _ := p.Span(uri.Authority); ref[lo:hi] != auth {
			continue // the text contains a delimiter that ends the authority; the split table covers these
		}
		for key, g := range map[string]uri.Grammar{"uri-2002:authority": uri.URI2002, "rfc3986:authority": uri.RFC3986} {
			var want *bool
			if err := json.Unmarshal(row[key], &want); err != nil || want == nil {
				continue
			}
			if got, _ := uri.Accepts(ref, p, g); (got != 0) != *want {
				t.Errorf("%q: %v is %v, table has %v", auth, key, got != 0, *want)
			}
		}
		for _, key := range []string{"rfc3986:parts", "uri-2002:parts"} {
			if row[key] == nil {
				continue
			}
			var parts map[string]json.RawMessage
			if err := json.Unmarshal(row[key], &parts); err != nil {
				t.Fatal(err)
			}
			for c := uri.Userinfo; c <= uri.Port; c++ {
				want, there := text(t, parts, c.String())
				lo, hi, ok := p.Span(c)
				if ok != there || ref[lo:hi] != want {
					t.Errorf("%q: %v is %q, %v; %s has %q, %v", auth, c, ref[lo:hi], ok, key, want, there)
				}
			}
		}
	}
}
