package document

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// raw reads the raw stream. It counts bytes, so that damage has a position, and ends a
// stream that exceeds its limit.
type raw struct {
	d    *Reader
	in   *bufio.Reader
	read int64
	over *damage.Damage // the limit that was exceeded
	s    *stream
}

// Read reads once.
func (r *raw) Read(p []byte) (int, error) {
	d := r.d
	if !d.hooks.BeforeRead(r.read) {
		return 0, damage.ErrStopped
	}
	source := &d.pool.Source
	if over := source.Over(); over != nil {
		return 0, over
	}
	if limit := d.opts.Size; limit > 0 && int64(len(p)) > limit-r.read {
		if limit == r.read {
			return 0, r.beyond()
		}
		p = p[:limit-r.read]
	}
	if r.s.level == 0 && d.outermost.until >= 0 {
		if p = p[:min(int64(len(p)), max(0, d.outermost.until-r.read))]; len(p) == 0 {
			return 0, io.EOF
		}
	}
	n, err := r.in.Read(p)
	if d.outermost.tap != nil && r.s.level == 0 {
		d.outermost.tap(r.read, p[:n])
	}
	d.ledger.Add(ledger.RawBytes, int64(n))
	source.Unpacked(n)
	r.read += int64(n)
	if err != nil && n == 0 && r.s.level == 0 {
		if m, ok := err.(*damage.Damage); ok && d.pool.Resume(m) {
			d.outermost.Lost.add(m)
			return 0, nil
		}
	}
	return n, err
}

// beyond returns io.EOF if the stream is at its end, otherwise the Damage for its limit.
func (r *raw) beyond() error {
	if _, err := r.in.Peek(1); err != nil {
		return err
	}
	if r.over == nil {
		r.over = damage.Limited(damage.StageSize, "Size", r.read, "longer than the limit of %d bytes, and not read on")
		r.over.Level = r.s.level
	}
	return r.over
}
