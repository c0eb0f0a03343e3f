package uri_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// target is the result of one resolution in a table: a string, an object, or null if the
// table has none.
type target struct {
	URL      *string
	Current  bool    `json:"current_document"`
	Fragment *string `json:"fragment"`
	Error    string  `json:"error"`
}

// targetOf reads a cell; ok is false if it is null.
func targetOf(t testing.TB, cell json.RawMessage) (want target, ok bool) {
	t.Helper()
	if len(cell) == 0 || string(cell) == "null" {
		return want, false
	}
	var err error
	if cell[0] == '"' {
		err = json.Unmarshal(cell, &want.URL)
	} else {
		err = json.Unmarshal(cell, &want)
	}
	if err != nil {
		t.Fatalf("%s: %v", cell, err)
	}
	return want, true
}

// check resolves ref and compares.
func check(t *testing.T, base uri.Base, g uri.Grammar, ref string, want target) {
	t.Helper()
	p := uri.Split(ref)
	got, err := uri.AppendTarget([]byte("dst "), base, ref, p)
	if len(got) < 4 || string(got[:4]) != "dst " {
		t.Fatalf("%q: dst has become %q", ref, got)
	}
	got = got[4:]
	var bad *uri.Error
	switch {
	case want.Error != "":
		if !errors.As(err, &bad) || bad.Reason != "excess \"..\"" || len(got) != 0 {
			t.Errorf("%v: %q by %q (%v, lax %v): %q, %v; table has error %q", g, base.Ref(), ref, base.Excess, base.Lax, got, err, want.Error)
		}
	case err != nil:
		t.Errorf("%v: %q by %q (%v, lax %v): %v", g, base.Ref(), ref, base.Excess, base.Lax, err)
	case want.Current:
		if len(got) != 0 || !uri.SameDocument(base, ref, p) {
			t.Errorf("%v: %q by %q (lax %v): %q; table has the current document", g, base.Ref(), ref, base.Lax, got)
		}
	case string(got) != *want.URL:
		t.Errorf("%v: %q by %q (%v, lax %v): %q; table has %q", g, base.Ref(), ref, base.Excess, base.Lax, got, *want.URL)
	}
}

// baseOf makes a base even if the grammar rejects it, as the tables do.
func baseOf(t *testing.T, s string, g uri.Grammar) (uri.Base, bool) {
	t.Helper()
	r, err := uri.Parse(s, uri.Every)
	if err != nil {
		t.Errorf("base %q: %v", s, err)
		return uri.Base{}, false
	}
	b, err := uri.NewBase(r, g)
	if err != nil {
		t.Errorf("base %q: %v", s, err)
		return uri.Base{}, false
	}
	return b, true
}

func TestResolutionTable(t *testing.T) {
	asked := 0
	defer func() {
		if asked < 4000 {
			t.Errorf("the table asks for %d targets only", asked)
		}
	}()
	for _, row := range rowsOf(t, "resolution.public.jsonl") {
		s, _ := text(t, row, "base")
		ref, _ := text(t, row, "ref")
		for _, g := range []uri.Grammar{uri.URL1993, uri.URL1996, uri.URL1997} {
			if want, ok := targetOf(t, row[g.String()]); ok {
				if b, ok := baseOf(t, s, g); ok {
					asked++
					check(t, b, g, ref, want)
				}
			}
		}
		var cells map[string]map[string]json.RawMessage
		if err := json.Unmarshal(row["uri-2002"], &cells); err == nil && cells != nil {
			if b, ok := baseOf(t, s, uri.URI2002); ok {
				for mode, byExcess := range cells {
					b.Lax = mode == "non-validating"
					for x := uri.Retain; x <= uri.RaiseError; x++ {
						b.Excess = x
						if want, ok := targetOf(t, byExcess[x.String()]); ok {
							asked++
							check(t, b, uri.URI2002, ref, want)
						}
					}
				}
			}
		}
		var cell map[string]json.RawMessage
		if err := json.Unmarshal(row["rfc3986"], &cell); err != nil || cell == nil {
			continue
		}
		b, ok := baseOf(t, s, uri.RFC3986)
		if !ok {
			continue
		}
		for mode, lax := range map[string]bool{"strict": false, "non-strict": true} {
			b.Lax = lax
			if want, ok := targetOf(t, cell[mode]); ok {
				asked++
				check(t, b, uri.RFC3986, ref, want)
			}
		}
		b.Lax = false
		var same *bool
		if err := json.Unmarshal(cell["same_document"], &same); err == nil && same != nil {
			if got := uri.SameDocument(b, ref, uri.Split(ref)); got != *same {
				t.Errorf("rfc3986: %q by %q: same document is %v, table has %v", s, ref, got, *same)
			}
		}
	}
}

// TestPrintedExamples checks the examples that the documents print.
func TestPrintedExamples(t *testing.T) {
	for name, g := range map[string]uri.Grammar{
		"appendix_c_1997": uri.URL1997, "appendix_c_2002": uri.URI2002, "rfc3986_5_4": uri.RFC3986,
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range rowsOf(t, name+".public.jsonl") {
				s, _ := text(t, row, "base")
				ref, _ := text(t, row, "ref")
				b, ok := baseOf(t, s, g)
				if !ok {
					continue
				}
				if x, ok := text(t, row, "excess"); ok {
					if err := b.Excess.UnmarshalText([]byte(x)); err != nil {
						t.Error(err)
					}
				}
				mode, _ := text(t, row, "mode")
				b.Lax = mode == "non-validating" || mode == "non-strict"
				if want, ok := targetOf(t, row["expected"]); ok {
					check(t, b, g, ref, want)
				}
			}
		})
	}
}
