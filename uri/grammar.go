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

// Each constant has an entry in the list: with one too many or too few, the index below is not
// 0, and this does not compile.
var _ = [1]struct{}{}[nextGrammar-1<<len(grammars)]

// Default is the newest document before RFC 3986. Functions that resolve, normalize or build
// use it if they are given the empty set; with the empty set Accepts, Explain and
// Parse accept nothing.
const Default = URI2002

// Newest returns the newest member of g, as a set of one. Functions that take a set to resolve,
// normalize or build references use the rules of the newest member. The newest member of the empty
// set is [Default].
func (g Grammar) Newest() Grammar {
	if g &= Every; g == 0 {
		return Default
	}
	return 1 << (bits.Len16(uint16(g)) - 1)
}

// Each returns an iterator over the members of g, oldest first, each as a set of
// one. The sequence may be ranged over more than once.
func (g Grammar) Each() iter.Seq[Grammar] {
	return func(yield func(Grammar) bool) {
		for g := g & Every; g != 0; g &= g - 1 {
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

// join calls of with the index of each member in grammars, and returns the results
// joined with sep.
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

// Rules has a field for each of some rules: the set of the grammars in which it holds. Programs
// that find references in documents need them. See [Grammar.Rules].
type Rules struct {
	// Lax are the grammars that permit Base.Lax: 2002 (section 5.2) permits it to "non-validating
	// parsers", 3986 (section 5.2.2) to parsers that are not "strict". By other grammars Base.Lax
	// has no effect.
	Lax Grammar

	// EmptyIsBase are the grammars by which the target of an empty reference is the base, with
	// its query (3986, section 5.2.2). By the other grammars an empty reference means the
	// current document.
	EmptyIsBase Grammar

	// RequestIsBase are the grammars by which the target of an empty reference is the base where a
	// request always follows, as with FORM action (2002, section 4.2). By 1997, section 3, it is
	// "the URL of the current document" there, too.
	RequestIsBase Grammar

	// PartialNews are the grammars that accept partial forms only "within an article", as
	// references "to a news group or to another article" (1994, "News"). Only the base of an
	// article resolves them.
	PartialNews Grammar

	// LatinEscapes are the grammars by which an escape is the code of a character in ISO Latin 1,
	// not of an octet (1993, "Encoding prohibited characters").
	LatinEscapes Grammar

	// NoQuotes are the grammars that accept no double quote in a reference: 2002, section 2.4.3,
	// and the classes of 1996, 1997 and 3986. 1993 and 1994 have it in "extra".
	NoQuotes Grammar
}

// Rules returns for each rule the members of g in which it holds. For example, Every.Rules().Lax
// has all grammars that allow lax resolution, and g.Newest().Rules().Lax is empty if the grammar
// that resolves for g does not allow it.
func (g Grammar) Rules() Rules {
	return Rules{
		Lax:           g & laxGrammars,
		EmptyIsBase:   g & emptyIsBase,
		RequestIsBase: g & requestIsBase,
		PartialNews:   g & partialNews,
		LatinEscapes:  g & latinEscapes,
		NoQuotes:      g & noQuotes,
	}
}

// These sets are fields of [Rules], which says what they mean.
const (
	laxGrammars   = URI2002 | RFC3986
	emptyIsBase   = RFC3986
	requestIsBase = URI2002 | emptyIsBase
	partialNews   = URL1994
	latinEscapes  = URL1993
	noQuotes      = URL1996 | URL1997 | URI2002 | RFC3986
)

// A nameError is the error for a word that is not in a list of names.
type nameError struct {
	what, got string
	known     []string
}

func (e *nameError) Error() string {
	return "uri: no " + e.what + " is called \"" + e.got + "\" (there are " + strings.Join(e.known, ", ") + ")"
}
