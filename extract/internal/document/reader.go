package document

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A Reader yields the texts of one source after another. It reuses its buffers, decoders
// and decompressors. Only one goroutine may use it.
type Reader struct {
	opts   Options
	hooks  Hooks
	pool   *compress.Pool
	ledger *ledger.Ledger

	name   string // of the source: see Describe
	format Format
	file   io.ReaderAt

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

// NewReader returns a Reader that decompresses with pool and counts in l.
func NewReader(o Options, h Hooks, pool *compress.Pool, l *ledger.Ledger) *Reader {
	d := &Reader{opts: o, hooks: h, pool: pool, ledger: l, format: o.Format}
	d.outermost = Outermost{d: d, Lost: Losses{to: &d.reports}, stopAt: -1}
	d.decoders = newDecoders(&d.opts, func(a decode.Attr) error { return d.text.value(a) })
	return d
}

// Describe says what is known of the source that is opened next, besides its bytes: its name, whose
// suffix decides what the bytes leave open; how it is read, if not as Options.Format says; and file, in which it
// can be read at any offset, or nil.
func (d *Reader) Describe(name string, f Format, file io.ReaderAt) {
	d.file = file
	if d.name, d.format = name, f; f == Auto || f >= Formats {
		d.format = d.opts.Format
	}
}

// Open starts d at the first byte of a source, which r reads. Open itself reads nothing. wake makes
// a blocked Read of r return; see [compress.Source.Reset].
func (d *Reader) Open(r io.Reader, wake func()) {
	onRead := d.outermost.onRead
	d.Close()
	d.outermost.onRead = onRead
	d.pool.Source.Reset(r, wake)
	d.enter(&d.pool.Source, d.name)
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
	d.reports = d.reports[:0]
	d.text.ended, d.delayed, d.open = nil, nil, false
	d.outermost.reset()
	d.pool.Reset()
}

// Next skips the rest of the last text, and returns the next one, which is valid until
// Next is called again.
//
// If the error is a *Damage, it concerns a stretch of the source. The next call
// continues after it. Damage within a part is
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
		if t := d.delayed; t != nil {
			d.delayed, d.open = nil, true
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
			d.delayed = t
		}
	}
}

// Outermost returns the outermost stream of the source.
func (d *Reader) Outermost() *Outermost { return &d.outermost }

// finish ends the text that was yielded last.
func (d *Reader) finish() {
	d.open = false
	t, s := &d.text, d.text.s
	d.decoders.skipped(t.Kind, d.ledger)
	err := t.ended
	if t.ended = nil; err == nil || err == io.EOF {
		return
	}
	s.warned(d)
	s.failPart(d, err)
}

// enter pushes a new stream with that name, which decompresses r. Nothing is read before the stream's
// next is called.
func (d *Reader) enter(r io.Reader, name string) *stream {
	s := d.down(nil)
	s.name = name
	s.raw.from, s.opened = r, d.pool.State()
	return s
}

// down pushes a new stream that reads from in, which is decompressed.
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
	s.raw = raw{d: d, s: s, in: in, head: s.raw.head[:0], room: s.raw.room}
	s.decodes, s.mail, s.direct, s.isArchive, s.begun, s.ended, s.named = false, false, false, false, false, false, false
	s.used, s.bom, s.first, s.fault = 0, 0, 0, nil
	s.name, s.declared, s.charset = "", asRecognised, ""
	s.warnings, s.account, s.partAt, s.opened, s.notRead = s.warnings[:0], account{}, 0, compress.PoolState{}, false
	s.outside = d.path.outside()
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
