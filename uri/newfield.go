package uri

import (
	"slices"
	"strings"
)

// Fields made of data, for [AppendFields].

// A fieldRule says how data becomes the text of a field: by the method of the documents for
// "mapping WAIS, FTP, Prospero and Gopher addresses onto URLs" (1993 and 1994, "Encoding
// prohibited characters").
type fieldRule struct {
	kind FieldKind
	in   Component // where the text goes; 0 if it is written verbatim
	not  string    // bytes that are escaped besides those that the grammar does not allow
	sep  string    // of Listed: between pieces
}

var fieldRules = map[string]fieldRule{
	"scheme": {Literal, 0, "", ""}, "kind": {Literal, 0, "", ""}, "port": {Literal, 0, "", ""}, "number": {Literal, 0, "", ""},
	"version": {Literal, 0, "", ""}, "length": {Literal, 0, "", ""}, "type": {Literal, 0, "", ""},
	"user": {Literal, Userinfo, "", ""}, "password": {Literal, Userinfo, "", ""},
	"host": {Literal, Host, "", ""}, "cellname": {Literal, Host, "", ""},
	"path": {Literal, Path, "", ""}, "selector": {Literal, Path, "", ""}, "hsoname": {Literal, Path, "", ""},
	"docid": {Literal, Path, "", ""}, "gopher_plus": {Literal, Path, "", ""}, "gtype": {Literal, Path, "/", ""},
	"database": {Literal, Path, "/", ""}, "wtype": {Literal, Path, "/", ""}, "group": {Literal, Path, "/@", ""},
	"address": {Unescaped, Path, "/", ""}, "local": {Unescaped, Path, "/", ""}, "domain": {Unescaped, Path, "/@", ""},
	"message_id": {Unescaped, Path, "/", ""}, "content_id": {Unescaped, Path, "/", ""},
	"segments": {Listed, Path, "/", "/"}, "attributes": {Listed, Path, "", nulls},
	"search": {Literal, Query, "", ""}, "search_words": {Listed, Query, "", "+"},
	"fields": {Numbered, Path, ";=", ""},
}

// schemeFields has for each scheme the fields that [NewField] makes.
var schemeFields = map[string][]string{
	"http": {"host", "port", "path", "search", "search_words"}, "https": {"host", "port", "path", "search", "search_words"},
	"ftp": {"user", "password", "host", "port", "path", "segments", "type"}, "file": {"host", "path", "segments"},
	"gopher": {"host", "port", "gtype", "selector", "search", "gopher_plus"},
	"mailto": {"address", "local", "domain"}, "mid": {"message_id"}, "cid": {"content_id"},
	"news": {"host", "port", "kind", "group", "message_id"}, "nntp": {"host", "port", "group", "number"},
	"telnet": {"user", "password", "host", "port"}, "rlogin": {"user", "password", "host", "port"}, "tn3270": {"user", "password", "host", "port"},
	"wais":     {"host", "port", "database", "search", "search_words", "wtype", "fields", "length", "docid"},
	"prospero": {"host", "port", "hsoname", "version", "attributes"}, "afs": {"cellname", "path"},
}

// FieldNames returns the names of the fields of scheme, in lower case, that [NewField] makes,
// in a new slice, or nil if the scheme is not known. Other schemes have path and search in
// 1993 (generic).
func FieldNames(scheme string) []string { return slices.Clone(schemeFields[scheme]) }

// NewField returns the field of a reference with that scheme, made of data, for
// [AppendFields]. The names are those of [Fields] without what follows from others; see
// [FieldNames]. Data is unescaped. It is escaped for its place by the newest member of g, or
// by [Default] if g is empty:
//
//   - path, selector, hsoname, docid, gopher_plus keep their slashes. In 1993 and 1994 a
//     slash that would make an empty segment is escaped: "/foo" becomes "%2Ffoo".
//   - search keeps the delimiters of a query; in a gopher reference, where it is a part of
//     the path, what the path allows.
//   - segments, search_words and attributes are lists with one piece for each of data. A
//     delimiter in a piece is escaped.
//   - fields (wais) has rows: each of data is a number, "=" and a text.
//   - port, number, version, length, type and kind are written verbatim, and so is a host that
//     begins with '['.
//
// Any other field takes one value. The error says that scheme has no such field, or not that
// many values.
func NewField(scheme, name string, g Grammar, data ...string) (Field, error) {
	names := schemeFields[scheme]
	if names == nil {
		names = []string{"path", "search"}
	}
	if name != "scheme" && !slices.Contains(names, name) {
		return Field{}, &nameError{"field of " + scheme, name, names}
	}
	g = g.newest()
	rule := fieldRules[name]
	if name == "search" && scheme == "gopher" && g&gopherTabs != 0 {
		rule.in = Path
	}
	if name == "path" && scheme == "ftp" {
		rule.not = ";" // which may begin a type
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
			if rule.in == Query {
				raw = AppendData(raw, Query, piece, g)
			} else {
				raw = appendFieldData(raw, piece, rule, g)
			}
		}
	case len(data) != 1:
		return Field{}, &valuesError{scheme, name}
	case rule.in == 0 || rule.in == Host && strings.HasPrefix(data[0], "["):
		raw = append(raw, data[0]...)
	case rule.in == Userinfo || rule.in == Host:
		raw = AppendData(raw, rule.in, data[0], g)
	default:
		raw = appendFieldData(raw, data[0], rule, g)
	}
	f.Raw = string(raw)
	return f, nil
}

// appendFieldData appends data that goes to a path or a query. '%' is escaped, and so are
// the bytes that g does not allow there, those of rule.not, and in a path '?' and slashes
// that the forms of single schemes do not allow.
func appendFieldData(dst []byte, data string, rule fieldRule, g Grammar) []byte {
	start, at := len(dst), inPath
	if rule.in == Query {
		at = inQuery
	}
	for i := range len(data) {
		b := data[i]
		have := allowed[at][b]
		keep := have&g != 0 && b != '%' && strings.IndexByte(rule.not, b) < 0
		if at == inPath && g&perScheme != 0 {
			keep = keep && (g&typedPaths == 0 || have&plainPath != 0) && (b != '/' || len(dst) > start && dst[len(dst)-1] != '/')
		}
		if keep {
			dst = append(dst, b)
		} else {
			dst = appendEscape(dst, b)
		}
	}
	return dst
}

// A valuesError is the error for a field with more or fewer values than it has.
type valuesError struct{ scheme, field string }

func (e *valuesError) Error() string {
	return "uri: the field " + e.field + " of " + e.scheme + " has one value"
}
