package document

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/ledger"
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
	Subjects   bool // set Subject and From of Where

	Identifiers bool // keep the identifiers of markup as text: xmlns, document types
}

// wants reports whether parts with the treatment do are read. If that depends on the
// first bytes of the part, it returns true.
func (o *Options) wants(do treatment) bool {
	x := syntaxes[do]
	return o.Kinds == 0 || x == nil || o.Kinds&(1<<x.kind) != 0
}

// Hooks are the functions with which a Reader calls the worker that uses it.
type Hooks struct {
	// Stopped reports whether reading should stop. BeforeRead is called before each Read
	// of a raw stream, with the number of bytes read so far. If it returns false, reading
	// ends.
	Stopped    func() bool
	BeforeRead func(read int64) bool

	// Layout is called for each source, as soon as it is known how the source can be
	// divided between workers, and before its first text is yielded. By then, nothing
	// was read of the outermost stream but its byte order mark, if it has one. For Messages, Layout
	// may return a function. It is called where a message begins, with the offset in the
	// stream and the number of messages in front of it. If it returns false, the stream
	// ends there.
	Layout func(l Layout, mark int64) (begins func(at int64, before int) bool)

	// Reached returns the line and column of the next byte of the Direct text that is
	// read.
	Reached func() (line, column int64)

	// InConsumer reports whether code of the consumer is running in this goroutine, or
	// has panicked in it. With one worker, a Read of the source may call it, because
	// [compress.Hooks].BeforeBlock delivers results first. Such a panic is not caught.
	InConsumer func() bool
}

// caught sets *err if there is a panic that is not the consumer's. It is deferred by what reads
// from a library, in that stage and for the stream at that level.
func (h *Hooks) caught(err *error, stage damage.Stage, level int) {
	if h.InConsumer() {
		return
	}
	if v := recover(); v != nil {
		*err = &damage.Damage{Class: damage.Pack, Stage: stage, Err: &damage.PanicError{Value: v}, Level: level}
	}
}

// A Layout says how the outermost stream of a source can be divided between workers.
type Layout uint8

const (
	Whole    Layout = iota // it cannot be divided
	Lines                  // text without any decoding; divided between lines
	Messages               // a mailbox; divided between messages
)

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

	path    path
	reports reports
	codecs  codecs
	text    Text
	open    bool  // a text is being read
	held    *Text // a text to return after the reports

	outermost Outermost
}

// A container yields its content. next returns a text; or nil, nil if it has pushed
// another container or queued damage; or io.EOF at its end.
type container interface {
	next(d *Reader) (*Text, error)
	leave(d *Reader)
}

// NewReader returns a Reader that decompresses with pool and counts in l.
func NewReader(o Options, h Hooks, pool *compress.Pool, l *ledger.Ledger) *Reader {
	d := &Reader{opts: o, hooks: h, pool: pool, ledger: l}
	d.outermost = Outermost{d: d, Lost: Losses{d: d}, until: -1}
	d.codecs = newCodecs(&d.opts, func(a decode.Attr) error { return d.text.value(a) })
	return d
}

// Open starts d at the first byte of a source, which r reads. wake makes a blocked Read
// of r return; see [compress.Source.Reset].
func (d *Reader) Open(r io.Reader, wake func()) {
	tap := d.outermost.tap
	d.Close()
	d.outermost.tap = tap
	d.pool.Source.Reset(r, wake)
	d.enter(&d.pool.Source)
}

// Close releases the source, and counts how far it was read. Texts that d has yielded are
// no longer valid.
func (d *Reader) Close() {
	if d.open {
		d.finish()
	}
	for len(d.stack) > 0 {
		d.pop()
	}
	d.path.reset()
	d.reports.queue = d.reports.queue[:0]
	d.text.ended, d.held, d.open = nil, nil, false
	d.outermost.reset()
	d.pool.Reset()
}

// Next skips the rest of the last text, and returns the next one, which is valid until
// Next is called again.
//
// If the error is a *damage.Damage, it concerns a stretch of the source. The next call
// continues after it; [Reader.Damaged] returns its position. Damage within a part is
// returned after the text of the part; damage of the part as a whole is returned before
// it. At the end the error is io.EOF, or damage.ErrStopped if Hooks.Stopped has returned
// true.
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
		if m := d.reports.next(); m != nil {
			return nil, m
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

// Outermost returns the outermost stream of the source.
func (d *Reader) Outermost() *Outermost { return &d.outermost }

// Damaged returns the position of the damage that Next returned last.
func (d *Reader) Damaged() DamagePosition { return d.reports.last }

// finish ends the text that was yielded last.
func (d *Reader) finish() {
	d.open = false
	t, s := &d.text, d.text.s
	d.codecs.skipped(t.Kind, d.ledger)
	err := t.ended
	if t.ended = nil; err == nil || err == io.EOF {
		return
	}
	s.warned(d)
	s.failPart(d, err)
}

// enter opens r as a stream of its own, and pushes it.
func (d *Reader) enter(r io.Reader) *stream {
	mark := d.pool.Mark()
	in, over := d.pool.Open(r)
	s := d.down(in)
	s.opened = mark
	if over != nil {
		s.fault, s.begun = over, true
	}
	return s
}

// down pushes a stream that reads in.
func (d *Reader) down(in *bufio.Reader) *stream {
	if d.depth == len(d.streams) {
		s := &stream{level: d.depth}
		s.raw.d, s.raw.s = d, s
		s.chain.Keep, s.chain.Level = d.opts.KeepText, d.depth
		s.chain.Mild = func(m *damage.Damage, n int) { s.steppedOver(d, m, n) }
		d.streams = append(d.streams, s)
	}
	s := d.streams[d.depth]
	d.depth++
	s.raw = raw{d: d, s: s, in: in}
	s.staged, s.mail, s.direct, s.begun, s.ended, s.used, s.mark, s.first, s.fault = false, false, false, false, false, 0, 0, 0, nil
	s.warnings, s.account, s.partAt, s.opened, s.closed = s.warnings[:0], account{}, 0, compress.Mark{}, false
	s.around = d.path.outside()
	d.push(s)
	return s
}

// newText returns the Text of d, for a text of s.
func (d *Reader) newText(s *stream) *Text {
	t := &d.text
	*t = Text{Where: d.path.where, d: d, s: s, Values: t.Values[:0], arena: t.arena[:0]}
	s.texts++
	return t
}

func (d *Reader) push(c container) { d.stack = append(d.stack, c) }

func (d *Reader) pop() {
	c := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	c.leave(d)
}
