package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

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
