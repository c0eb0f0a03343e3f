package scheme

import (
	"slices"
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A fieldRule says how data becomes the text of a field. The documents call this "mapping
// WAIS, FTP, Prospero and Gopher addresses onto URLs" (1993 and 1994, "Encoding prohibited
// characters").
type fieldRule struct {
	kind FieldKind
	in   uri.Component // the component of the text; 0 if it is written verbatim
	not  string        // bytes that are escaped besides those that the grammar does not allow
	sep  string        // of Listed: the separator of the pieces
}

var fieldRules = map[string]fieldRule{
	"scheme": {Literal, 0, "", ""}, "kind": {Literal, 0, "", ""}, "port": {Literal, 0, "", ""}, "number": {Literal, 0, "", ""},
	"version": {Literal, 0, "", ""}, "length": {Literal, 0, "", ""}, "type": {Literal, 0, "", ""},
	"user": {Literal, uri.Userinfo, "", ""}, "password": {Literal, uri.Userinfo, "", ""},
	"host": {Literal, uri.Host, "", ""}, "cellname": {Literal, uri.Host, "", ""},
	"path": {Literal, uri.Path, "", ""}, "selector": {Literal, uri.Path, "", ""}, "hsoname": {Literal, uri.Path, "", ""},
	"docid": {Literal, uri.Path, "", ""}, "gopher_plus": {Literal, uri.Path, "", ""}, "gtype": {Literal, uri.Path, "/", ""},
	"database": {Literal, uri.Path, "/", ""}, "wtype": {Literal, uri.Path, "/", ""}, "group": {Literal, uri.Path, "/@", ""},
	"address": {Unescaped, uri.Path, "/", ""}, "local": {Unescaped, uri.Path, "/", ""}, "domain": {Unescaped, uri.Path, "/@", ""},
	"addresses":  {Listed, uri.Path, "/,", ","},
	"message_id": {Unescaped, uri.Path, "/", ""}, "content_id": {Unescaped, uri.Path, "/", ""},
	"segments": {Listed, uri.Path, "/", "/"}, "attributes": {Listed, uri.Path, "", nulls},
	"search": {Literal, uri.Query, "", ""}, "search_words": {Listed, uri.Query, "", "+"},
	"fields": {Numbered, uri.Path, ";=", ""},
}

// schemeFields has for each scheme the fields that [NewField] makes.
var schemeFields = map[string][]string{
	"http": {"host", "port", "path", "search", "search_words"}, "https": {"host", "port", "path", "search", "search_words"},
	"ftp": {"user", "password", "host", "port", "path", "segments", "type"}, "file": {"host", "path", "segments"},
	"gopher": {"host", "port", "gtype", "selector", "search", "gopher_plus"},
	"mailto": {"address", "local", "domain", "addresses"}, "mid": {"message_id"}, "cid": {"content_id"},
	"news": {"host", "port", "kind", "group", "message_id"}, "nntp": {"host", "port", "group", "number"},
	"telnet": {"user", "password", "host", "port"}, "rlogin": {"user", "password", "host", "port"}, "tn3270": {"user", "password", "host", "port"},
	"wais":     {"host", "port", "database", "search", "search_words", "wtype", "fields", "length", "docid"},
	"prospero": {"host", "port", "hsoname", "version", "attributes"}, "afs": {"cellname", "path"},
}

// FieldNames returns, in a new slice, the names of the fields that [NewField] makes for scheme,
// which is in lower case. It returns nil if the scheme is not known. In 1993 such a scheme has the
// fields path and search (generic).
func FieldNames(scheme string) []string { return slices.Clone(schemeFields[scheme]) }

// namesOf returns the names of the fields of scheme, which may be unknown.
func namesOf(scheme string) []string {
	if names := schemeFields[scheme]; names != nil {
		return names
	}
	return []string{"path", "search"}
}

// fieldsIn returns the names of the fields that scheme has in g, a set of one.
func fieldsIn(scheme string, g uri.Grammar) []string {
	lacks := func(name string) bool {
		switch scheme + " " + name {
		case "ftp type":
			return g&typedFTP == 0
		case "gopher gopher_plus":
			return g&gopherTabs == 0
		case "mailto addresses":
			return g&mailLists == 0
		case "telnet password", "rlogin password", "tn3270 password":
			return g&loginPassword == 0
		case "wais fields":
			return g&waisByField == 0
		case "wais length", "wais docid":
			return g&waisByField != 0
		}
		return false
	}
	return slices.DeleteFunc(slices.Clone(namesOf(scheme)), lacks)
}

// NewField returns the field of a reference with that scheme, made of data, for
// [AppendFields]. The names are those of [Fields], except for fields that follow from
// others; see [FieldNames]. Data is unescaped. It consists of octets, in 1993 too, where an
// escape is the ISO Latin 1 code of a character; see [uri.AppendData]. It is escaped for
// its place by the newest member of g, or by [uri.Default] if g is empty:
//
//   - path, selector, hsoname, docid, gopher_plus keep their slashes. In 1993 and 1994 a
//     slash that would make an empty segment is escaped: "/foo" becomes "%2Ffoo".
//   - search keeps the delimiters of a query. In a gopher reference it is a part of the
//     path and keeps what a path allows.
//   - segments, search_words, attributes and addresses are lists: each of data is a piece. A
//     delimiter in a piece is escaped, and after 1994 a comma in address, local and domain.
//   - fields (wais) has rows: each of data is a number, "=" and a text.
//   - port, number, version, length, type and kind are written verbatim, and so is a host that
//     begins with '['.
//
// Any other field takes one value. The error is an [*Error]: the scheme has no such field, or
// the field does not have that many values.
func NewField(scheme, name string, g uri.Grammar, data ...string) (Field, error) {
	g = g.Newest()
	if name != "scheme" && !slices.Contains(namesOf(scheme), name) {
		return Field{}, &Error{Reason: NoField, Scheme: scheme, Field: name, Known: fieldsIn(scheme, g)}
	}
	rule := fieldRules[name]
	if name == "search" && scheme == "gopher" && g&gopherTabs != 0 {
		rule.in = uri.Path
	}
	if name == "path" && scheme == "ftp" {
		rule.not = ";" // which may begin a type
	}
	if (name == "address" || name == "local" || name == "domain") && g&mailLists != 0 {
		rule.not += "," // which would end the address
	}
	f := Field{Name: name, Kind: rule.kind, sep: rule.sep}
	var raw []byte
	switch {
	case rule.kind == Numbered:
		for _, row := range data {
			number, text, _ := strings.Cut(row, "=")
			raw = append(append(raw, number...), '=')
			raw = append(appendFieldData(raw, text, rule, g), ';')
		}
	case rule.kind == Listed:
		for i, piece := range data {
			if i > 0 {
				raw = append(raw, rule.sep...)
			}
			if rule.in == uri.Query {
				raw = uri.AppendData(raw, uri.Query, piece, g)
			} else {
				raw = appendFieldData(raw, piece, rule, g)
			}
		}
	case len(data) != 1:
		return Field{}, &Error{Reason: OneValue, Scheme: scheme, Field: name}
	case rule.in == 0 || rule.in == uri.Host && strings.HasPrefix(data[0], "["):
		raw = append(raw, data[0]...)
	case rule.in == uri.Userinfo || rule.in == uri.Host:
		raw = uri.AppendData(raw, rule.in, data[0], g)
	default:
		raw = appendFieldData(raw, data[0], rule, g)
	}
	f.Raw = string(raw)
	return f, nil
}

// appendFieldData appends data of a path or a query. '%' is escaped, and so are the bytes
// that g does not allow there, those of rule.not, and in a path '?' and slashes that the
// forms of single schemes do not allow.
func appendFieldData(dst []byte, data string, rule fieldRule, g uri.Grammar) []byte {
	start, at := len(dst), uri.Path
	if rule.in == uri.Query {
		at = uri.Query
	}
	for i := range len(data) {
		b := data[i]
		keep := strings.IndexByte(rule.not, b) < 0 && allows(b, at, g)
		if at == uri.Path && b == '/' && g&fullSegments != 0 {
			keep = keep && len(dst) > start && dst[len(dst)-1] != '/'
		}
		if keep {
			dst = append(dst, b)
		} else {
			dst = append(dst, '%', digits[b>>4], digits[b&15])
		}
	}
	return dst
}

const digits = "0123456789ABCDEF"

// allows reports whether b may be data of a path or query: g accepts a reference of http that
// contains b there. '%' begins an escape, and '?' and '#' end a path.
func allows(b byte, in uri.Component, g uri.Grammar) bool {
	if b == '%' || b == '#' || b == '?' && in == uri.Path {
		return false
	}
	text := [...]byte{'h', 't', 't', 'p', ':', '/', '/', 'h', '/', 'a', b, 'a'}
	if in == uri.Query {
		text[9] = '?'
	}
	got, _ := uri.Accepts(text[:], uri.Split(text[:]), g)
	return got != 0
}
