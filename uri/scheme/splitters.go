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

// [Fields] lists the fields with the sections of the documents. The function of each scheme scans
// the text a fixed number of times.

func splitHTTP(f *splitter) {
	f.addHost()
	path, ok := f.inner()
	f.literal("path", path, ok)
	f.words()
}

// splitFTP splits ftp://user:password@host:port/segments;type=code. Without a user,
// effective_user is "anonymous".
func splitFTP(f *splitter) {
	user, password, has := uri.Account(f.s, f.p)
	f.literal("user", user, has > 0)
	f.literal("password", password, has > 1)
	f.addHost()
	if has > 0 {
		f.literal("effective_user", user, true)
	} else {
		f.implied("effective_user", "anonymous")
	}
	path, ok := f.inner()
	if f.g&typedFTP != 0 {
		name, code, typed := cutLast(path, ";type=")
		path = name
		f.literal("type", code, typed)
		f.out = append(f.out, Field{Name: "directory", Kind: Flag, set: ok && !typed && (path == "" || path[len(path)-1] == '/')})
	}
	f.literal("path", path, ok)
	f.add("segments", Listed, path, "/", ok)
}

func splitFile(f *splitter) {
	host, ok := f.get(uri.Host)
	f.literal("host", host, ok)
	path, ok := f.inner()
	f.literal("path", path, ok)
	f.add("segments", Listed, path, "/", ok)
}

// splitGopher splits gopher://host:port/ followed by a type of one character and a selector. By
// the grammars of gopherTabs, a search follows a TAB (%09), and the string of Gopher+ follows a
// second TAB. By the other grammars, a search is in the query.
func splitGopher(f *splitter) {
	f.addHost()
	path, ok := f.inner()
	n := 0 // length of the type, which is one character or one escape
	switch ok = ok && path != ""; {
	case escapeAt(path, 0):
		n = 3
	case ok:
		n = 1
	}
	selector := path[n:]
	f.literal("gtype", path[:n], ok)
	if f.g&gopherTabs == 0 {
		if ok {
			f.literal("effective_type", path[:n], true)
		} else {
			f.implied("effective_type", "1")
		}
		f.literal("selector", selector, ok)
		f.unescaped("selector_decoded", selector, true)
		f.search()
		search, _ := f.get(uri.Query)
		addRequest(f, selector, search)
		return
	}
	selector, rest, hasSearch := strings.Cut(selector, tabs)
	search, plus, hasPlus := strings.Cut(rest, tabs)
	if query, asked := f.get(uri.Query); asked && !hasSearch { // newer software writes the search there
		search, hasSearch = query, true
	}
	f.both("selector", selector, ok)
	f.both("search", search, hasSearch)
	f.both("gopher_plus", plus, hasPlus)
	addRequest(f, selector, search, plus)
}

// addRequest adds the line that a client sends: the parts that are not empty, separated
// by tabs. A Gopher+ string with the answers to a form has line ends of its own (1994,
// "Gopher").
func addRequest(f *splitter, selector string, more ...string) {
	line := unescaped(selector)
	for _, s := range more {
		if s != "" {
			line += "\t" + unescaped(s)
		}
	}
	if !strings.HasSuffix(line, "\r\n") {
		line += "\r\n"
	}
	f.out = append(f.out, Field{Name: "gopher_request", Kind: Unescaped, implied: line})
}

// splitMailto splits mailto:address. By the grammars of mailLists there may be several addresses.
func splitMailto(f *splitter) {
	address := f.path()
	local, domain, ok := cutLast(address, "@")
	one := f.g&mailLists == 0 || strings.IndexByte(address, ',') < 0
	f.unescaped("address", address, one)
	f.unescaped("local", local, one)
	f.unescaped("domain", domain, ok && one)
	if f.g&mailLists != 0 {
		f.add("addresses", Listed, address, ",", address != "")
	}
}

func splitMid(f *splitter) { f.unescaped("message_id", f.path(), true) }
func splitCid(f *splitter) { f.unescaped("content_id", f.path(), true) }

// splitNews distinguishes articles, which have an '@', from groups (1993 and 1994, "News").
func splitNews(f *splitter) {
	name := f.path()
	if f.hasAuthority() { // later documents have this
		f.addHost()
		name, _ = f.inner()
	}
	switch {
	case name == "*":
		f.implied("kind", "all")
	case strings.IndexByte(name, '@') >= 0:
		f.implied("kind", "article")
		f.unescaped("message_id", name, true)
	default:
		f.implied("kind", "group")
		f.literal("group", name, true)
	}
}

// splitNNTP accepts a server, which only the prose of the document allows, not its BNF.
func splitNNTP(f *splitter) {
	name := f.path()
	if f.hasAuthority() {
		f.addHost()
		name, _ = f.inner()
	}
	group, number, ok := strings.Cut(name, "/")
	f.literal("group", group, true)
	f.literal("number", number, ok)
}

func splitLogin(f *splitter) {
	if f.g&loginPassword == 0 { // "[ user @ ]", and user may have colons (xalphas)
		user, ok := f.get(uri.Userinfo)
		f.literal("user", user, ok)
	} else {
		user, password, has := uri.Account(f.s, f.p)
		f.literal("user", user, has > 0)
		f.literal("password", password, has > 1)
	}
	f.addHost()
}

// splitWAIS distinguishes documents, which have a slash after the database, from indexes.
func splitWAIS(f *splitter) {
	path, ok := f.inner()
	database, rest, isDoc := strings.Cut(path, "/")
	if isDoc {
		f.implied("kind", "doc")
	} else {
		f.implied("kind", "index")
	}
	f.addHost()
	f.literal("database", database, ok)
	if !isDoc {
		f.words()
		return
	}
	wtype, rest, ok := strings.Cut(rest, "/")
	f.literal("wtype", wtype, true)
	if f.g&waisByField != 0 {
		f.add("fields", Numbered, rest, "", ok)
		return
	}
	length, id, hasID := strings.Cut(rest, "/")
	f.literal("length", length, ok)
	f.both("docid", id, hasID)
}

// splitProspero cuts the fields at escaped nulls. The version may be empty (1993).
func splitProspero(f *splitter) {
	f.addHost()
	path, ok := f.inner()
	name, rest, hasVersion := strings.Cut(path, nulls)
	version, attributes, _ := strings.Cut(rest, nulls)
	f.both("hsoname", name, ok)
	f.literal("version", version, hasVersion)
	f.add("attributes", Listed, attributes, nulls, true)
}

func splitAFS(f *splitter) {
	cell, ok := f.get(uri.Host)
	f.literal("cellname", cell, ok)
	path, ok := f.inner()
	f.literal("path", path, ok)
}

// cutLast is strings.Cut at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
