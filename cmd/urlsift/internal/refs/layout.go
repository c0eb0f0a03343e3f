package refs

import "github.com/urlsift/urlsift/delimit"

// A WrapLayout says how wrap writes references.
type WrapLayout struct {
	Width  int    // of a line, in bytes; 0 means the default
	Indent int    // blanks at the beginning of each line but the first
	Quote  string // quote prefix of each line
	Prefix bool   // "URL:" in front of each reference
	Bare   bool   // no brackets if a reader needs none
	Text   bool   // wrap the references in a text
}

// DefaultWidth is the width of lines of wrap.
const DefaultWidth = 72

// Wrapping returns l as delimit.WrapOptions.
func (l WrapLayout) Wrapping() delimit.WrapOptions {
	o := delimit.WrapOptions{Width: l.Width, Indent: l.Indent, Quote: l.Quote, Column: len(l.Quote), Prefix: l.Prefix}
	if l.Width == 0 {
		o.Width = DefaultWidth
	}
	if l.Bare {
		o.Form = delimit.Bare
	}
	return o
}

// IsQuote reports whether prefix is a quote prefix, or blanks, and nothing else.
func IsQuote(prefix string) bool { return delimit.QuotePrefix([]byte(prefix)) == len(prefix) }
