package document

import (
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A Format says how a source is read. Archives are opened first, except with PlainText,
// which reads them as text. To add a format, add it here, to formats,
// and to extract.Format.
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
	Markdown                // CommonMark: targets of links read for references, code as text
	Calendar                // iCalendar and vCard: folded lines joined, escapes undone
	WARC                    // a web archive: WARC or ARC

	Formats // the number of formats
)

// Options configure a Reader.
type Options struct {
	Format  Format
	Charset string // MIME name of the charset of text that declares none; "" for UTF-8
	Kinds   Kinds  // which parts of messages are read; 0 for all

	// MaxValue is the size of the longest Value, in bytes. KeepText is the size of the
	// text in front of the last Read that can still be located, in bytes.
	MaxValue int
	KeepText int64

	Size    int64 // largest size of a stream in bytes; 0 for no limit
	Nesting int   // largest depth of nested multiparts and messages

	MessageIDs bool // yield identifiers in headers as Values too
	Subjects   bool // set Subject, From, FromAddress and To of Where

	Identifiers bool // keep the identifiers of markup as text: xmlns, document types
}

// Hooks are the functions with which a Reader calls the worker that uses it.
type Hooks struct {
	// Stopped reports whether reading should stop. BeforeRead is called before each Read
	// of a raw stream, with the number of bytes read so far. If it returns false, reading
	// ends.
	Stopped    func() bool
	BeforeRead func(read int64) bool

	// OnDivision is called for each source, as soon as it is known how the source can be divided
	// between workers, and before its first text is yielded. By then, nothing was read of the
	// outermost stream but its byte order mark, which has bom bytes (0 if there is none). For
	// Messages and Records, OnDivision may return a function begins, which is then called where each message
	// begins: at is the offset in the stream, before the number of messages in front of the
	// message. If begins returns false, the stream ends there.
	OnDivision func(l Division, bom int64) (begins func(at int64, before int) bool)

	// Paused is called when [Outermost].Pause has ended the text or the messages of the source's outermost stream,
	// and everything in front of that place was yielded. The Reader then goes on with a new text, or with
	// messages that are counted from 1 again.
	Paused func()

	// LineColumn returns the line and column of the next byte of the Direct text that is
	// read, whose lines the caller counts; 0 if there is none.
	LineColumn func() (line, column int64)

	// InConsumer reports whether code of the consumer is running in this goroutine, or has
	// panicked in it. With one worker, a Read of the source may run such code, because
	// [compress.Hooks].BeforeBlock delivers results first. Such a panic is not caught.
	InConsumer func() bool
}

// caught sets *err if there is a panic that is not the consumer's. Functions that read from a
// library defer it, with their stage and the level of their stream.
func (h *Hooks) caught(err *error, stage damage.Stage, level int) {
	if h.InConsumer() {
		return
	}
	if v := recover(); v != nil {
		*err = &damage.Damage{Class: damage.Pack, Stage: stage, Err: &damage.PanicError{Value: v}, Level: level}
	}
}

// A Division says how the outermost stream of a source can be divided between workers.
type Division uint8

const (
	Whole    Division = iota // it cannot be divided
	Lines                    // between lines: it is text without any decoding
	Messages                 // between messages: it is a mailbox
	Records                  // between records: it is a web archive
)

// OfMessages reports whether the stream consists of messages or records.
func (l Division) OfMessages() bool { return l >= Messages }

// Framing returns how the messages or records are separated.
func (l Division) Framing() mail.Framing {
	if l == Records {
		return mail.WARC
	}
	return mail.Mbox
}

// formats has, for each Format, its name, its framing of messages, and the treatment of its text.
var formats = [Formats]struct {
	name      string
	framing   mail.Framing
	treatment treatment
}{
	Auto:      {name: "auto"},
	PlainText: {name: "plain"},
	Mbox:      {name: "mbox", framing: mail.Mbox},
	Message:   {name: "message", framing: mail.Single},
	News:      {name: "news", framing: mail.Single},
	Rnews:     {name: "rnews", framing: mail.Rnews},
	Page:      {name: "html", treatment: asHTML},
	Table:     {name: "csv", treatment: asTable},
	Roff:      {name: "roff", treatment: asRoff},
	TeX:       {name: "tex", treatment: asTeX},
	Markdown:  {name: "markdown", treatment: asMarkdown},
	Calendar:  {name: "calendar", treatment: asFolded},
	WARC:      {name: "warc", framing: mail.WARC},
}

// String returns the name of f in lower case, "" for an invalid one.
func (f Format) String() string {
	if f < Formats {
		return formats[f].name
	}
	return ""
}

// ParseFormat returns the format with that name. known is false if there is none.
func ParseFormat(name string) (f Format, known bool) {
	for f := range Formats {
		if formats[f].name == name {
			return f, true
		}
	}
	return 0, false
}

// FormatNames returns the names of all formats, separated by ", ".
func FormatNames() string {
	var names [Formats]string
	for f := range Formats {
		names[f] = formats[f].name
	}
	return strings.Join(names[:], ", ")
}

// framing returns how messages are separated in f. found is the framing that the first bytes show.
func (f Format) framing(found mail.Framing) mail.Framing {
	if f == Mbox && (found == mail.Babyl || found == mail.MMDF) || f == Message && found == mail.Emlx {
		return found
	}
	return formats[f].framing
}

// wants reports whether parts with the treatment as are read. If that depends on the
// first bytes of the part, it returns true.
func (o *Options) wants(as treatment) bool {
	x := syntaxes[as]
	return o.Kinds == 0 || x == nil || o.Kinds&(1<<x.kind) != 0
}
