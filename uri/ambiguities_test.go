package uri_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// TestAmbiguities checks that this package accepts and rejects the examples in
// fixtures/cases/ambiguities.json as that file decides.
func TestAmbiguities(t *testing.T) {
	file, err := os.ReadFile("../fixtures/cases/ambiguities.json")
	if err != nil {
		t.Fatal(err)
	}
	var entries []struct {
		ID       string
		Grammar  uri.Grammar
		Examples map[string]bool
	}
	if err := json.Unmarshal(file, &entries); err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, e := range entries {
		for ref, want := range e.Examples {
			examples++
			if got, _ := uri.Accepts(ref, uri.Split(ref), e.Grammar); (got != 0) != want {
				t.Errorf("%s: %v: %q is accepted: %v", e.ID, e.Grammar, ref, got != 0)
			}
		}
	}
	if examples < 50 {
		t.Errorf("%d examples", examples)
	}
}
