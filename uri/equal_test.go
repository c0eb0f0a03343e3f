package uri_test

import (
	"encoding/json"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// The results of compare. They are the marks in fixtures/equal.
const (
	equals  = "="
	differs = "!"
	noRule  = "?"
)

// compare returns the result of Equal as a mark.
func compare[A, B uri.Text](a A, b B, g uri.Grammar) (mark string, err error) {
	equal, known, err := uri.Equal(a, b, g)
	switch {
	case equal:
		mark = equals
	case known:
		mark = differs
	default:
		mark = noRule
	}
	if equal && !known {
		mark = "equal, and not known"
	}
	return mark, err
}

// markOf converts a value of the table that is not null.
func markOf(want *bool) string {
	if *want {
		return equals
	}
	return differs
}

func TestEquivalenceTable(t *testing.T) {
	asked := 0
	for _, row := range rowsOf(t, "equivalence.public.jsonl") {
		a, _ := text(t, row, "a")
		b, _ := text(t, row, "b")
		var why map[string]string
		if err := json.Unmarshal(row["why"], &why); err != nil {
			t.Fatal(err)
		}
		for g := range uri.Every.Each() {
			key := g.String()
			if g == uri.RFC3986 {
				key += "-scheme"
			}
			var want *bool
			if err := json.Unmarshal(row[key], &want); err != nil {
				t.Fatal(err)
			}
			got, err := compare(a, b, g)
			if why[key] == "not both (certainly) valid in this grammar" {
				continue // the table has no question, and there may be an error
			}
			asked++
			if want == nil { // the table has no answer; fixtures/equal has our answers
				if got == differs {
					t.Errorf("%v: %q, %q: %v; no document says so (%s)", g, a, b, got, why[key])
				}
			} else if got != markOf(want) || err != nil {
				t.Errorf("%v: %q, %q: %v, %v; table has %v (%s)", g, a, b, got, err, *want, why[key])
			}
			if back, _ := compare([]byte(b), a, g); back != got {
				t.Errorf("%v: %q, %q: %v, and turned round %v", g, a, b, got, back)
			}
		}
		// Only section 6.2.2 of RFC 3986.
		var want *bool
		if err := json.Unmarshal(row["rfc3986-syntax"], &want); err != nil || want == nil {
			continue
		}
		if same := uri.NormalBySyntax(a) == uri.NormalBySyntax(b); same != *want {
			t.Errorf("%q, %q: normal forms by 6.2.2 are %q and %q", a, b, uri.NormalBySyntax(a), uri.NormalBySyntax(b))
		}
	}
	if asked < 300 {
		t.Errorf("the table asks for %d answers only", asked)
	}
}
