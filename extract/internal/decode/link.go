package decode

import (
	"errors"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// ErrPause is returned by a Decoder, with a Conversion without output, if its output so far must
// reach the reader first. The next call of Decode continues.
var ErrPause = errors.New("decode: pause")

// ErrYield is returned by a sink that has no room for more. The Read that called the sink returns
// the text that it has, or 0, nil. The next Read continues.
var ErrYield = errors.New("decode: yield")

// A link runs a Decoder over a reader. It has the buffers and handles the end of the input and
// errors. Its rules are:
//
//   - It reads from below only if the decoder made no output from buf. So it never waits
//     for input while it has output.
//   - It returns srcErr only after the decoder has converted the rest of buf with atEOF
//     set.
//   - A decoder always has room for any unit: if p is short, output passes through spill.
type link struct {
	r            io.Reader
	d            Decoder
	batchDecoder BatchDecoder // d, if it is a BatchDecoder; else nil
	copier       Copier       // d, if it is a Copier; else nil
	m            Map

	buf    []byte // buf[lo:hi] is input that is not converted yet
	lo, hi int
	srcErr error // of r; returned when buf is used up
	end    error // what Read returns when all is read; sticky
	yield  bool  // Read returns, even without output

	// made is the error in end, if this link found the damage.
	made *damage.Damage

	chain *Chain // gets damage that was skipped, whose Offset is in the input of the link; or nil

	// A p shorter than MinRoom is filled from spill[from:to].
	spill    [MinRoom]byte
	from, to int
}

// NewLink returns a MappedReader that decodes r with d, with a buffer of 8 KiB. It
// resets d first, and owns it from then on.
func NewLink(r io.Reader, d Decoder) MappedReader {
	s := new(link)
	s.reset(r, d)
	return s
}

func (s *link) reset(r io.Reader, d Decoder) {
	d.Reset()
	if s.buf == nil {
		s.buf = make([]byte, bufSize)
	}
	s.m.Reset()
	batchDecoder, _ := d.(BatchDecoder)
	copier, _ := d.(Copier)
	// Fields are set one by one: spill is long and need not be cleared.
	s.r, s.d, s.batchDecoder, s.copier = r, d, batchDecoder, copier
	s.lo, s.hi, s.from, s.to = 0, 0, 0, 0
	s.srcErr, s.end, s.made = nil, nil, nil
}

func (s *link) Origin(off int64) (int64, bool)                { return s.m.Origin(off) }
func (s *link) Span(start, end int64) (lo, hi int64, ex bool) { return s.m.Span(start, end) }
func (s *link) Forget(off int64)                              { s.m.Forget(off) }

// Read converts the buffered input. It reads from below only if the buffered input gives no
// output. So it returns output as soon as there is any.
func (s *link) Read(p []byte) (int, error) {
	if len(p) >= MinRoom && s.from == s.to { // the usual case
		return s.read(p)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if s.from == s.to {
		n, err := s.read(s.spill[:])
		if n == 0 {
			return 0, err
		}
		s.from, s.to = 0, n // the next call returns the error again
	}
	n := copy(p, s.spill[s.from:s.to])
	s.from += n
	return n, nil
}

// read is Read for a p of at least MinRoom bytes. It returns bytes or an error. It returns
// neither if a sink has asked it to return early.
func (s *link) read(p []byte) (n int, err error) {
	for {
		n = s.convert(p)
		if n > 0 || s.yield {
			s.yield = false
			return n, nil
		}
		if s.end != nil {
			return 0, s.end
		}
		if s.srcErr != nil {
			s.end = s.srcErr
			return 0, s.end
		}
		if s.copier == nil || s.lo < s.hi {
			s.fill()
		} else if n = s.pass(p); n > 0 {
			return n, nil
		}
	}
}

// pass is fill for a Copier: it reads into p, where what is only copied stays, and moves the rest to buf. It
// returns how many bytes stay.
func (s *link) pass(p []byte) (n int) {
	got := s.get(p[:min(len(p), len(s.buf))])
	n = s.copier.Copies(p[:got])
	s.m.Add(Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1})
	s.lo, s.hi = 0, copy(s.buf, p[n:got])
	return n
}

// convert decodes from buf into p until p is full, buf is used up, or the decoder pauses
// after some output. It returns the number of bytes of output. Each iteration, except the
// last and those that end with a pause, consumes input or makes output, which bounds the
// loop.
func (s *link) convert(p []byte) (n int) {
	if s.end != nil {
		return 0
	}
	atEOF := s.srcErr != nil
	for len(p)-n >= MinRoom {
		at := s.m.in // offset of src[0]
		var in, out int
		var err error
		if s.batchDecoder != nil {
			in, out, err = s.batchDecoder.DecodeBatch(&s.m, p[n:], s.buf[s.lo:s.hi], atEOF)
		} else {
			var conv Conversion
			conv, err = s.d.Decode(p[n:], s.buf[s.lo:s.hi], atEOF)
			s.m.Add(conv)
			in, out = conv.In, conv.Out
		}
		s.lo += in
		n += out
		switch {
		case err == nil:
		case err == ErrPause:
			if n > 0 {
				return n
			}
			continue
		case err == ErrYield:
			s.yield = true
			return n
		case s.fail(err, at) != nil:
			return n
		}
		if in == 0 && out == 0 {
			return n
		}
	}
	return n
}

// fail ends the link with err. If err is mild, fail reports it and returns nil. at is the
// offset in this link's input from which the Offset of err is counted. If the source has
// failed, damage at its end is not reported: the error of the source is the cause.
func (s *link) fail(err error, at int64) error {
	e, ok := err.(*damage.Damage)
	switch {
	case ok && e.Mild:
		if s.chain != nil && (s.srcErr == nil || s.srcErr == io.EOF) {
			e.Offset += at
			s.chain.skipped(s, e)
		}
		return nil
	case !ok:
		s.end = err
	case s.srcErr != nil && s.srcErr != io.EOF:
		s.end = s.srcErr
	default:
		e.Offset += at
		s.made, s.end = e, e
	}
	return err
}

// fill reads from below into buf.
func (s *link) fill() {
	if s.lo > 0 {
		s.hi = copy(s.buf, s.buf[s.lo:s.hi])
		s.lo = 0
	}
	if s.hi == len(s.buf) { // the decoder asks for more than MaxAhead: it is broken
		s.srcErr = io.ErrShortBuffer
		return
	}
	s.hi += s.get(s.buf[s.hi:])
}

// get reads from below into b until a Read returns bytes or an error, at most damage.MostIdle times. It returns the
// number of bytes.
func (s *link) get(b []byte) int {
	for range damage.MostIdle {
		n, err := s.r.Read(b)
		s.srcErr = err
		if n > 0 || err != nil {
			return n
		}
	}
	s.srcErr = io.ErrNoProgress
	return 0
}

// A BatchDecoder is a Decoder whose Conversions are short. DecodeBatch makes many of them in
// one call, and adds them to the Map itself.
type BatchDecoder interface {
	Decoder

	// DecodeBatch does what repeated calls of Decode do, until dst has less than MinRoom left,
	// or Decode would return the empty Conversion or an error. DecodeBatch returns how many
	// bytes it has converted in all, and that error. The Offset of the error is counted from
	// src[0] of DecodeBatch.
	DecodeBatch(m *Map, dst, src []byte, atEOF bool) (in, out int, err error)
}

// A Copier is a Decoder that leaves most of its input unchanged, such as that of a charset. The link lets it
// examine such input in the buffer of the reader above, and copies nothing.
type Copier interface {
	Decoder

	// Copies returns how many bytes at the beginning of src, which come next, Decode would copy, whatever
	// follows them. It may return less. The link then takes these bytes as decoded.
	Copies(src []byte) int
}
