package mail

import (
	"bytes"
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
	r  *Reader
	m  decode.Map
	at int64 // raw offset at which it begins
	in int64 // raw offset up to which m knows
}

func (b *body) reset(raw int64) {
	b.m.Reset()
	b.at, b.in = raw, raw
}

// Read returns what was found of the part, and searches for more only if nothing is left.
// Each iteration consumes bytes of the stream or reads.
func (b *body) Read(p []byte) (int, error) {
	f := &b.r.frame
	if len(p) == 0 {
		return 0, nil
	}
	for f.lo == f.ok {
		if b.r.done {
			if f.ok+f.held < f.hi {
				return 0, io.EOF // src's error comes after what is still in buf
			}
			return 0, b.r.failed(io.EOF)
		}
		b.r.step()
	}
	n := copy(p, f.buf[f.lo:f.ok])
	raw := f.raw(f.lo)
	b.m.Add(decode.Run{In: int(raw - b.in)})
	b.m.Add(decode.Run{In: n, Out: n, InUnit: 1, OutUnit: 1})
	b.in = raw + int64(n)
	f.lo += n
	b.r.taken.Read += int64(n)
	return n, nil
}

// Empty reports whether the part ends undamaged with nothing left of it. It reads as much
// as the first Read of the part would.
func (r *Reader) Empty() bool {
	for r.lo == r.ok && !r.done { // each iteration passes bytes of the stream, or reads
		r.step()
	}
	return r.lo == r.ok && r.failed(nil) == nil
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

// Classes of first bytes of lines that may be more than text.
const (
	dashClass  = 1 << iota // boundary lines
	fromClass              // From_ lines and quoted ones
	rnewsClass             // "#! rnews "
	babylClass             // ^_
	mmdfClass              // ^A^A^A^A
	dataClass              // the beginning of uuencoded or yEnc data
)

var classes = [256]uint8{
	'-': dashClass, 'F': fromClass, '>': fromClass, '#': rnewsClass, '\x1f': babylClass, '\x01': mmdfClass,
	'b': dataClass, '=': dataClass,
}

// A special says what a line is.
type special uint8

const (
	ordinary  special = iota
	short             // more has to be seen
	boundary          // of the multipart r.hit
	separator         // the end of the message
	quoted            // From_, with a '>' too many
	uuBegin
	yBegin
)

// stepText finds more of a body from ok on, up to the end of the buffer or to a special
// line. It reads once if there is nothing. It handles a special line only after all bytes
// in front of it were returned. Each iteration consumes a line.
//
// A line end that may belong to a boundary line after it is held back where it matters: in
// data that is not text (RFC 2046, section 5.1.1).
func (r *Reader) stepText() {
	f := &r.frame
	hi, last := r.articleEnd()
	first := f.ok + f.held
	starts, known := f.lines(first)
	// next returns the end of the line that contains i, or hi if it does not end before.
	next := func(i int) (end int, full bool) {
		if !known {
			k := bytes.IndexByte(f.buf[i:hi], '\n')
			if k < 0 {
				return hi, false
			}
			return i + k + 1, true
		}
		if len(starts) == 0 || starts[0]-f.at > int64(hi) {
			return hi, false
		}
		end = int(starts[0] - f.at)
		starts = starts[1:]
		return end, true
	}
	i := first // where a line begins, or continues
	if !f.bol {
		if i, f.bol = next(i); !f.bol {
			r.accept(hi, last)
			return
		}
	}
	for i < hi {
		if classes[f.buf[i]]&r.care != 0 {
			v, whole := f.view(i, hi, last)
			kind, n := r.classify(v, whole, i)
			if kind == short && i == first {
				f.fill()
				return
			}
			if kind > short && i == first { // all before it was handed out
				r.act(kind, i, n)
				return
			}
			if kind != ordinary { // once more, when it comes first
				break
			}
		}
		if i, f.bol = next(i); !f.bol {
			break
		}
	}
	r.accept(i, last && i == hi)
}

// accept adds the bytes in front of i to the text. Without new bytes it ends the body or
// reads.
func (r *Reader) accept(i int, last bool) {
	f := &r.frame
	was, held := f.ok, f.held
	f.ok, f.held = i, 0
	if r.hold && !last {
		n := endOfLine(f.buf[was:i])
		f.ok -= n
		if f.bol { // else it is a CR whose LF did not come yet
			f.held = n
		}
	}
	switch {
	case f.ok != was || f.held != held: // progress
	case !last:
		f.fill()
	default:
		r.finish(endMessage)
	}
}

// endOfLine returns the length of the line end at the end of b, or of a CR that may become
// one.
func endOfLine(b []byte) int {
	switch n := len(b); {
	case n > 1 && b[n-2] == '\r' && b[n-1] == '\n':
		return 2
	case n > 0 && (b[n-1] == '\n' || b[n-1] == '\r'):
		return 1
	}
	return 0
}

// classify decides what the line at i is. v is what can be seen of it; whole means that it
// is all. For a boundary line, and for the first line of data, n is its length. It examines
// only v.
func (r *Reader) classify(v []byte, whole bool, i int) (kind special, n int) {
	// wait is for lines that what comes next may make special.
	wait := func(may bool) special {
		if may && !whole {
			return short
		}
		return ordinary
	}
	switch v[0] {
	case '-':
		if yes, may := begins(v, "--"); !yes {
			return wait(may), 0
		}
		line, n, full := cutLine(v)
		if !full && (!whole || len(v) == lookahead) {
			return wait(true), 0
		}
		if r.hit, r.closing = r.match(line); r.hit >= 0 {
			return boundary, n
		}
	case 'F':
		return r.fromSeparates(v, whole, i), 0
	case '>':
		for n < len(v) && v[n] == '>' { // the part of the line that is seen bounds it
			n++
		}
		yes, may := begins(v[n:], "From ")
		if yes {
			return quoted, 0
		}
		return wait(may), 0
	case '#':
		return r.batchLine(v, whole, i), 0
	case '\x1f':
		return separator, 0
	case '\x01':
		return r.atMark(v, whole, mmdfLine), 0
	case 'b', '=':
		return beginsData(v, whole)
	}
	return ordinary, 0
}

// atMark is classify for lines that are separators if they begin with mark.
func (r *Reader) atMark(v []byte, whole bool, mark string) special {
	switch yes, may := begins(v, mark); {
	case yes:
		return separator
	case may && !whole:
		return short
	}
	return ordinary
}

// act handles the special line at i. All bytes in front of it were returned, except for a
// line end that is held.
func (r *Reader) act(kind special, i, n int) {
	f := &r.frame
	switch kind {
	case boundary: // with the line end before it, if that is held
		f.take(i+n, true)
		r.hitLen = n
		r.finish(endPart)
	case separator: // beginMessage takes the line
		f.take(i, true)
		r.finish(endMessage)
	case quoted:
		if f.held > 0 { // it was text after all
			f.ok, f.held = i, 0
			return
		}
		f.take(i+1, false) // what is left of the line is text
	case uuBegin, yBegin:
		r.drop(i+n, true)
		r.data = kind
	}
}
