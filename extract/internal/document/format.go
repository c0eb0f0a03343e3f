package document

import (
	"strings"

	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A Format says how a source is read. Archives are opened first, except with PlainText,
// which reads them as text. To add a format, add it here with its name in formatNames,
// add a case where framing and look need it, and add it to extract.Format.
type Format uint8

const (
	Auto      Format = iota // recognised by its first 4 KiB
	PlainText               // running text, whatever it looks like
	Mbox                    // a mailbox: mbox in its dialects, Babyl, MMDF
	Message                 // one message (RFC 5322)
	News                    // one article (RFC 5536)
	Rnews                   // a batch of articles
	Page                    // tags removed, attributes read for references
	Table                   // comma-separated values and similar: each cell is read separately
	Roff                    // manual pages: escapes decoded, arguments of macros read for references
	TeX                     // TeX and BibTeX: escapes decoded, arguments and fields read for references

	Formats // the number of formats
)

var formatNames = [Formats]string{"auto", "plain", "mbox", "message", "news", "rnews", "html", "csv", "roff", "tex"}

// String returns the name of f in lower case, "" for an invalid one.
func (f Format) String() string {
	if f < Formats {
		return formatNames[f]
	}
	return ""
}

// ParseFormat returns the format with that name. known is false if there is none.
func ParseFormat(name string) (f Format, known bool) {
	for i, n := range formatNames {
		if n == name {
			return Format(i), true
		}
	}
	return 0, false
}

// FormatNames returns the names of all formats, separated by ", ".
func FormatNames() string { return strings.Join(formatNames[:], ", ") }

// framing returns how messages follow one another in f. seen is the framing that the
// first bytes show.
func (f Format) framing(seen mail.Framing) mail.Framing {
	switch {
	case f == Mbox && (seen == mail.Babyl || seen == mail.MMDF):
		return seen
	case f == Mbox:
		return mail.Mbox
	case f == Rnews:
		return mail.Rnews
	case f == Message, f == News:
		return mail.Single
	}
	return mail.None
}
