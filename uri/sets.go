package uri

// Rules has sets of grammars, by rules that programs need which read references in their documents.
// See [Grammar.Rules].
type Rules struct {
	// Lax are the grammars by which a Base may be Lax: "non-validating parsers" (2002, section 5.2)
	// and those that are not "strict" (3986, section 5.2.2). For others Base.Lax does nothing.
	Lax Grammar

	// EmptyIsBase are the grammars by which the target of an empty reference is the base, with
	// its query (3986, section 5.2.2). By the other grammars an empty reference means the
	// current document.
	EmptyIsBase Grammar

	// RequestIsBase are the grammars by which an empty reference is the base where a request
	// always follows, as with FORM action (2002, section 4.2). By 1997, section 3, it is "the URL
	// of the current document" there, too.
	RequestIsBase Grammar

	// PartialNews are the grammars that accept partial forms only "within an article", as
	// references "to a news group or to another article" (1994, "News"). No base but that of an
	// article resolves them.
	PartialNews Grammar

	// LatinEscapes are the grammars by which an escape is the code of a character in ISO Latin 1,
	// not of an octet (1993, "Encoding prohibited characters").
	LatinEscapes Grammar

	// NoQuotes are the grammars that accept no double quote in a reference: 2002, section 2.4.3,
	// and the classes of 1996, 1997 and 3986. 1993 and 1994 have it in "extra".
	NoQuotes Grammar
}

// Rules returns the members of g that have each of the rules. For example,
// g.Newest().Rules().Lax is empty if references that are resolved by g cannot be resolved laxly,
// and Every.Rules().Lax are all grammars by which they can.
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
