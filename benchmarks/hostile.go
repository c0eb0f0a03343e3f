// Package benchmarks measures urlsift: its parts in Go benchmarks, and the
// command against its peers with the program in compare. README.md tells how.
package benchmarks

import "strings"

// A Hostile is a text made to cost a scanner more than it should: a line that
// is repeated, or a part of one. No reader that takes time in proportion to the
// text is slowed down by it much.
type Hostile struct {
	Name string
	Unit string // what is repeated
	Per  int    // references in a Unit; -1 where that says nothing of the speed
}

// Hostiles are the inputs of BenchmarkHostile.
var Hostiles = []Hostile{
	{"openers", "<", 0},
	{"colons", ":", 0},
	{"quotes", `"`, 0},
	{"parens", "(", 0},
	{"letters", "a", 0},
	{"schemes", "a:", 0},
	{"glued", "http://", -1},
	{"glued-hosts", "http://a/x", -1},
	{"unclosed", "<http://a/\n", 1},
	{"unclosed-quote", "\"http://a/\n", 1},
	{"prefixes", "URL:", -1},
	{"angle-prefixes", "<URL:", -1},
	{"long-runs", "http://a/" + strings.Repeat("x", 8000) + "\n", 1},
	{"too-long-runs", "http://a/" + strings.Repeat("x", 9000) + "\n", 0},
	{"deep-quotes", strings.Repeat("> ", 1000) + "<http://a/\n" + strings.Repeat("> ", 1000) + "b>\n", 1},
	{"breaks", "<http://a/" + strings.Repeat("\nx", 30) + ">\n", 1},
	{"brackets", "http://a/" + strings.Repeat("(", 4000) + "\n", 1},
	{"marks", "http://a/" + strings.Repeat(".,", 2000) + "\n", 1},
	{"escapes", "http://a/" + strings.Repeat("%", 4000) + "\n", -1},
	{"entities", "http://a/" + strings.Repeat("&amp;", 1000) + "\n", -1},
}

// Text returns at least n bytes of h, always whole Units, and their number.
func (h Hostile) Text(n int) (text string, units int) {
	units = (n + len(h.Unit) - 1) / len(h.Unit)
	return strings.Repeat(h.Unit, units), units
}
