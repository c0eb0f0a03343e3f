package extract

// The identifiers of messages and parts as references, for Options.MessageIDs: a
// cid reference somewhere in a message names the part whose Content-ID gives it.

// fieldNames has the fields that are references as a whole, as they are spelled by
// those who define them.
var fieldNames = map[string]string{
	"content-base":     "Content-Base",     // RFC 2110
	"content-location": "Content-Location", // RFC 2557
	"message-id":       "Message-ID",       // RFC 5322
	"content-id":       "Content-ID",       // RFC 2045
}

// appendScheme appends the scheme of the reference that the value of a field is
// the rest of, and nothing if it is a reference itself.
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

// appendID appends id as the data of such a reference: what would end it there
// is escaped.
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
