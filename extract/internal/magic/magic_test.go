package magic_test

import (
	"testing"

	"github.com/urlsift/urlsift/extract/internal/magic"
)

// look is a Decide. It recognises "X", an even number of '1', and then another character.
func look(head []byte, whole bool) (string, bool) {
	n := 1
	for n < len(head) && head[n] == '1' {
		n++
	}
	switch {
	case n < len(head) && n%2 == 1:
		return "ones", false
	case n == len(head):
		return "", true
	}
	return "", false
}

func TestMatch(t *testing.T) {
	table := magic.NewNumbers([]magic.Number[string]{
		{Head: "AB", Is: "short"}, {Head: "ACDE", Is: "long"}, {Head: "X", Decide: look}, {Head: "X12", Is: "after look"},
	})
	for _, c := range []struct {
		head  string
		whole bool
		is    string
		wait  bool
	}{
		{"", false, "", true}, {"", true, "", false}, {"A", false, "", true}, {"A", true, "", false},
		{"AB", false, "short", false}, {"ABxyz", false, "short", false}, {"AC", false, "", true}, {"ACDx", false, "", false},
		{"ACDE", true, "long", false}, {"B", false, "", false}, {"X", false, "", true}, {"X", true, "", false},
		{"X1", false, "", true}, {"X11", false, "", true}, {"X11x", false, "ones", false}, {"X12", false, "after look", false},
		{"X1x", false, "", false},
	} {
		if is, wait := table.Match([]byte(c.head), c.whole); is != c.is || wait != c.wait {
			t.Errorf("%q, %v: %q, %v, want %q, %v", c.head, c.whole, is, wait, c.is, c.wait)
		}
	}
}
