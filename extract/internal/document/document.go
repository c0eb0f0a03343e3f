package document

import (
	"errors"
	"io"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
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

// Options configure a Reader.
type Options struct {
	Format  Format
	Charset string // label of the charset of text that names none; "" for UTF-8
	Kinds   Kinds  // of the parts of messages that are read; 0 for all

	// MaxValue is the longest Value in bytes. KeepText is how much text before the last
	// Read can still be located, in bytes.
	MaxValue int
	KeepText int64

	Size    int64 // limit of a stream in bytes; 0 for none
	Nesting int   // limit of multiparts and messages within one another

	MessageIDs bool // identifiers in headers are Values too
	Subjects   bool // Where has Subject and From
}

// Hooks are the calls of a Reader to the worker that reads.
type Hooks struct {
	// Stopped reports whether reading should stop. BeforeRead is called before each Read of
	// a raw stream, with the number of bytes read so far; if it returns false, reading
	// ends.
	Stopped    func() bool
	BeforeRead func(read int64) bool

	// Layout is called for each source, when it is known how the source can be divided
	// between workers, and before its first text is yielded. By then only a byte order mark
	// of that length was read from the outermost stream. For Messages it may return a
	// function. That is called where a message begins, with the offset in the stream and
	// the number of messages before it; if it returns false, the stream ends there.
	Layout func(l Layout, mark int64) (begins func(at int64, before int) bool)

	// InConsumer reports whether code of the consumer runs in this goroutine, or has
	// panicked there: a Read of the source may run it. Such a panic is not caught.
	InConsumer func() bool
}

// A Layout says how the outermost stream of a source can be divided between workers.
type Layout uint8

const (
	Whole    Layout = iota // not at all
	Lines                  // it is text without any decoding, that is divided between lines
	Messages               // it is a mailbox, that is divided between messages
)

// A Reader yields the texts of one source after another. It uses its buffers, decoders and
// decompressors again. It is for one goroutine.
type Reader struct {
	opts   Options
	hooks  Hooks
	pool   *compress.Pool
	ledger *ledger.Ledger

	stack   []container // what is open, from the outermost
	streams []*stream   // of each depth
	depth   int         // of streams that are open

	where    Where
	step     int      // where the step of the innermost attachment begins in where.Member
	entities []Entity // around what is read, from the outermost

	subject, from decodedField // of the message

	queue []placed // damage that Next returns before all else
	last  Place    // of the damage that Next has returned
	ended error    // what the text has ended with; nil before
	text  Text
	open  bool  // text is being read
	held  *Text // a text that comes after the queue

	codecs
}

// codecs are decoders for the top of a chain. No two of them are in use at once.
type codecs struct {
	charsets charset.Decoders
	html     *html.Decoder
	header   *header.Decoder
	flowed   decode.Decoder
	unfold   decode.Decoder
	cells    table.Decoder
	roff     roff.Decoder
	tex      tex.Decoder
}

// A container yields what it holds. next returns a text; or nil, nil if it has pushed
// another container or queued damage; or io.EOF at its end.
type container interface {
	next(d *Reader) (*Text, error)
	leave(d *Reader)
}

// A placed is damage and its place.
type placed struct {
	damage *damage.Damage
	at     Place
}

// NewReader returns a Reader that decompresses with pool and counts in l.
func NewReader(o Options, h Hooks, pool *compress.Pool, l *ledger.Ledger) *Reader {
	return &Reader{opts: o, hooks: h, pool: pool, ledger: l, codecs: codecs{flowed: transfer.NewFlowed(), unfold: transfer.NewUnfold()}}
}

// Open starts d at the first byte of a source, which r reads. wake ends a Read of r that
// blocks; see [compress.Source.Reset].
func (d *Reader) Open(r io.Reader, wake func()) {
	d.Close()
	d.pool.Source.Reset(r, wake)
	d.enter(&d.pool.Source)
}

// Close releases the source, and counts it as far as it was read. Texts that d has yielded
// are no longer valid.
func (d *Reader) Close() {
	if d.open {
		d.finish()
	}
	for len(d.stack) > 0 {
		d.pop()
	}
	d.where, d.step, d.entities, d.queue = Where{}, 0, d.entities[:0], d.queue[:0]
	d.ended, d.held, d.open = nil, nil, false
	d.pool.Reset()
}

// Next skips what is left of the last text, and returns the next one. It is valid until
// Next is called again.
//
// A *damage.Damage concerns a stretch of the source. The next call continues after it;
// [Reader.Damaged] says where it is. Damage within a part is returned after the text of the
// part; damage of the part as a whole is returned before it. At the end the error is
// io.EOF, or damage.ErrStopped if Hooks.Stopped returned true.
//
// Each iteration enters or leaves a container, or returns.
func (d *Reader) Next() (*Text, error) {
	if d.open {
		d.finish()
	}
	for {
		if d.hooks.Stopped() {
			return nil, damage.ErrStopped
		}
		if len(d.queue) > 0 {
			first := d.queue[0]
			d.queue = slices.Delete(d.queue, 0, 1)
			d.last = first.at
			return nil, first.damage
		}
		if t := d.held; t != nil {
			d.held, d.open = nil, true
			return t, nil
		}
		if len(d.stack) == 0 {
			return nil, io.EOF
		}
		t, err := d.stack[len(d.stack)-1].next(d)
		switch {
		case err == io.EOF:
			d.pop()
		case err != nil:
			return nil, err
		case t != nil:
			d.held = t
		}
	}
}

// Damaged returns the place of the damage that Next returned last.
func (d *Reader) Damaged() Place { return d.last }

// finish ends the text that was yielded last.
func (d *Reader) finish() {
	d.open = false
	t, s := &d.text, d.text.s
	switch t.Kind {
	case HTML:
		d.skipped(d.html.Skipped())
	case Header:
		d.skipped(d.header.Skipped())
	}
	err := d.ended
	if d.ended = nil; err == nil || err == io.EOF {
		return
	}
	d.warned(s)
	d.failPart(s, err)
}

// skipped counts values that were too long.
func (d *Reader) skipped(values, bytes int64) {
	d.ledger.Add(ledger.Skipped, values)
	d.ledger.Add(ledger.SkippedBytes, bytes)
}

// failPart handles err, which ended a text or a nested message of s. Damage of a part costs
// only that part; any other error ends s.
func (d *Reader) failPart(s *stream, err error) {
	var e *decode.Error
	if s.mail && errors.As(err, &e) {
		d.fail(s, fromDecode(e, s))
		return
	}
	s.fault = err
}

// inMail reports whether an attachment is being read, or something in one.
func (d *Reader) inMail() bool { return d.where.Message != 0 }

// wants reports whether parts with the treatment do are read at all. It returns true if
// that depends on the first bytes of the part.
func (d *Reader) wants(do treatment) bool {
	k, known := do.kind()
	return d.opts.Kinds == 0 || !known || d.opts.Kinds&(1<<k) != 0
}

func (d *Reader) push(c container) { d.stack = append(d.stack, c) }

func (d *Reader) pop() {
	c := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	c.leave(d)
}
