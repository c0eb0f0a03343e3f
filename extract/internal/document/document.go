package document

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// NewReader returns a Reader that decompresses with pool and counts in l.
func NewReader(o Options, h Hooks, pool *compress.Pool, l *ledger.Ledger) *Reader {
	d := &Reader{opts: o, hooks: h, pool: pool, ledger: l}
	d.outermost = Outermost{d: d, Lost: Losses{to: &d.reports}, stopAt: -1}
	d.decoders = newDecoders(&d.opts, func(a decode.Attr) error { return d.text.value(a) })
	return d
}

// Open starts d at the first byte of a source, which r reads. Open itself reads nothing. wake makes
// a blocked Read of r return; see [compress.Source.Reset].
func (d *Reader) Open(r io.Reader, wake func()) {
	onRead := d.outermost.onRead
	d.Close()
	d.outermost.onRead = onRead
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
	d.text.ended, d.delayed, d.open = nil, nil, false
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

// Damaged returns the position of the damage that Next returned last.
func (d *Reader) Damaged() DamagePosition { return d.reports.last }

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
