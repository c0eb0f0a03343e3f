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
	d        *Reader
	from     io.Reader     // the stored bytes, from which in is to be opened
	in       *bufio.Reader // nil before it is opened
	read     int64
	cr       bool           // a CR without an LF is read as LF: see sniffMail
	exceeded *damage.Damage // the limit that was exceeded
	head     []byte         // its first bytes, up to textHead; reused
	s        *stream

	ahead    []byte   // read in advance, and not returned yet: see Outermost.Ahead
	more     [][]byte // of a block: what follows ahead
	aheadErr error    // what in has returned after these bytes
	room     []byte   // memory for them
}

// next reads once from what was read in advance, or from in.
func (r *raw) next(p []byte) (n int, err error) {
	for len(r.ahead) == 0 && len(r.more) > 0 {
		r.ahead, r.more = r.more[0], r.more[1:]
	}
	switch {
	case len(r.ahead) > 0:
		n = copy(p, r.ahead)
		r.ahead = r.ahead[n:]
	case r.aheadErr != nil:
		err, r.aheadErr = r.aheadErr, nil
	default:
		n, err = r.in.Read(p)
	}
	return n, err
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
		if limit <= r.read { // less if reading began behind it
			return 0, r.beyond()
		}
		p = p[:limit-r.read]
	}
	if r.s.level == 0 && d.outermost.stopAt >= 0 {
		if p = p[:min(int64(len(p)), max(0, d.outermost.stopAt-r.read))]; len(p) == 0 {
			return 0, io.EOF
		}
	}
	n, err := r.next(p)
	if d.outermost.onRead != nil && r.s.level == 0 {
		d.outermost.onRead(r.read, p[:n])
	}
	if r.read < textHead {
		r.head = append(r.head, p[:min(int64(n), textHead-r.read)]...)
	}
	if r.cr {
		r.endLines(p[:n])
	}
	d.ledger.Add(ledger.RawAll, int64(n))
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

// reserve moves what was read in advance to the index at of room, which gets size bytes.
func (r *raw) reserve(at, size int) {
	room := r.room
	if len(room) < size {
		room = make([]byte, size)
	}
	n := copy(room[at:], r.ahead)
	r.room, r.ahead = room, room[at:at+n]
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
	r.d.outermost.Lost.add(r.s.locate(Where{}, m))
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

// An account counts the bytes of a raw stream by what was done with them. Each byte is
// counted once, in one class of the ledger. Bytes are counted in stretches, after they
// were read, and never one by one or by line. Bytes that are finished and in no other
// class are framing.
type account struct {
	texts int   // number of texts that were yielded
	from  int64 // raw offset from which the text is counted

	done, classed int64 // bytes that the reader has finished, and bytes that were counted in a class

	read, rest ledger.Count // classes of the bytes of the part or member that are read, and of those that are not
	hasClasses bool         // read and rest are set

	seenRead, seenPassed, seenData int64 // counts of the reader when they were last examined
}

// countAs adds n bytes to a class.
func (a *account) countAs(l *ledger.Ledger, c ledger.Count, n int64) {
	if n > 0 {
		l.Add(c, n)
		a.classed += n
	}
}

// A leftover is the rest of a member that is not read any further.
type leftover struct {
	class    ledger.Count // RawData, or RawOverLimit, or RawDamaged
	buffered int64        // bytes of the rest that were read into buffers
	all      bool         // the whole member is left: only its format was recognised
}

// before returns the class of the bytes of a member in front of the leftover.
func (left *leftover) before() ledger.Count {
	if left.all {
		return left.class
	}
	return ledger.RawPacked
}
