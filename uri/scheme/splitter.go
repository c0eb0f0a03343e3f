package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A splitter divides one reference into fields. Its methods are for what several schemes have;
// the table splitters names the function for each scheme.
type splitter struct {
	s   string
	p   uri.Parts
	g   uri.Grammar // a set of one
	out []Field
}

// add appends a field of a kind, or an Undefined one if ok is false.
func (f *splitter) add(name string, kind FieldKind, raw, sep string, ok bool) {
	if !ok {
		kind, raw, sep = Undefined, "", ""
	}
	f.out = append(f.out, Field{Name: name, Kind: kind, Raw: raw, sep: sep})
}

func (f *splitter) literal(name, raw string, ok bool) { f.add(name, Literal, raw, "", ok) }

func (f *splitter) unescaped(name, raw string, ok bool) { f.add(name, Unescaped, raw, "", ok) }

// both adds a field verbatim, and another with its escapes decoded.
func (f *splitter) both(name, raw string, ok bool) {
	f.literal(name, raw, ok)
	f.unescaped(name+"_decoded", raw, ok)
}

// implied adds a field whose value is implied and not in the text.
func (f *splitter) implied(name, text string) {
	f.out = append(f.out, Field{Name: name, Kind: Literal, implied: text})
}

// get returns the text of a component and whether it is defined.
func (f *splitter) get(c uri.Component) (string, bool) {
	lo, hi, ok := f.p.Span(c)
	return f.s[lo:hi], ok
}

// hasAuthority reports whether there is an authority, which may be empty.
func (f *splitter) hasAuthority() bool {
	_, _, ok := f.p.Span(uri.Authority)
	return ok
}

// path returns the path, verbatim.
func (f *splitter) path() string {
	path, _ := f.get(uri.Path)
	return path
}

// inner returns the path without its leading slash, and whether it has one.
func (f *splitter) inner() (string, bool) { return strings.CutPrefix(f.path(), "/") }

// addHost adds host and port.
func (f *splitter) addHost() {
	for _, c := range []uri.Component{uri.Host, uri.Port} {
		text, ok := f.get(c)
		f.literal(c.String(), text, ok)
	}
}

// search adds the query, which the old documents call search.
func (f *splitter) search() {
	text, ok := f.get(uri.Query)
	f.literal("search", text, ok)
}

// words adds the search, and the list of the words in it.
func (f *splitter) words() {
	text, ok := f.get(uri.Query)
	f.search()
	f.add("search_words", Listed, text, "+", ok)
}
