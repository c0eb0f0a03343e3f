package uri

import (
	"iter"
	"math/bits"
	"strings"
)

// A Grammar is a set of syntax definitions, one bit for each. Sets are written
// with |, as in URL1997|RFC3986. The zero Grammar is the empty set, which accepts
// nothing.
type Grammar uint16

// The grammars, oldest first. The package comment says how they differ.
const (
	URL1993 Grammar = 1 << iota // July 1993, draft of the IETF URL working group
	URL1994                     // early 1994, its draft 03
	URL1996                     // December 1996, draft-fielding-url-syntax-02 as amended
	URL1997                     // May 1997, draft-fielding-url-syntax-05
	URI2002                     // October 2002, draft-fielding-uri-rfc2396bis-00
	RFC3986                     // January 2005, RFC 3986

	nextGrammar // the first bit without a grammar

	// Every is the set of all grammars.
	Every = nextGrammar - 1
)

// grammars is the list of all grammars, in the order of their bits. Names, their
// parsing and the titles come from here; what each grammar accepts is in rules.go.
var grammars = [...]struct {
	name  string // as [Grammar.String] returns it and [Grammar.UnmarshalText] reads it
	title string // the document and its date
}{
	{"url-1993", "draft of the IETF URL working group, July 1993"},
	{"url-1994", "draft 03 of the IETF URL working group, early 1994"},
	{"url-1996", "draft-fielding-url-syntax-02 as amended, December 1996"},
	{"url-1997", "draft-fielding-url-syntax-05, May 1997"},
	{"uri-2002", "draft-fielding-uri-rfc2396bis-00, October 2002"},
	{"rfc3986", "RFC 3986, January 2005"},
}

// This fails to compile unless each constant has an entry in the list.
var _ = [1]struct{}{}[nextGrammar-1<<len(grammars)]

// Default is the newest of the drafts. Functions that resolve, normalize or build
// use it if they are given the empty set; with the empty set Accepts, Explain and
// Parse accept nothing.
const Default = URI2002

// newest returns the set of the newest member of g, or of [Default] if g is empty.
func (g Grammar) newest() Grammar {
	if g &= Every; g == 0 {
		return Default
	}
	return 1 << (bits.Len16(uint16(g)) - 1)
}

// Each returns an iterator over the members of g, oldest first, each as a set of
// one. The sequence may be ranged over more than once.
func (g Grammar) Each() iter.Seq[Grammar] {
	return func(yield func(Grammar) bool) {
		for g := g & Every; g != 0; g &= g - 1 { // one iteration for each bit
			if !yield(g & -g) {
				return
			}
		}
	}
}

// String returns the names of the members, oldest first, joined with '+', for
// example "url-1997+rfc3986". For the empty set it returns "none".
func (g Grammar) String() string {
	if g&Every == 0 {
		return "none"
	}
	return g.join("+", func(i int) string { return grammars[i].name })
}

// Title returns the titles and dates of the members' documents, oldest first,
// joined with "; ". For the empty set it returns "".
func (g Grammar) Title() string {
	return g.join("; ", func(i int) string { return grammars[i].title })
}

// join returns what of returns for each member's index in the list, joined with
// sep.
func (g Grammar) join(sep string, of func(int) string) string {
	var all []string
	for one := range g.Each() {
		all = append(all, of(bits.TrailingZeros16(uint16(one))))
	}
	return strings.Join(all, sep)
}

// MarshalText returns the text of [Grammar.String] in a new slice. The error is
// always nil.
func (g Grammar) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText sets g to the set that list names, as [Grammar.String] writes it.
// Names may be separated by commas, too, and "all" is the name of [Every]. It
// keeps nothing of list. If list has no name, or one that is not known, it returns
// an error and leaves g unchanged.
func (g *Grammar) UnmarshalText(list []byte) error {
	var set Grammar
	words := strings.FieldsFunc(string(list), func(r rune) bool { return r == '+' || r == ',' })
	if len(words) == 0 {
		words = []string{""}
	}
	for _, word := range words { // at most one for each byte of list
		one, ok := grammarNamed(word)
		if !ok {
			return &nameError{"grammar", word, grammarNames()}
		}
		set |= one
	}
	*g = set
	return nil
}

// grammarNamed returns the set with the given name.
func grammarNamed(name string) (Grammar, bool) {
	switch name {
	case "all":
		return Every, true
	case "none":
		return 0, true
	}
	for i := range grammars {
		if grammars[i].name == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// grammarNames returns the names of all grammars, oldest first.
func grammarNames() (names []string) {
	for i := range grammars {
		names = append(names, grammars[i].name)
	}
	return names
}
