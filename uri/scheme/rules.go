package scheme

import "github.com/urlsift/urlsift/uri"

// Each named set has the grammars in which a rule about fields holds. A further grammar
// needs no code: it is in the sets that are made of Every.
const (
	// "URL:" may be in front of a whole URL, and is then the field "prefixed": 1994.
	prefixes = uri.URL1994

	// A path of ftp may end in a type, or in a slash that requests the directory:
	// 1994, "Data type". Later documents have no fields, so for them the rules of
	// 1994 are used, here and below.
	typedFTP = uri.Every &^ uri.URL1993

	// An escaped tab separates selector, search and Gopher+ string: 1994, "Gopher".
	// In 1993 '?' separates the first two, and the type has a default.
	gopherTabs = uri.Every &^ uri.URL1993

	// A document of wais is identified by numbered fields: 1994. In 1993 it is
	// identified by its length and the rest of the path.
	waisByField = uri.Every &^ uri.URL1993

	// A terminal's user may have a password: 1994, login.
	loginPassword = uri.Every &^ uri.URL1993

	// Commas separate the addresses of a mailto: RFC 6068, section 2. In 1993 and 1994 there is
	// one address, and a comma is a byte of its local part.
	mailLists = uri.Every &^ (uri.URL1993 | uri.URL1994)

	// A scheme without a production of its own has a path and a search: 1993,
	// generic.
	genericFields = uri.URL1993

	// Schemes are in lower case: 1993 and 1994, "Single letters stand for single
	// letters".
	lowerSchemes = uri.URL1993 | uri.URL1994

	// No segment of a path is empty: 1993 and 1994, path.
	fullSegments = uri.URL1993 | uri.URL1994
)

// escapeAt reports whether an escape begins at s[i].
func escapeAt(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && isHex(s[i+1]) && isHex(s[i+2])
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// unescapedAt returns the byte that the escape at s[i] stands for.
func unescapedAt(s string, i int) byte { return unhex(s[i+1])<<4 | unhex(s[i+2]) }

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// nulls separates the fields of prospero, and tabs those of gopher. Both bytes can
// only be written as escapes.
const (
	nulls = "%00"
	tabs  = "%09"
)
