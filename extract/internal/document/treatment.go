package document

import (
	"strings"

	"github.com/urlsift/urlsift/extract/internal/mail"
)

// How a part of a message is read depends on its type.

// A treatment is a way to read a text or a part. To add one for a kind of text, add it
// here, a row to syntaxes, and how it is recognised: its media types to rules, a sniff
// function to sniffers, and for --as a Format.
type treatment uint8

const (
	asText    treatment = iota // running text
	asFlowed                   // text with soft line breaks (RFC 3676, DelSp=yes)
	asFolded                   // text with folded lines: calendars and cards
	asHTML                     // tags removed, attributes read
	asXML                      // like asHTML, for all kinds of XML
	asTable                    // cells that are read separately
	asRoff                     // manual pages
	asTeX                      // TeX and BibTeX
	asHeader                   // header fields
	asLooks                    // its first bytes decide: archive, page, text, or not read
	asMessage                  // a message that was encoded as a whole
	unread                     // data
	asPDF                      // not read, but reported
	asOffice                   // not read, but reported

	treatments // the number of treatments
)

// A rule gives the treatment of types with that beginning or end.
type rule struct {
	begin, end string
	do         treatment
}

// rules are tried in order; the first that matches decides. A type that matches none is
// unknown, and its first bytes are examined: mail programs label text, pages and archives
// as application/octet-stream.
var rules = []rule{
	{"text/html", "", asHTML},
	{"text/x-server-parsed-html", "", asHTML},
	{"", "/xml", asHTML},            // RFC 7303; elements and references are written alike
	{"", "+xml", asHTML},            // application/xhtml+xml and image/svg+xml among them
	{"text/calendar", "", asFolded}, // RFC 5545, section 3.1
	{"application/ics", "", asFolded},
	{"text/vcard", "", asFolded}, // RFC 6350, section 3.2
	{"text/x-vcard", "", asFolded},
	{"text/directory", "", asFolded}, // RFC 2425, section 5.8.1
	{"text/csv", "", asTable},        // RFC 4180
	{"text/tab-separated-values", "", asTable},
	{"text/comma-separated-values", "", asTable},
	{"text/x-csv", "", asTable},
	{"application/csv", "", asTable},
	{"text/troff", "", asRoff}, // RFC 4263
	{"application/x-troff", "", asRoff},
	{"text/x-tex", "", asTeX},
	{"text/x-latex", "", asTeX},
	{"text/x-bibtex", "", asTeX},
	{"application/x-tex", "", asTeX},
	{"application/x-latex", "", asTeX},
	{"application/x-bibtex", "", asTeX},
	{"text/", "", asText},
	{"message/rfc822", "", asMessage},
	{"message/global", "", asMessage}, // RFC 6532; also -headers, -delivery-status, which are text
	{"message/news", "", asMessage},
	{"message/", "", asText}, // partial, external-body, delivery-status ...
	{"multipart/", "", asText},
	{"application/json", "", asText},
	{"application/javascript", "", asText},
	{"", "+json", asText},

	// Data without references. Office documents are zip archives whose members name only
	// their schemas.
	{"image/", "", unread},
	{"audio/", "", unread},
	{"video/", "", unread},
	{"font/", "", unread},
	{"model/", "", unread},
	{"chemical/", "", unread},
	{"application/vnd.openxmlformats", "", asOffice},
	{"application/vnd.oasis", "", asOffice},
	{"application/vnd.sun", "", asOffice},
	{"application/pdf", "", asPDF},
	{"application/ms-", "", asOffice},
	{"application/x-pkcs7", "", unread},
	{"application/pkcs7", "", unread},
	{"application/pkcs10", "", unread},
	{"application/pkix", "", unread},
	{"application/x-x509", "", unread},
	{"application/pgp-signature", "", unread},
	{"application/java", "", unread},
	{"application/x-java", "", unread},
	{"application/x-shockwave-flash", "", unread},
	{"application/x-msdownload", "", unread},
	{"application/mac-binhex40", "", unread},
	{"application/applefile", "", unread},
}

// treat returns the treatment of p. It iterates over the rules.
func treat(p *mail.Part) treatment {
	if p.Header {
		return asHeader
	}
	switch p.Encoding {
	case "x-uuencode", "x-uue", "uuencode", "x-yencode", "x-yenc", "x-binhex", "x-binhex40", "mac-binhex40":
		return unread
	}
	if p.Type == "text/plain" { // most parts
		return asText
	}
	for i := range rules {
		if r := &rules[i]; strings.HasPrefix(p.Type, r.begin) && strings.HasSuffix(p.Type, r.end) {
			if r.do == asMessage && p.Encoding == "" {
				return asText // it is nested too deep to be entered
			}
			return r.do
		}
	}
	return asLooks
}

// closed returns the format of do, if it is one that is not read but reported; otherwise
// nil.
func (do treatment) closed() *closed {
	switch do {
	case asPDF:
		return pdfDocument
	case asOffice:
		return officeDocument
	}
	return nil
}
