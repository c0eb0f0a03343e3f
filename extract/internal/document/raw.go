package document

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// enter pushes a new stream, which decompresses r. Nothing is read before the stream's next is
// called.
func (d *Reader) enter(r io.Reader) *stream {
	s := d.down(nil)
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
	s.raw = raw{d: d, s: s, in: in, head: s.raw.head[:0]}
	s.decodes, s.mail, s.direct, s.isArchive, s.begun, s.ended, s.named = false, false, false, false, false, false, false
	s.used, s.bom, s.first, s.fault = 0, 0, 0, nil
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

// Read reads once.
func (r *raw) Read(p []byte) (int, error) {
	d := r.d
	if !d.hooks.BeforeRead(r.read) {
		return 0, damage.ErrStopped
	}
	source := &d.pool.Source
	if exceeded := source.RatioExceeded(); exceeded != nil {
		return 0, exceeded
	}
	if limit := d.opts.Size; limit > 0 && int64(len(p)) > limit-r.read {
		if limit == r.read {
			return 0, r.beyond()
		}
		p = p[:limit-r.read]
	}
	if r.s.level == 0 && d.outermost.stopAt >= 0 {
		if p = p[:min(int64(len(p)), max(0, d.outermost.stopAt-r.read))]; len(p) == 0 {
			return 0, io.EOF
		}
	}
	n, err := r.in.Read(p)
	if d.outermost.onRead != nil && r.s.level == 0 {
		d.outermost.onRead(r.read, p[:n])
	}
	if r.read < textHead {
		r.head = append(r.head, p[:min(int64(n), textHead-r.read)]...)
	}
	if r.cr {
		r.endLines(p[:n])
	}
	d.ledger.Add(ledger.RawBytes, int64(n))
	source.CountDecompressed(n)
	r.read += int64(n)
	if err != nil && n == 0 && r.s.level == 0 {
		if m, ok := err.(*damage.Damage); ok && d.pool.ContinueAfter(m) {
			r.lost(m)
			return 0, nil
		}
	}
	return n, err
}

// endLines replaces each CR in p by an LF, unless an LF follows it.
func (r *raw) endLines(p []byte) {
	for i, c := range p {
		if c != '\r' {
			continue
		}
		next := p[i+1:]
		if len(next) == 0 {
			next, _ = r.in.Peek(1)
		}
		if len(next) == 0 || next[0] != '\n' {
			p[i] = '\n'
		}
	}
}

// lost keeps m, damage at the next byte of the outermost stream, to be reported later.
func (r *raw) lost(m *damage.Damage) {
	at := r.s.positionOf(Where{}, m)
	if at.AtReader {
		at.Line, at.Column = r.d.hooks.LineColumn()
		at.AtReader = false
	}
	r.d.outermost.Lost.add(m, at)
}

// beyond returns io.EOF if the stream is at its end, otherwise the Damage for its limit.
func (r *raw) beyond() error {
	if _, err := r.in.Peek(1); err != nil {
		return err
	}
	if r.exceeded == nil {
		r.exceeded = damage.Limited(damage.StageSize, "Size", r.read, "longer than the limit of %d bytes; the rest is not read")
		r.exceeded.Level = r.s.level
	}
	return r.exceeded
}
