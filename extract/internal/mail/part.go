package mail

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A BaseFields has what one entity around a part says about its base URL: the fields as
// written, but without white space and without delimiters of the URL ("…", <…>, URL:) (RFC
// 2557, section 4; RFC 2110, section 4).
type BaseFields struct {
	ContentBase, ContentLocation string

	Target string // the URL of the record of a web archive, by which it was retrieved
}

// A Part is one piece of text of one message: a header block, the body of a leaf, or the
// text around the parts of a multipart. It is valid, with its slices, until the next call
// of [Reader.Next]; its strings may be kept.
//
// Its many fields are plain data, most of them one header field or one parameter each. A caller
// reads each where it is needed, so they are not grouped.
type Part struct {
	// Message is the ordinal of the message in the stream, from 1.
	Message int

	// Section numbers the part as IMAP does (RFC 3501, section 6.4.5): "HEADER", "1",
	// "1.2", "2.HEADER" for the header of an attached message, "1.2.MIME" for that of a
	// part; "TEXT" and "2.TEXT" for the text in front of the first part and after the
	// last part of a multipart; "FROM" for the From_ line in front of the message, if that may
	// hold a reference.
	Section string

	// Header reports whether Body is a header block, verbatim, with its line breaks and
	// without the blank line after it.
	Header bool

	Type     string // media type, lower case; the default of RFC 2045, section 5.2 and 2046, section 5.1.5
	Charset  string // as labelled, lower case; "" if there is no label
	Encoding string // transfer encoding, lower case, also "chunked" of HTTP; "" if there is none, and for 7bit, 8bit and binary
	Name     string // file name, with RFC 2231 and encoded words decoded; "" if there is none

	// Flowed and DelSp are those of RFC 3676: format=flowed, delsp=yes.
	Flowed, DelSp bool

	// Article reports whether Body is in an article: its innermost message has a
	// Newsgroups field. ArticleID is the Message-ID of that message, without angle
	// brackets.
	Article   bool
	ArticleID string

	// Bases has the base fields of the entities around the part, from the outermost inwards.
	// The last ones are those of the part itself.
	Bases []BaseFields

	Fields // of the message or record

	HTTP   bool   // the header block is that of an HTTP message
	Coding string // content coding of the body of an HTTP message, in lower case: "gzip"

	// Body reads the part, still encoded. Its input offsets are raw offsets, and its output offsets
	// start at 0. It returns io.EOF at the end of the part, and the error of the stream if the
	// stream fails.
	Body decode.MappedReader
}

// plain sets the type and the encoding of p for text that has no header.
func (p *Part) plain() {
	p.Type, p.Charset, p.Encoding = "text/plain", "", ""
	p.Flowed, p.DelSp = false, false
}

// inArticle sets the fields that say whether p is in an article. A part of the multipart o is
// in the message around it (RFC 2046, section 5.1). A message in a part is another message
// (section 5.2.1), for which o is nil: only its own fields make it an article.
func (p *Part) inArticle(o *openEntity) {
	p.Article, p.ArticleID = false, ""
	if o != nil {
		p.Article, p.ArticleID = o.article, o.articleID
	}
}

// describeMessage sets the fields of p that the header h of a message declares. It does not
// change fields that are set. An attached message does not set the fields of the message of the
// stream.
func (p *Part) describeMessage(h *fields, attached bool) {
	if !attached {
		p.Fields.describe(h)
	}
	p.Article = p.Article || len(h.get(newsgroups)) > 0
	switch {
	case !p.Article || p.ArticleID != "":
	case attached:
		p.ArticleID = angle(h.get(messageID))
	default:
		p.ArticleID = p.MessageID
	}
}

// describe sets the fields of l from the header h of the entity. It does not change fields that
// are set.
func (l *BaseFields) describe(h *fields) {
	if l.ContentBase == "" {
		l.ContentBase = cleanURL(h.get(contentBase))
	}
	if l.ContentLocation == "" {
		l.ContentLocation = cleanURL(h.get(contentLocation))
	}
}

// cleanURL removes what may surround a URL in a field: quotes, angle brackets and "URL:". It
// also removes white space anywhere (RFC 2557, section 4.4.2).
func cleanURL(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if c > ' ' {
			out = append(out, c)
		}
	}
	for _, w := range [...]string{`""`, "<>", `""`} {
		if n := len(out); n > 1 && out[0] == w[0] && out[n-1] == w[1] {
			out = out[1 : n-1]
		}
	}
	if len(out) > 4 && same(out[:3], []byte("url")) && out[3] == ':' {
		out = out[4:]
	}
	return readable(out)
}

// A body is read in two passes over bytes that are in the cache: its lines are found in the buffer
// and added to the part (ok moves), then they are returned (lo moves). So the first pass can be a
// search for line ends, and the second a copy. Of most lines only the first byte is examined: few
// classes of first bytes matter in a part (care), and ordinary text has few of them. classify
// judges a line that may be special. act handles such a line after all bytes in front of the line
// were returned, because only then may bytes be removed from the stream.

// A body is the reader of a [Part]. Its Map gets a new mapping only where something was removed
// from the stream, so it has nearly none.
type body struct {
	in     *input
	finder *endFinder // of the part
	m      decode.Map
	at     int64 // raw offset at which it begins
	to     int64 // raw offset up to which m knows
}

func (b *body) reset(raw int64) {
	b.m.Reset()
	b.at, b.to = raw, raw
}

// Read returns what was found of the part, and searches for more only if nothing is left.
// Each iteration consumes bytes of the stream or reads.
func (b *body) Read(p []byte) (int, error) {
	in := b.in
	if len(p) == 0 {
		return 0, nil
	}
	for in.lo == in.ok {
		if b.finder.done {
			if in.ok+in.held < in.hi {
				return 0, io.EOF // src's error comes after what is still in buf
			}
			return 0, in.failed(io.EOF)
		}
		b.finder.step()
	}
	n := copy(p, in.buf[in.lo:in.ok])
	raw := in.raw(in.lo)
	b.m.Add(decode.Conversion{In: int(raw - b.to)})
	b.m.Add(decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1})
	b.to = raw + int64(n)
	in.lo += n
	in.counts.Read += int64(n)
	return n, nil
}

// Origin implements [decode.MappedReader], with raw offsets.
func (b *body) Origin(off int64) (int64, bool) {
	in, exact := b.m.Origin(off)
	return b.at + in, exact
}

// Span implements [decode.MappedReader], with raw offsets. It is always exact.
func (b *body) Span(start, end int64) (lo, hi int64, exact bool) {
	lo, hi, exact = b.m.Span(start, end)
	return b.at + lo, b.at + hi, exact
}

// Forget implements [decode.MappedReader]. It does not call the source: a chain does that.
func (b *body) Forget(off int64) { b.m.Forget(off) }
