package document

import (
	"bufio"
	"io"
)

// This file goes on where an earlier run has stopped. What is in front of it was read then.

// A Start is a place in the source's outermost stream from which it can be read.
type Start struct {
	Offset int64 // of the first byte of a line or, in a mailbox, of a message
	Mark   int64 // length of the byte order mark
	Mail   bool  // it is a mailbox
}

// Behind is how many bytes in front of Offset OpenFrom needs.
func (s Start) Behind() int64 {
	if s.Mail {
		return min(s.Offset, LineContext)
	}
	return 0
}

// Tap makes the Reader call tap with each stretch of the source's outermost stream that is read, and
// its offset. It holds for the source that is opened next. It is not called for archives,
// whose readers skip what they do not need.
func (o *Outermost) Tap(tap func(at int64, p []byte)) {
	o.d.Close()
	o.tap = tap
}

// Tapped reports whether tap was called for all that was read of the source's outermost
// stream.
func (o *Outermost) Tapped() bool { return o.tap != nil }

// Archived returns where the current member of the source's outermost stream begins, if that
// is a tar archive, and after the last one where that ends.
func (o *Outermost) Archived() (at int64, ok bool) {
	if o.tar == nil {
		return 0, false
	}
	return o.tar.Begun(), true
}

// StopAt ends the source's outermost stream at the offset at, as if nothing followed there.
// It may be called by [Hooks].Layout.
func (o *Outermost) StopAt(at int64) { o.until = at }

// OpenFrom starts the Reader at the place at. If packed is set, r reads the source from its first
// byte, and what is in front of the place is decompressed again. Otherwise r reads it from
// the place on, with Behind bytes in front. begins is that of [Hooks].Layout. OpenFrom
// returns false if reading cannot start at the place after all; then the source has to be read
// from the beginning.
func (o *Outermost) OpenFrom(r io.Reader, at Start, packed bool, begins func(at int64, before int) bool) bool {
	d, tap := o.d, o.tap
	d.Close()
	o.tap = tap
	from := at.Offset - at.Behind()
	var in *bufio.Reader
	if packed {
		d.pool.Source.Reset(r, nil)
		opened, over := d.pool.Open(&d.pool.Source)
		if in = opened; over != nil || !discard(in, from, o.tap, d.hooks.Stopped) {
			return false
		}
		d.pool.Frames.CheckEach(d.pool.Compressions() == 1)
	} else {
		in = d.pool.OpenPlain(r, from)
	}
	if !at.Mail {
		o.linesAt(in, at)
		return true
	}
	more := func(read int64) bool { return read <= at.Offset }
	found, ok := o.OpenMessages(in, from, at.Offset, more, begins)
	return ok && found == at.Offset
}

// discard skips n bytes of in, and passes them to tap if that is not nil. Each iteration skips
// a buffer.
func discard(in *bufio.Reader, n int64, tap func(at int64, p []byte), stopped func() bool) bool {
	for at := int64(0); at < n; {
		_, err := in.Peek(1)
		b, _ := in.Peek(int(min(int64(in.Buffered()), n-at)))
		if tap != nil {
			tap(at, b)
		}
		skipped, _ := in.Discard(len(b))
		if at += int64(skipped); skipped == 0 && err != nil || stopped() {
			return false
		}
	}
	return true
}

// linesAt starts the running text in which in is at the place at.
func (o *Outermost) linesAt(in *bufio.Reader, at Start) {
	d := o.d
	s := d.down(in)
	s.mark, s.raw.read, s.begun = at.Mark, at.Offset, true
	s.first, s.from, s.classed = at.Offset, at.Offset, at.Offset
	t := d.newText(s)
	t.Direct, t.Mark, t.Start = true, at.Mark, at.Offset-at.Mark
	s.direct = true
	d.held = t
}
