package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A FieldKind is the kind of value of a [Field].
type FieldKind uint8

const (
	Undefined FieldKind = iota // no value: its delimiter is missing
	Literal                    // text between delimiters, with its escapes
	Unescaped                  // bytes: text with its escapes decoded
	Listed                     // a list: pieces of a text, each with its escapes decoded
	Numbered                   // a list of numbers, each with a text, verbatim and unescaped
	Flag                       // true or false
)

// A Field is a part of a reference that its scheme defines; see [Fields]. It holds a
// copy of the text. Methods for one kind return a zero value for a Field of another.
type Field struct {
	Name string
	Kind FieldKind
	Raw  string // of Literal, Unescaped, Listed, Numbered: the text, verbatim from the reference

	sep     string // of Listed: the separator of the pieces
	set     bool   // of Flag: the value
	implied string // a value that is implied and not in the text; then Raw is empty
}

// String returns the value of a Literal or Unescaped field, and "" for others. The value
// of an Unescaped field may contain any bytes.
func (f Field) String() string {
	switch {
	case f.Kind != Literal && f.Kind != Unescaped:
		return ""
	case f.implied != "":
		return f.implied
	case f.Kind == Literal:
		return f.Raw
	}
	return unescaped(f.Raw)
}

// Decoded returns the value of a Literal or Unescaped field with its escapes decoded
// once. It may contain any bytes.
func (f Field) Decoded() string {
	if f.Kind == Literal && f.implied == "" {
		return unescaped(f.Raw)
	}
	return f.String()
}

// Bool returns the value of a Flag.
func (f Field) Bool() bool { return f.set }

// List returns the pieces of a Listed field in a new slice, with their escapes decoded.
// There is at least one, except for a prospero reference without attributes.
func (f Field) List() []string {
	if f.Kind != Listed {
		return nil
	}
	if f.sep == nulls && f.Raw == "" {
		return []string{}
	}
	list := strings.Split(f.Raw, f.sep)
	for i, s := range list {
		list[i] = unescaped(s)
	}
	return list
}

// Numbers returns the rows of a Numbered field in a new slice. A row is the number,
// the text, and the text with its escapes decoded.
func (f Field) Numbers() (rows [][3]string) {
	if f.Kind != Numbered {
		return nil
	}
	rows = [][3]string{}
	for rest := f.Raw; rest != ""; {
		var row string
		row, rest, _ = strings.Cut(rest, ";")
		number, text, _ := strings.Cut(row, "=")
		rows = append(rows, [3]string{number, text, unescaped(text)})
	}
	return rows
}

// Value returns the value for encoding/json: nil for Undefined, a string, a []string,
// a [][3]string or a bool. Unescaped bytes need not be UTF-8, so each byte becomes the
// character with its number (ISO 8859-1), and none is lost.
func (f Field) Value() any {
	switch f.Kind {
	case Literal:
		return f.String()
	case Unescaped:
		return asCharacters(f.String())
	case Listed:
		list := f.List()
		for i, s := range list {
			list[i] = asCharacters(s)
		}
		return list
	case Numbered:
		rows := f.Numbers()
		for i := range rows {
			rows[i][2] = asCharacters(rows[i][2])
		}
		return rows
	case Flag:
		return f.set
	}
	return nil
}

// unescaped is AppendUnescaped for strings. It returns s itself if there is no '%'.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	return string(uri.AppendUnescaped(nil, s))
}

// asCharacters converts each byte to the character with its number.
func asCharacters(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, 0, len(s))
			for j := range len(s) {
				runes = append(runes, rune(s[j]))
			}
			return string(runes)
		}
	}
	return s
}

// Fields returns the parts that the scheme of s defines, in the order of the text. It
// returns nil if s has no scheme or the scheme is not known. p is [uri.Split] of s. The
// rules are those of the newest member of g, or of [uri.Default] if g is empty. The
// documents after 1994 define no such parts. For them the rules of 1994 are used, but
// schemes may be in any case, and https is like http. These are the names, with the
// title of the section, which is the same in 1993 and 1994:
//
//   - http ("HTTP"): host, port, path without its slash, search, search_words.
//   - ftp ("FTP"): user, password, host, port; effective_user, which is "anonymous" if
//     there is no user; type and directory (1994, "Data type"); path, without its first
//     slash and its type; segments: the arguments of CWD, and after these the one of
//     RETR or NLIST.
//   - file: host, path, segments. No document has it; it is like ftp without a user.
//   - gopher ("Gopher"): host, port; gtype; selector, search, gopher_plus, each also
//     with _decoded; gopher_request, which is what a client sends. In 1993 there is
//     no gopher_plus, and effective_type is gtype or its default.
//   - mailto ("Mailto"): address, and its local part and domain. After 1994 also addresses, the
//     list of those in the path (RFC 6068, section 2): commas separate them. If there are several,
//     the other three are Undefined; if there are none, addresses is. A header field "to" in the
//     query is not in the list.
//   - mid, cid: message_id, content_id.
//   - news ("News"): kind is "all", "group" or "article", then group or
//     message_id.
//   - nntp ("NNTP"): group and number. If there is a server, host and port too.
//   - telnet, rlogin, tn3270 ("Telnet, rlogin, tn3270"): user, password (not in
//     1993), host, port.
//   - wais ("WAIS"): kind; host, port, database. If kind is "index", also search and
//     search_words. If it is "doc", also wtype and the numbered fields, or in 1993
//     length and docid.
//   - prospero ("Prospero"): host, port, hsoname, hsoname_decoded, version,
//     attributes.
//   - afs (1993): cellname, path.
//   - any other scheme in 1993, generic: path and search.
//
// The first field is the scheme. In 1994 a field is in front of the scheme: prefixed, which is
// whether the text begins with "URL:". Programs read names and kinds of fields, so these do not
// change.
//
// Do not send gopher_request or another decoded field to a server unchecked: an
// escaped line end in it begins a second command; see [uri.Warnings].
//
// Fields does not check whether g accepts s. If g does not accept it, some fields may be
// Undefined or have the wrong text. Fields copies s and allocates.
func Fields[T uri.Text](s T, p uri.Parts, g uri.Grammar) []Field {
	_, end, ok := p.Span(uri.Scheme)
	if len(s) > uri.MaxLen || !ok {
		return nil
	}
	f := splitter{s: string(s), p: p, g: g.Newest()}
	if f.g&prefixes != 0 {
		prefixed := strings.EqualFold(f.s[:end], "url")
		if prefixed {
			f.s = f.s[end+1:]
			f.p = uri.Split(f.s)
		}
		f.out = append(f.out, Field{Name: "prefixed", Kind: Flag, set: prefixed})
	}
	scheme, _ := f.get(uri.Scheme)
	f.literal("scheme", scheme, true)
	if f.g&lowerSchemes == 0 {
		scheme = strings.ToLower(scheme)
	}
	if split, ok := splitters[scheme]; ok {
		split(&f)
	} else if f.g&genericFields != 0 {
		f.literal("path", f.path(), true)
		f.search()
	} else {
		return nil
	}
	return f.out
}

// splitters has for each scheme the function that makes its fields.
var splitters = map[string]func(*splitter){
	"http": splitHTTP, "https": splitHTTP, "ftp": splitFTP, "file": splitFile,
	"gopher": splitGopher, "mailto": splitMailto, "mid": splitMid, "cid": splitCid,
	"news": splitNews, "nntp": splitNNTP, "wais": splitWAIS, "prospero": splitProspero,
	"telnet": splitLogin, "rlogin": splitLogin, "tn3270": splitLogin, "afs": splitAFS,
}
