package refs

import (
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// In this package run.go, printer.go and report.go do not use packages delimit and uri. What the
// other files return is plain data, so that the printers know no grammar. extract/imports_test.go
// lists the files of the command that may import these packages.

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

// An Answerer answers for single references, as one of the subcommands does.
type Answerer struct {
	Options
	grammar  uri.Grammar
	base     uri.Base // of resolve and relativize
	baseText string   // as it is printed
	buf      []byte   // memory for one text, reused
	unmade   error    // of build: the error, if there is no reference
}

// read returns the reference in text, with the changes that the flags request. Repair
// changes only what the grammar rejects, as the main job does (1996, section 2.3.3: "a
// robust implementation should be prepared to handle those characters").
func (a *Answerer) read(text string) string {
	if a.Typed {
		a.buf = delimit.Typed(a.buf[:0], []byte(text))
		text = string(a.buf)
	}
	if a.Repair {
		if got, _ := uri.Accepts(text, uri.Split(text), a.grammar); got == 0 {
			a.buf = uri.AppendEscaped(a.buf[:0], text, a.grammar)
			text = string(a.buf)
		}
	}
	return text
}

// shown returns text as it is printed: without its password, if that is requested.
func (a *Answerer) shown(text string) string {
	if a.Redact {
		return withoutPassword(text)
	}
	return text
}
