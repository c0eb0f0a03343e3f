// Package refs has the subcommands for single references, which split, resolve, normalize
// and compare them. Package uri gives the answers; this package prints them.
//
//	status, err := refs.Run(refs.Options{Do: refs.Parse, Refs: []string{"http://a.example/"}})
//	status, err := refs.Compare(refs.Options{Refs: []string{"http://a.example", "HTTP://A.EXAMPLE/"}})
//
// The path of a reference: run.go ─► lines.go (from standard input) ─► answerer.go (the
// answer, plain data) ─► printer.go (as a record) or report.go (as parse prints it for
// people). The printers know no grammar. wrap --text copies a text (rewrap.go).
//
// Each reference is answered before the next one is read. A line is at most [LongestLine]
// bytes long.
package refs

import (
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// Grammars are the names of all grammars, the words of --grammar.
var Grammars = func() (names []string) {
	for g := range uri.Every.Each() {
		names = append(names, g.String())
	}
	return names
}()

// A Command is one of the subcommands that answer for references with a record each.
type Command uint8

const (
	Parse      Command = iota // the components, and which grammars accept the reference
	Resolve                   // the target, from a base
	Normalize                 // the normal form
	Relativize                // the shortest reference to it from a base
	Wrap                      // the reference as text that a reader finds again
	Build                     // a reference made of the fields of its scheme
)

// commandNames are the names of the commands that have a base.
var commandNames = map[Command]string{Resolve: "resolve", Relativize: "relativize"}

// Options say what the answers are, and how they are printed.
type Options struct {
	Do      Command
	Refs    []string    // none means the lines of standard input
	Grammar uri.Grammar // 0 means uri.Default
	Base    string      // of Resolve and Relativize
	Excess  uri.Excess
	Lax     bool
	Typed   bool // references are as people type them
	Repair  bool // bytes that no reference can hold are escaped
	Layout  WrapLayout

	Format output.Format
	Redact bool
	Guard  bool // cells of tables are no formulas
}

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
