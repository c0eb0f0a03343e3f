package follow

import (
	"slices"
	"testing"
)

// TestReported checks when Open reports an error: at once in the first round, later only after two
// rounds in a row with the error, and again if it returns after a round without it.
func TestReported(t *testing.T) {
	reported := NewReported()
	round := func(name string, want bool, some ...string) {
		t.Helper()
		got := false
		for _, message := range some {
			got = reported.Open(message) || got
		}
		if reported.EndRound(); got != want {
			t.Errorf("%s: reported: %v", name, got)
		}
	}
	round("the first round", true, "a", "a")
	round("again", false, "a")
	round("a new one", false, "a", "b")
	round("the second time", true, "a", "b")
	round("the third time", false, "a", "b")
	round("gone", false)
	round("for a moment", false, "a")
	round("for longer", true, "a")
	if !reported.Read("x") || reported.Read("x") {
		t.Error("an error of reading is not reported once")
	}
}

// TestReduced checks that paths below other paths are left out.
func TestReduced(t *testing.T) {
	c := Changes{Paths: []string{"./in/a/b", "./in/a", "other/x", "in2/a"}}.reduced()
	if want := []string{"./in/a", "other/x", "in2/a"}; !slices.Equal(c.Paths, want) {
		t.Errorf("%q, not %q", c.Paths, want)
	}
}
