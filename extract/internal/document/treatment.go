package document

import (
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/header"
	"github.com/urlsift/urlsift/extract/internal/decode/html"
	"github.com/urlsift/urlsift/extract/internal/decode/markdown"
	"github.com/urlsift/urlsift/extract/internal/decode/roff"
	"github.com/urlsift/urlsift/extract/internal/decode/table"
	"github.com/urlsift/urlsift/extract/internal/decode/tex"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// How a part of a message is read depends on its type.

// A treatment is a way to read a text or a part. To add a treatment for a kind of text, add a
// constant here and a row to syntaxes. Then add what recognises the text: its media types to rules,
// a sniff function to sniffers, and for --as a Format.
type treatment uint8

const (
	asText       treatment = iota // running text
	asFlowed                      // text with soft line breaks (RFC 3676, DelSp=yes)
	asFolded                      // text with folded lines: calendars and cards
	asLDIF                        // entries of directories (RFC 2849)
	asHTML                        // tags removed, attributes read
	asXML                         // like asHTML, for all kinds of XML
	asTable                       // cells that are read separately
	asMarkdown                    // CommonMark, which becomes HTML
	asRoff                        // manual pages
	asTeX                         // TeX and BibTeX
	asHeader                      // header fields
	asHTTP                        // those of an HTTP message
	asRecognised                  // its first bytes decide: archive, page, text, or not read
	asMessage                     // a message that was encoded as a whole
	asSigned                      // a message in an opaque signature
	unread                        // data
	asPDF                         // not read, but reported
	asOffice                      // not read, but reported

	treatments // the number of treatments
)

// A typeRule gives the treatment of types with that beginning and that end.
type typeRule struct {
	begin, end string
	treatment  treatment
}

// rules are tried in order; the first that matches decides. A type that matches none is
// unknown, and its first bytes are examined: mail programs label text, pages and archives
// as application/octet-stream.
var rules = []typeRule{
	{"text/html", "", asHTML},
	{"text/x-server-parsed-html", "", asHTML},
	{"", "/xml", asHTML},            // RFC 7303; elements and references have the same syntax as in HTML
	{"", "+xml", asHTML},            // application/xhtml+xml and image/svg+xml among them
	{"text/calendar", "", asFolded}, // RFC 5545, section 3.1
	{"application/ics", "", asFolded},
	{"text/vcard", "", asFolded}, // RFC 6350, section 3.2
	{"text/x-vcard", "", asFolded},
	{"text/directory", "", asFolded}, // RFC 2425, section 5.8.1
	{"text/ldif", "", asLDIF},
	{"text/x-ldif", "", asLDIF},
	{"text/csv", "", asTable}, // RFC 4180
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
	{"text/markdown", "", asMarkdown}, // RFC 7763
	{"text/x-markdown", "", asMarkdown},
	{"text/", "", asText},
	{"message/rfc822", "", asMessage},
	{"message/global", "", asMessage}, // RFC 6532; message/global-headers and -delivery-status match too, and are text if they are not encoded
	{"message/news", "", asMessage},
	{"message/", "", asText}, // partial other than the first, external-body, delivery-status ...
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
	{"application/pkcs7-mime", "", asSigned}, // RFC 8551
	{"application/x-pkcs7-mime", "", asSigned},
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
	if p.HTTP {
		return asHTTP
	} else if p.Header {
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
			if r.treatment == asMessage && p.Encoding == "" {
				return asText // it is nested too deep to be entered
			}
			return r.treatment
		}
	}
	return asRecognised
}

// skipped returns the format of t if it is not read but reported; otherwise nil.
func (t treatment) skipped() *dataFormat {
	switch t {
	case asPDF:
		return pdfDocument
	case asOffice:
		return officeDocument
	}
	return nil
}

// Decoders are the decoders for the top of a chain. At most one of them is in use at a time.
// Those with a sink are made when they are first needed.
type decoders struct {
	opts     *Options
	sink     func(decode.Attr) error
	charsets charset.Decoders
	html     *html.Decoder
	header   *header.Decoder
	flowed   decode.Decoder
	unfold   decode.Decoder
	ldif     decode.Decoder
	markdown decode.Decoder
	cells    table.Decoder
	roff     roff.Decoder
	tex      tex.Decoder
}

// A syntax says how text with one treatment is decoded, after its charset.
type syntax struct {
	kind    Kind
	values  bool                                                      // the decoder may find Values
	below   func(c *decoders) decode.Decoder                          // of a format that becomes that of decoder first; or nil
	decoder func(c *decoders, as treatment, cell byte) decode.Decoder // nil if nothing is decoded
}

// syntaxes has a row for each treatment of text. Parts with a treatment that has no row are
// not text, or are examined first.
var syntaxes = [treatments]*syntax{
	asText:     {kind: Plain},
	asFlowed:   {kind: Plain, decoder: func(c *decoders, _ treatment, _ byte) decode.Decoder { return c.flowed }},
	asFolded:   {kind: Plain, decoder: func(c *decoders, _ treatment, _ byte) decode.Decoder { return c.unfold }},
	asLDIF:     {kind: Plain, decoder: func(c *decoders, _ treatment, _ byte) decode.Decoder { return c.ldif }},
	asHTML:     {kind: HTML, values: true, decoder: (*decoders).page},
	asXML:      {kind: HTML, values: true, decoder: (*decoders).page},
	asMarkdown: {kind: HTML, values: true, below: func(c *decoders) decode.Decoder { return c.markdown }, decoder: (*decoders).page},
	asTable:    {kind: Plain, decoder: (*decoders).table},
	asRoff:     {kind: Plain, values: true, decoder: (*decoders).manual},
	asTeX:      {kind: Plain, values: true, decoder: (*decoders).document},
	asHeader:   {kind: Header, values: true, decoder: (*decoders).fields},
	asHTTP:     {kind: Header, values: true, decoder: (*decoders).fields},
}

func newDecoders(o *Options, sink func(decode.Attr) error) decoders {
	return decoders{opts: o, sink: sink, flowed: transfer.NewFlowed(), unfold: transfer.NewUnfold(), ldif: transfer.NewLDIF(), markdown: markdown.New()}
}

// push pushes the decoder for the treatment as onto chain. It returns the kind of the decoded
// text, and whether the text may have Values. cell is the separator of the cells of a table, if
// it was guessed from the first bytes; otherwise 0.
func (c *decoders) push(chain *decode.Chain, as treatment, cell byte) (k Kind, values bool) {
	x := syntaxes[as]
	if x.below != nil {
		chain.PushDecoder(x.below(c))
	}
	if x.decoder != nil {
		chain.PushDecoder(x.decoder(c, as, cell))
	}
	return x.kind, x.values
}

func (c *decoders) page(as treatment, _ byte) decode.Decoder {
	if c.html == nil {
		c.html = html.New(c.sink)
		c.html.MaxValue, c.html.Identifiers = c.opts.MaxValue, c.opts.Identifiers
	}
	c.html.XML = as == asXML
	return c.html
}

func (c *decoders) table(_ treatment, cell byte) decode.Decoder {
	c.cells.Delimiter, c.cells.Guessed = cell, cell != 0
	return &c.cells
}

func (c *decoders) manual(treatment, byte) decode.Decoder {
	c.roff.Sink = c.sink
	return &c.roff
}

func (c *decoders) document(treatment, byte) decode.Decoder {
	c.tex.Sink = c.sink
	return &c.tex
}

func (c *decoders) fields(as treatment, _ byte) decode.Decoder {
	if c.header == nil {
		c.header = &header.Decoder{Sink: c.sink, MaxValue: c.opts.MaxValue, IDs: c.opts.MessageIDs}
	}
	c.header.HTTP = as == asHTTP
	return c.header
}

// skipped counts the values that were too long in a text of that kind.
func (c *decoders) skipped(k Kind, l *ledger.Ledger) {
	var values, bytes int64
	switch k {
	case HTML:
		values, bytes = c.html.Skipped()
	case Header:
		values, bytes = c.header.Skipped()
	}
	l.Add(ledger.SkippedRuns, values)
	l.Add(ledger.SkippedBytes, bytes)
}
