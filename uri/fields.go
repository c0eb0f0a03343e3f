package uri

import "strings"

// nulls parts the fields of prospero, and tabs those of gopher: octets that
// cannot stand for themselves in a reference.
const (
	nulls = "%00"
	tabs  = "%09"
)

// Fields returns the parts that the scheme of s, split as p, gives to its
// references, in the order of the text as far as it has one, or nil if s has no
// scheme or the scheme is not known. g says whose parts: those of the newest
// member. Documents later than 1994 define none, and so what 1994 says stands for
// them too, in any case of the scheme, and the same of https. The sections are
// those of 1994, or of 1993 under the same name:
//
//   - http ("HTTP"): host, port, path without its slash, search, search_words.
//   - ftp ("FTP"): user, password, host, port, effective_user, which is
//     "anonymous" if there is none; type and directory (1994, "Data type"); path
//     without slash and type; segments, the arguments of CWD, and last that of
//     RETR or NLIST.
//   - file: host, path, segments. No document has it; it is ftp's without a user.
//   - gopher ("Gopher"): host, port; gtype, selector, search, gopher_plus, and
//     the last three with _decoded; gopher_request, what a client sends. In 1993
//     there is no gopher_plus, and effective_type is gtype or its default.
//   - mailto ("Mailto"): address, and its local part and domain.
//   - mid, cid: message_id, content_id.
//   - news ("News"): kind is "all", "group" or "article", then group or
//     message_id.
//   - nntp ("NNTP"): group and number. If there is a server, host and port too.
//   - telnet, rlogin, tn3270 ("Telnet, rlogin, tn3270"): user, password (not in
//     1993), host, port.
//   - wais ("WAIS"): kind; host, port, database; of an "index" search and
//     search_words; of a "doc" wtype and the numbered fields, or in 1993 length
//     and docid.
//   - prospero ("Prospero"): host, port, hsoname, hsoname_decoded, version,
//     attributes.
//   - afs (1993): cellname, path.
//   - any other scheme in 1993, generic: path and search.
//
// The scheme comes first, and before it, in 1994, whether "URL:" stands before the
// whole (prefixed). Names and kinds are an interface: programs read them.
//
// What a client would send is not thereby fit to be sent: an escaped line end makes
// a second command of what follows it (see [Warnings]).
//
// Fields does not ask whether g takes s. Of a text that it does not take, some
// fields may be Undefined or hold what should not be there.
func Fields[T Text](s T, p Parts, g Grammar) []Field {
	q := p.open()
	if len(s) > MaxLen || q.scheme == 0 {
		return nil
	}
	f := fielder{s: string(s), p: q, g: g.newest()}
	if f.g&prefixes != 0 {
		prefixed := strings.EqualFold(f.s[:q.scheme], "url")
		if prefixed {
			f.s = f.s[q.schemeEnd():]
			f.p = split(f.s)
		}
		f.out = append(f.out, Field{Name: "prefixed", Kind: Flag, set: prefixed})
	}
	scheme := f.s[:f.p.scheme]
	f.literal("scheme", scheme, true)
	if f.g&lowerSchemes == 0 {
		scheme = strings.ToLower(scheme)
	}
	if make, ok := fielders[scheme]; ok {
		make(&f)
	} else if f.g&genericFields != 0 {
		f.literal("path", f.path(), true)
		f.search()
	} else {
		return nil
	}
	return f.out
}

// fielders has what makes the fields of each scheme.
var fielders = map[string]func(*fielder){
	"http": (*fielder).http, "https": (*fielder).http, "ftp": (*fielder).ftp, "file": (*fielder).file,
	"gopher": (*fielder).gopher, "mailto": (*fielder).mailto, "mid": (*fielder).mid, "cid": (*fielder).cid,
	"news": (*fielder).news, "nntp": (*fielder).nntp, "wais": (*fielder).wais, "prospero": (*fielder).prospero,
	"telnet": (*fielder).login, "rlogin": (*fielder).login, "tn3270": (*fielder).login, "afs": (*fielder).afs,
}

// A fielder is a reference whose fields are being made.
type fielder struct {
	s   string
	p   parts
	g   Grammar // one
	out []Field
}

// The shapes of fields. What is not there is Undefined, whatever its kind.

func (f *fielder) add(name string, kind FieldKind, raw, sep string, ok bool) {
	if !ok {
		kind, raw, sep = Undefined, "", ""
	}
	f.out = append(f.out, Field{Name: name, Kind: kind, Raw: raw, sep: sep})
}

func (f *fielder) literal(name, raw string, ok bool)   { f.add(name, Literal, raw, "", ok) }
func (f *fielder) unescaped(name, raw string, ok bool) { f.add(name, Unescaped, raw, "", ok) }

// both adds a field as it stands, and with its escapes undone.
func (f *fielder) both(name, raw string, ok bool) {
	f.literal(name, raw, ok)
	f.unescaped(name+"_decoded", raw, ok)
}

// said adds what is not in the text.
func (f *fielder) said(name, text string) {
	f.out = append(f.out, Field{Name: name, Kind: Literal, is: text})
}

// get returns a component.
func (f *fielder) get(c Component) (string, bool) {
	lo, hi, ok := f.p.Span(c)
	return f.s[lo:hi], ok
}

// path returns the path as it stands.
func (f *fielder) path() string {
	path, _ := f.get(Path)
	return path
}

// inner returns the path behind the slash that parts it from an authority, and
// whether there is that slash.
func (f *fielder) inner() (string, bool) { return strings.CutPrefix(f.path(), "/") }

// place adds host and port.
func (f *fielder) place() {
	for _, c := range []Component{Host, Port} {
		text, ok := f.get(c)
		f.literal(c.String(), text, ok)
	}
}

// search adds what stands behind the '?'.
func (f *fielder) search() {
	text, ok := f.get(Query)
	f.literal("search", text, ok)
}

// words adds the search and the words in it.
func (f *fielder) words() {
	text, ok := f.get(Query)
	f.search()
	f.add("search_words", Listed, text, "+", ok)
}
