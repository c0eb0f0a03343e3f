package header

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// maxName is the longest name of a field. RFC 5322 leaves 76 bytes for it, beside colon and
// space, in a line of 78.
const maxName = 76

// maxNameBlanks is the most blanks between a name and its colon (RFC 5322, 4.5).
const maxNameBlanks = 16

// A fieldRule says what becomes of a field.
type fieldRule uint8

const (
	fieldText     fieldRule = iota // its value is text
	fieldLeftOut                   // its value is left out
	fieldWhole                     // its value is a reference, for the sink
	fieldID                        // its value is an identifier, for the sink if Decoder.IDs is set
	fieldBrackets                  // text, but relative references in brackets are for the sink
)

// fieldRules has the fields that are not simply text, in lower case.
var fieldRules = map[string]fieldRule{
	"content-base":     fieldWhole, // the base URL: RFC 2110, 4.2
	"content-location": fieldWhole, // a URL, and a base: RFC 2557, 4.2
	"warc-target-uri":  fieldWhole, // the URL of a record: ISO 28500, 5.12

	"message-id": fieldID, // an addr-spec that is not an address: RFC 5322, 3.6.4
	"content-id": fieldID, // likewise: RFC 2045, 7

	"archived-at": fieldBrackets, // RFC 5064, 2
	"link":        fieldBrackets, // RFC 8288, 3: "<" URI-Reference ">"
	// All fields "list-…" are those of RFC 2369, sections 2 and 3.
	"list-archive":     fieldBrackets,
	"list-help":        fieldBrackets,
	"list-owner":       fieldBrackets,
	"list-post":        fieldBrackets,
	"list-subscribe":   fieldBrackets,
	"list-unsubscribe": fieldBrackets,

	"also-control":            fieldLeftOut, // commands with Message-IDs: RFC 1849
	"arc-message-signature":   fieldLeftOut, // base64 in tags: RFC 8617, 4.1.2
	"arc-seal":                fieldLeftOut, // likewise: 4.1.3
	"article-i.d.":            fieldLeftOut, // the Message-ID of A news: RFC 850
	"autocrypt":               fieldLeftOut, // a key in base64
	"control":                 fieldLeftOut, // commands with Message-IDs: RFC 5536, 3.2.3
	"dkim-signature":          fieldLeftOut, // base64 in tags: RFC 6376, 3.5
	"domainkey-signature":     fieldLeftOut, // likewise: RFC 4870, 3.3
	"face":                    fieldLeftOut, // a picture in base64
	"in-reply-to":             fieldLeftOut, // Message-IDs: RFC 5322, 3.6.4
	"original-message-id":     fieldLeftOut, // a Message-ID, of a report: RFC 8098, 3.2.5
	"path":                    fieldLeftOut, // hosts with '!' between them: RFC 5536, 3.1.5
	"references":              fieldLeftOut, // Message-IDs: RFC 5322, 3.6.4
	"resent-message-id":       fieldLeftOut, // a Message-ID: RFC 5322, 3.6.6
	"see-also":                fieldLeftOut, // Message-IDs: RFC 1849
	"supersedes":              fieldLeftOut, // a Message-ID: RFC 5536, 3.2.12
	"x-face":                  fieldLeftOut, // a picture in printable characters
	"x-google-dkim-signature": fieldLeftOut, // as dkim-signature
	"x-message-id":            fieldLeftOut, // a Message-ID of a gateway
	"x-original-message-id":   fieldLeftOut, // a Message-ID of a gateway
	"xref":                    fieldLeftOut, // places in a spool: RFC 5536, 3.2.14
}

// fieldName finds the name of a field at the beginning of src: printable ASCII up to a
// colon, with blanks in front of it. It returns the length with the colon, and the length
// of the name, or 0 and 0 if there is none.
func fieldName(src []byte, atEOF bool) (n, nameLen int, more bool) {
	for nameLen < len(src) && NameByte(src[nameLen]) {
		nameLen++
		if nameLen > maxName {
			return 0, 0, false
		}
	}
	n = nameLen
	for n < len(src) && octet.IsBlank(src[n]) && n < nameLen+maxNameBlanks {
		n++
	}
	switch {
	case n == len(src):
		return 0, 0, !atEOF
	case nameLen > 0 && src[n] == ':' && !IsScheme(src[:nameLen]):
		return n + 1, nameLen, false
	case n == 0 && src[0] == '\r' && len(src) == 1:
		return 0, 0, !atEOF // the line may be empty
	}
	return 0, 0, false
}

// NameByte reports whether c may be in the name of a field. It is printable ASCII without
// the colon (RFC 5322, section 3.6.8), and without the characters that at the beginning of
// a line occur only in an address or a URL.
func NameByte(c byte) bool { return nameBytes[c] }

var nameBytes = func() (is [256]bool) {
	for c := '!'; c <= '~'; c++ {
		is[c] = !strings.ContainsRune(`:<>"@/,`, c)
	}
	return is
}()

var schemes = [...]string{"ftp", "gopher", "http", "https", "mailto", "nntp", "telnet", "urn"}

// IsScheme reports whether name, which a colon follows at the beginning of a line, is a scheme
// and not the name of a field.
func IsScheme(name []byte) bool {
	if len(name) < len("ftp") || len(name) > len("mailto") {
		return false
	}
	for _, s := range schemes {
		if len(s) == len(name) && s[0] == name[0]|0x20 && bytes.EqualFold(name, []byte(s)) {
			return true
		}
	}
	return false
}

// isFromLine reports whether src, which does not begin with a field, is the line that mailboxes
// put in front of a message, with or without a '>' before it. more means that src is too short
// to decide.
func isFromLine(src []byte, atEOF bool) (is, more bool) {
	for _, s := range [...]string{"From ", ">From "} {
		if bytes.HasPrefix(src, []byte(s)) {
			return true, false
		}
		more = more || len(src) < len(s) && !atEOF && strings.HasPrefix(s, string(src))
	}
	return false, more
}

// A fieldRing remembers where in the text the last fields begin.
type fieldRing struct {
	starts [1024]fieldStart // starts[i%1024] is that of field i
	n      int              // fields so far
	names  map[string]*fieldInfo
}

type fieldStart struct {
	out  int64
	name string
}

// A fieldInfo has what is known of a name.
type fieldInfo struct {
	written, lower string
	rule           fieldRule
}

// maxNames is how many names are stored, so that each is allocated only once. When there are more,
// all are forgotten.
const maxNames = 512

func (f *fieldRing) reset() { f.n = 0 }

// name returns the information for a name as it is written.
func (f *fieldRing) name(written []byte) *fieldInfo {
	info := f.names[string(written)]
	if info == nil {
		if f.names == nil || len(f.names) == maxNames {
			f.names = make(map[string]*fieldInfo)
		}
		name := string(written)
		low := strings.ToLower(name)
		info = &fieldInfo{name, low, fieldRules[low]}
		f.names[name] = info
	}
	return info
}

// add records that a field begins at out.
func (f *fieldRing) add(out int64, name string) {
	f.starts[f.n%len(f.starts)] = fieldStart{out, name}
	f.n++
}

// at returns the name of the last field that begins at or before off. It is a binary
// search.
func (f *fieldRing) at(off int64) string {
	lo := max(0, f.n-len(f.starts))
	known, hi := lo, f.n
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); f.starts[mid%len(f.starts)].out <= off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == known {
		return ""
	}
	return f.starts[(lo-1)%len(f.starts)].name
}
