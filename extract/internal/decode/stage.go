package decode

import (
	"errors"
	"io"
)

// bufSize is the source buffer of a stage. It holds MaxUnit many times over,
// so that a decoder that asks for more can always be given some.
const bufSize = 8 << 10

// ErrPause is what a Decoder of this package returns, with the empty Run, to
// have what was made so far handed on before it goes on. The next call goes on.
var ErrPause = errors.New("decode: pause")

// ErrYield is what a sink returns that has no room for more. The Read that called it
// then returns, if need be with 0, nil, and the next one goes on.
var ErrYield = errors.New("decode: yield")

// A stage is the one place where decoders meet reading, buffers, ends and
// errors. Its rules are:
//
//   - It reads from below only when the decoder, with all that is in buf, made
//     nothing. So a Read below is never waited for with output in hand.
//   - srcErr stays until the decoder, told that nothing more comes, has made
//     what it can of the rest; only then it is the stage's.
//   - A decoder has room for any unit: what does not fit in a short p goes
//     through spill.
type stage struct {
	r    io.Reader
	d    Decoder
	runs BatchDecoder // d, if it is one
	m    Map

	buf    []byte // buf[lo:hi] is source that was not turned yet
	lo, hi int
	srcErr error // r's, to be told when buf is used up
	end    error // sticky
	yield  bool  // Read is to return, though nothing was made

	// made is the error in end if it was this stage that found the damage.
	made *Error

	// mild, if not nil, is told of damage that was stepped over, with an offset
	// in this stage's input, while all stages below still know it.
	mild func(s *stage, e *Error)

	// A p shorter than MinRoom is filled from spill[from:to].
	spill    [MinRoom]byte
	from, to int
}

// NewStage returns a Stage that reads r through d, with a buffer of 8 KiB. It
// resets d first, and owns it from then on.
func NewStage(r io.Reader, d Decoder) Stage {
	s := new(stage)
	s.reset(r, d)
	return s
}

func (s *stage) reset(r io.Reader, d Decoder) {
	d.Reset()
	if s.buf == nil {
		s.buf = make([]byte, bufSize)
	}
	s.m.Reset()
	runs, _ := d.(BatchDecoder)
	// One by one: spill is long, and says nothing without from and to.
	s.r, s.d, s.runs = r, d, runs
	s.lo, s.hi, s.from, s.to = 0, 0, 0, 0
	s.srcErr, s.end, s.made = nil, nil, nil
}

func (s *stage) Origin(off int64) (int64, bool)                { return s.m.Origin(off) }
func (s *stage) Span(start, end int64) (lo, hi int64, ex bool) { return s.m.Span(start, end) }
func (s *stage) Forget(off int64)                              { s.m.Forget(off) }

// Read turns what is there. It reads from below only when nothing could be
// made without, and then once, so that it holds nothing back.
func (s *stage) Read(p []byte) (int, error) {
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
		s.from, s.to = 0, n // an error comes again with the next read
	}
	n := copy(p, s.spill[s.from:s.to])
	s.from += n
	return n, nil
}

// read is Read for a p of at least MinRoom bytes. Either n is 0 or err is nil; both are
// where a sink has yielded.
func (s *stage) read(p []byte) (n int, err error) {
	for {
		n = s.turn(p)
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
		s.fill()
	}
}

// turn decodes from buf into p until there is no room, no source, or a pause
// behind something made, and returns how much it made. Each step but the last
// and those at a pause takes source or fills room, which bounds the loop.
func (s *stage) turn(p []byte) (n int) {
	for len(p)-n >= MinRoom && s.end == nil {
		at := s.m.in // of src[0]
		var in, out int
		var err error
		if s.runs != nil {
			in, out, err = s.runs.DecodeBatch(&s.m, p[n:], s.buf[s.lo:s.hi], s.srcErr != nil)
		} else {
			var run Run
			run, err = s.d.Decode(p[n:], s.buf[s.lo:s.hi], s.srcErr != nil)
			s.m.Add(run)
			in, out = run.In, run.Out
		}
		s.yield = err == ErrYield
		if err != nil && err != ErrPause && !s.yield {
			err = s.fail(err, at)
		}
		s.lo += in
		n += out
		if err == ErrPause && n == 0 {
			continue
		}
		if err != nil || in == 0 && out == 0 {
			break
		}
	}
	return n
}

// fail ends the stage with err, unless that is mild, and returns what is left of
// it. Its Offset is counted from at, an offset of this stage's input. Damage that
// is only the end of a source that failed is not told: the source's error says
// more.
func (s *stage) fail(err error, at int64) error {
	e, ok := err.(*Error)
	switch {
	case ok && e.Mild:
		if s.mild != nil && (s.srcErr == nil || s.srcErr == io.EOF) {
			e.Offset += at
			s.mild(s, e)
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

// fill reads once more from below, that is until something came, or an error,
// or nothing a hundred times.
func (s *stage) fill() {
	if s.lo > 0 {
		s.hi = copy(s.buf, s.buf[s.lo:s.hi])
		s.lo = 0
	}
	if s.hi == len(s.buf) { // a decoder that broke its promise of MaxUnit
		s.srcErr = io.ErrShortBuffer
		return
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.hi:])
		s.hi += n
		s.srcErr = err
		if n > 0 || err != nil {
			return
		}
	}
	s.srcErr = io.ErrNoProgress
}
