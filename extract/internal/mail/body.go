package mail

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A body is read in two passes over bytes that are in the cache: its lines are found in the
// buffer and added to the part (ok moves), then they are returned (lo moves). So the first pass
// can be a search for line ends, and the second a copy. Of most lines only the first byte is
// examined: few classes of first bytes matter in a part (care), and ordinary text has few of
// them. classify judges a line that may be special. act handles it after all bytes in front
// of it were returned, because only then may bytes be removed from the stream.

// A body is the reader of a [Part]. Its Map gets a mark only where something was removed
// from the stream, so it has nearly none.
type body struct {
	in *input
	x  *endFinder // of the part
	m  decode.Map
	at int64 // raw offset at which it begins
	to int64 // raw offset up to which m knows
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
		if b.x.done {
			if in.ok+in.held < in.hi {
				return 0, io.EOF // src's error comes after what is still in buf
			}
			return 0, in.failed(io.EOF)
		}
		b.x.step()
	}
	n := copy(p, in.buf[in.lo:in.ok])
	raw := in.raw(in.lo)
	b.m.Add(decode.Conversion{In: int(raw - b.to)})
	b.m.Add(decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1})
	b.to = raw + int64(n)
	in.lo += n
	in.taken.Read += int64(n)
	return n, nil
}

// Origin implements [decode.Stage], with raw offsets.
func (b *body) Origin(off int64) (int64, bool) {
	in, exact := b.m.Origin(off)
	return b.at + in, exact
}

// Span implements [decode.Stage], with raw offsets. It is always exact.
func (b *body) Span(start, end int64) (lo, hi int64, exact bool) {
	lo, hi, exact = b.m.Span(start, end)
	return b.at + lo, b.at + hi, exact
}

// Forget implements [decode.Stage]. It does not call the source: a chain does that.
func (b *body) Forget(off int64) { b.m.Forget(off) }
