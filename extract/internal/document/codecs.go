package document

import (
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/header"
	"github.com/urlsift/urlsift/extract/internal/decode/html"
	"github.com/urlsift/urlsift/extract/internal/decode/roff"
	"github.com/urlsift/urlsift/extract/internal/decode/table"
	"github.com/urlsift/urlsift/extract/internal/decode/tex"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Codecs are the decoders for the top of a chain. At most one of them is in use at a time.
// Those with a sink are made when they are first needed.
type codecs struct {
	opts     *Options
	sink     func(decode.Attr) error
	charsets charset.Decoders
	html     *html.Decoder
	header   *header.Decoder
	flowed   decode.Decoder
	unfold   decode.Decoder
	cells    table.Decoder
	roff     roff.Decoder
	tex      tex.Decoder
}

// A syntax says how text with one treatment is decoded, after its charset.
type syntax struct {
	kind    Kind
	values  bool                                                    // the decoder may find Values
	decoder func(c *codecs, do treatment, cell byte) decode.Decoder // nil if nothing is decoded
}

// syntaxes has a row for each treatment of text. Parts with a treatment that has no row are
// not text, or are examined first.
var syntaxes = [treatments]*syntax{
	asText:   {kind: Plain},
	asFlowed: {kind: Plain, decoder: func(c *codecs, _ treatment, _ byte) decode.Decoder { return c.flowed }},
	asFolded: {kind: Plain, decoder: func(c *codecs, _ treatment, _ byte) decode.Decoder { return c.unfold }},
	asHTML:   {kind: HTML, values: true, decoder: (*codecs).page},
	asXML:    {kind: HTML, values: true, decoder: (*codecs).page},
	asTable:  {kind: Plain, decoder: (*codecs).table},
	asRoff:   {kind: Plain, values: true, decoder: (*codecs).manual},
	asTeX:    {kind: Plain, values: true, decoder: (*codecs).document},
	asHeader: {kind: Header, values: true, decoder: (*codecs).fields},
}

func newCodecs(o *Options, sink func(decode.Attr) error) codecs {
	return codecs{opts: o, sink: sink, flowed: transfer.NewFlowed(), unfold: transfer.NewUnfold()}
}

// push adds the stage for do to the chain of t. cell is what separates the cells of a
// table, if that was guessed from its first bytes; otherwise 0.
func (c *codecs) push(t *Text, do treatment, cell byte) {
	x := syntaxes[do]
	t.Kind, t.HasValues = x.kind, x.values
	if x.decoder != nil {
		t.s.chain.PushDecoder(x.decoder(c, do, cell))
	}
}

func (c *codecs) page(do treatment, _ byte) decode.Decoder {
	if c.html == nil {
		c.html = html.New(c.sink)
		c.html.MaxValue, c.html.Identifiers = c.opts.MaxValue, c.opts.Identifiers
	}
	c.html.XML = do == asXML
	return c.html
}

func (c *codecs) table(_ treatment, cell byte) decode.Decoder {
	c.cells.Delimiter, c.cells.Guessed = cell, cell != 0
	return &c.cells
}

func (c *codecs) manual(treatment, byte) decode.Decoder {
	c.roff.Sink = c.sink
	return &c.roff
}

func (c *codecs) document(treatment, byte) decode.Decoder {
	c.tex.Sink = c.sink
	return &c.tex
}

func (c *codecs) fields(treatment, byte) decode.Decoder {
	if c.header == nil {
		c.header = &header.Decoder{Sink: c.sink, MaxValue: c.opts.MaxValue, IDs: c.opts.MessageIDs}
	}
	return c.header
}

// skipped counts the values that were too long in a text of that kind.
func (c *codecs) skipped(k Kind, l *ledger.Ledger) {
	var values, bytes int64
	switch k {
	case HTML:
		values, bytes = c.html.Skipped()
	case Header:
		values, bytes = c.header.Skipped()
	}
	l.Add(ledger.Skipped, values)
	l.Add(ledger.SkippedBytes, bytes)
}
