package extract

// For Options.MessageIDs: the identifiers of messages and parts as references. A cid
// reference in a message names the part with that Content-ID.

// fieldNames has the fields whose values are not text, or not all of them, with their usual
// spelling.
var fieldNames = map[string]string{
	"content-base":     "Content-Base",     // RFC 2110
	"content-location": "Content-Location", // RFC 2557
	"message-id":       "Message-ID",       // RFC 5322
	"content-id":       "Content-ID",       // RFC 2045
	"link":             "Link",             // RFC 8288; this and the following in brackets
	"archived-at":      "Archived-At",      // RFC 5064
	"list-archive":     "List-Archive",     // RFC 2369, and the following
	"list-help":        "List-Help",
	"list-owner":       "List-Owner",
	"list-post":        "List-Post",
	"list-subscribe":   "List-Subscribe",
	"list-unsubscribe": "List-Unsubscribe",
}

// appendScheme appends the scheme for the value of a field. It appends nothing if the
// value is a complete reference.
func appendScheme(dst []byte, field string, news bool) []byte {
	switch {
	case field == "content-id":
		return append(dst, "cid:"...) // RFC 2392
	case field != "message-id":
		return dst
	case news:
		return append(dst, "news:"...) // 1994, section 3.6
	}
	return append(dst, "mid:"...)
}

// appendID appends id for use after such a scheme. It escapes characters that a reference
// cannot contain.
func appendID(dst, id []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range id {
		switch c {
		case '%', '#', '/', '?':
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
