package document

import (
	"strings"

	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A Format says how the text of a source is framed. Archives are entered before it is
// asked, except that PlainText takes them for text as well. To add a format, add it
// here and its name in formatNames, and a case where framing and look ask for it;
// extract.Format has the same ones.
type Format uint8

const (
	Auto      Format = iota // by its first 4 KiB
	PlainText               // running text, whatever it looks like
	Mbox                    // a mailbox: mbox in its dialects, Babyl, MMDF
	Message                 // one message (RFC 5322)
	News                    // one article (RFC 5536)
	Rnews                   // a batch of articles
	Page                    // tags removed, attributes read for references
	Table                   // comma-separated values and their kin: each cell is read by itself
	Roff                    // manual pages: escapes undone, arguments of macros read for references
	TeX                     // TeX and BibTeX: escapes undone, arguments and fields read for references

	Formats // how many there are
)

var formatNames = [Formats]string{"auto", "plain", "mbox", "message", "news", "rnews", "html", "csv", "roff", "tex"}

// String returns the name of f in lower case, "" for one that does not exist.
func (f Format) String() string {
	if f < Formats {
		return formatNames[f]
	}
	return ""
}

// ParseFormat returns the format of that name. known is false where there is none.
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

// framing returns how messages in f follow one another. seen is what a stream that is
// said to be a mailbox looks like.
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
