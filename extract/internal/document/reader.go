package document

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/transfer"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// This file has the types that refer to one another: a Reader, its streams, and what may be
// in them. Most of their methods are in other files; see doc.go.

// A Reader yields the texts of one source after another. It reuses its buffers, decoders
// and decompressors. Only one goroutine may use it.
type Reader struct {
	opts   Options
	hooks  Hooks
	pool   *compress.Pool
	ledger *ledger.Ledger

	stack   []container // open containers, from the outermost inwards
	streams []*stream   // one for each depth
	depth   int         // number of open streams

	path     path
	reports  reports
	decoders decoders
	text     Text
	open     bool  // a text is being read
	delayed  *Text // a text to return after the reports

	outermost Outermost
}

// A container yields its content. next returns a text; or nil, nil if it has pushed
// another container or queued damage; or io.EOF at its end.
type container interface {
	next(d *Reader) (*Text, error)
	leave(d *Reader)
}

// A stream is one raw stream with the chain that decodes it. It is the container of one text, of
// messages, or of the members of an archive. There is one stream for the source, and one for each
// depth of members and attachments. A stream is made when its depth is first reached, and then
// reused.
type stream struct {
	decoding
	account

	level   int                // its depth: 0 for the source
	mail    bool               // the stream contains messages
	begun   bool               // its format is known
	ended   bool               // it was left, or is about to be
	notRead bool               // it is in a format that is not read
	named   bool               // its format was reported, and it is searched as text
	opened  compress.PoolState // of the pool, before the stream was opened
	outside outside

	mailboxes []*mailbox // readers of its messages: one, and one for each nested encoding
	used      int        // number of mailboxes in use
	partAt    int64      // raw offset of the part, or of the part that encodes its message

	archive  container // of its members, an *archive; nil before the first
	warnings warnings  // about the current part
	fault    error     // the damage that ended it
}

// A decoding is a raw stream and the chain that decodes it.
type decoding struct {
	raw     raw
	lines   decode.Lines // if raw offsets differ from those of the text
	chain   decode.Chain // raw stream → text
	decodes bool         // the chain has links: the text is not the raw stream itself
	direct  bool         // its text was yielded unchanged

	isArchive bool  // it is an archive
	bom       int64 // length of the byte order mark
	first     int64 // raw offset of the first byte of a direct text
}

// raw reads the raw stream. It counts bytes, so that damage has a position, and ends a
// stream that exceeds its limit.
type raw struct {
	d        *Reader
	from     io.Reader     // the stored bytes, from which in is to be opened
	in       *bufio.Reader // nil before it is opened
	read     int64
	cr       bool           // a CR without an LF is read as LF: see sniffMail
	exceeded *damage.Damage // the limit that was exceeded
	head     []byte         // its first bytes, up to textHead; reused
	s        *stream
}

// A mailbox is the container for the messages of one stream, or of one part that was
// encoded as a whole. It has one decoder for each encoding, since mailboxes may be nested.
type mailbox struct {
	mail.Reader
	s          *stream
	linksBelow int // number of links of the chain below its reader
	outside    outside
	quoted     decode.Decoder
	base64     *transfer.Base64
	signed     transfer.Signed
	peeker     decode.Peeker
}

// Outermost is the outermost stream of the source that a Reader reads. Reading of it can start
// in the middle, and its damage may be skipped: see [Losses].
type Outermost struct {
	Lost   Losses // damage that did not end it
	d      *Reader
	stopAt int64                    // where the stream is to end: see StopAt; -1 for none
	onRead func(at int64, p []byte) // gets the bytes that are read, or nil: see OnRead
	tar    *untar                   // reads it, if it is a tar archive
}

// A Text is decoded text, in UTF-8, that can be read once. It is valid until the next
// call of [Reader.Next].
type Text struct {
	Where
	Kind      Kind
	HasValues bool     // there may be Values
	Article   bool     // the innermost message is an article of news
	ArticleID string   // its Message-ID
	Entities  []Entity // entities around the text, from the outermost inwards; nil if none declares a base

	// Direct means that the text is the raw stream itself, unchanged, from the offset
	// BOM on. BOM is the length of the byte order mark. In this case the caller counts
	// lines, and does not call Locate. Start is the offset of the first byte in the text
	// of the whole stream; it is not 0 if reading started in the middle.
	Direct     bool
	BOM, Start int64

	// Values are the values that the last Read has found, in order. They precede the text that this
	// Read returned.
	Values []Value

	// Found is set by the caller if it has found something in the text. Data that is not text, and in
	// which nothing was found, is reported.
	Found bool

	d        *Reader
	s        *stream
	returned int64 // number of bytes that Read has returned
	arena    []byte
	ended    error // the error that ended the text; nil before its end
}

// A Value is a complete reference, from an attribute or a header field.
type Value struct {
	Bytes    []byte // valid until the next Read of the Text
	At       int64  // offset in the text of the first byte after the value
	Position        // in the raw stream
	Field    string // name of the header field, in lower case; "" for an attribute
	Base     bool   // it is the href of a base element

	// Request says that the reference is the value of an attribute such as FORM action, which is
	// always requested.
	Request bool

	Bracketed bool // the value was in angle brackets, in a header field that may contain others
}

// reset forgets what was set for the last source.
func (o *Outermost) reset() { o.Lost.list, o.stopAt, o.onRead, o.tar = o.Lost.list[:0], -1, nil, nil }
