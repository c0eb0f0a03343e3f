package document

import (
	"bufio"
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// Outermost is the outermost stream of the source that a Reader reads. Reading of it can start
// in the middle, and its damage may be skipped: see [Losses].
type Outermost struct {
	Lost   Losses // damage that did not end it
	d      *Reader
	stopAt int64                           // where the stream is to end: see StopAt; -1 for none
	onRead func(at int64, p []byte)        // gets the bytes that are read, or nil: see OnRead
	tar    *untar                          // reads it, if it is a tar archive
	begins func(at int64, before int) bool // of its mailbox: see Hooks.OnDivision
	paused bool                            // see Pause

	lineEnds int64 // see LineEnds
}

// reset forgets what was set for the last source.
func (o *Outermost) reset() {
	*o = Outermost{Lost: Losses{to: o.Lost.to, list: o.Lost.list[:0]}, d: o.d, stopAt: -1}
}

// The caller may take stretches of the outermost stream and let others read them.

// Ahead reads in advance, until size bytes of the stream are known or until ready, which is called before each
// Read, returns false. It returns the bytes that follow those that were read; they are valid until the next
// call of a method. ended says that nothing follows them: the stream has ended, or is damaged.
func (o *Outermost) Ahead(size int, ready func() bool) (b []byte, ended bool) {
	r := &o.d.streams[0].raw
	if cap(r.ahead) < size {
		r.reserve(0, max(size, len(r.ahead)))
	}
	for len(r.ahead) < size && r.aheadErr == nil && ready() {
		n := 0
		n, r.aheadErr = r.in.Read(r.ahead[len(r.ahead):size])
		r.ahead = r.ahead[:len(r.ahead)+n]
	}
	return r.ahead, r.aheadErr != nil
}

// Take takes the next n bytes from those that Ahead has returned, during a pause: they are not read
// and not counted. They belong to the caller. next is memory for what is read in advance from now on; it may be nil.
func (o *Outermost) Take(n int, next []byte) []byte {
	r := &o.d.streams[0].raw
	b := r.ahead[:n]
	r.ahead, r.room = r.ahead[n:], next
	r.reserve(0, max(len(next), cap(b)))
	r.read += int64(n)
	o.d.pool.Source.CountDecompressed(n)
	return b
}

// Pause makes the Reader call Hooks.Paused when the current text, or the current mailbox, has ended
// for it. The caller ends the text by returning io.EOF to its own reader, and a mailbox by
// returning false from begins.
func (o *Outermost) Pause() {
	o.paused = true
	s := o.d.streams[0]
	if !s.mail {
		return
	}
	r := &s.raw
	rest, _ := s.mailboxes[0].Unread()
	r.reserve(len(rest), max(len(r.room), len(rest)+len(r.ahead)))
	r.ahead = r.room[:copy(r.room, rest)+len(r.ahead)]
	r.read -= int64(len(rest))
	o.d.ledger.Add(ledger.RawAll, -int64(len(rest)))
	o.d.pool.Source.CountDecompressed(-len(rest))
}

// Reading may start in the middle of the source's outermost stream. Another worker reads the bytes
// in front of that place, or an earlier run or another range has read them. LastLine, LastMessage and LastRecord
// find the last complete line, message or record of a growing file.

// maxFromLine is how many bytes of a line are examined to see whether it begins a
// message. For a longer line only the reader of the mailbox can decide.
const maxFromLine = 1 << 10

// LineContext is how many bytes in front of a line have to be known to see whether the line before
// it is blank.
const LineContext = 8

// openMessages starts the Reader at the offset from of a mailbox, if a line that certainly begins a message is there. at is the offset of in's first byte, in
// front of it. begins is like the function that [Hooks].OnDivision returns. Each iteration discards what
// is buffered, except for maxFromLine bytes.
func (o *Outermost) openMessages(in *bufio.Reader, at, from int64, begins func(at int64, before int) bool) bool {
	d := o.d
	s := d.down(in)
	s.raw.read, s.begun, s.division = at, true, Messages
	for s.raw.read <= from {
		_, err := in.Peek(in.Size())
		b, _ := in.Peek(in.Buffered())
		pass := mail.FindMessage(b, int(from-s.raw.read))
		found := pass >= 0
		if !found {
			pass = len(b) - maxFromLine
		}
		if pass <= 0 && !found || d.hooks.Stopped() {
			return false
		}
		_, _ = in.Discard(pass)
		if s.raw.read += int64(pass); found {
			s.messagesFrom(d, s.raw.read, begins)
			return s.raw.read == from
		}
		if err != nil {
			return false
		}
	}
	return false
}

// Position returns the line and column of the byte of the current mailbox whose offset is at. Both
// are counted from where reading started.
func (o *Outermost) Position(at int64) (line, column int64) {
	line, column, _ = o.d.streams[0].lines.Position(at)
	return line, column
}

// LineEnds returns how many line ends were read of a mailbox that has ended.
func (o *Outermost) LineEnds() int64 { return o.lineEnds }

// Identity returns the identity of the last message of the mailbox that has ended: see [mail.Reader.Identify]. It is known if
// OnRead was called.
func (o *Outermost) Identity() uint64 { return o.d.streams[0].mailboxes[0].Identity() }

// Read returns how many bytes of the source's outermost stream were read: the offset of
// the next byte.
func (o *Outermost) Read() int64 { return o.d.streams[0].raw.read }

// A Start is a place in the source's outermost stream from which it can be read.
type Start struct {
	Offset int64    // offset of the first byte of a line, message or record
	BOM    int64    // length of the byte order mark
	Kind   Division // of the stream
}

// Before is how many bytes in front of Offset OpenFrom needs.
func (s Start) Before() int64 {
	if s.Kind == Messages {
		return min(s.Offset, LineContext)
	}
	return 0
}

// OnRead makes the Reader call f for the source that is opened next, with each stretch of its
// outermost stream that is read, and the offset of the stretch. f is not called for archives,
// whose readers skip what they do not need.
func (o *Outermost) OnRead(f func(at int64, p []byte)) {
	o.d.Close()
	o.onRead = f
}

// IsBinary reports whether the first bytes of the stream show that it is not text. The stream has
// begun, and nothing was read of its text. IsBinary may wait for these bytes.
func (o *Outermost) IsBinary() bool {
	head, _ := o.d.streams[0].raw.in.Peek(textHead)
	return isBinary(head)
}

// BeginsWith reports whether the stream begins with mark, which is short. Nothing was read of it but its byte order mark.
func (o *Outermost) BeginsWith(mark string) bool {
	head, _ := o.d.streams[0].raw.in.Peek(len(mark))
	return string(head) == mark
}

// BeganBinary is IsBinary without waiting, for a stream of which something was read, or of which Ahead has
// returned ahead.
func (o *Outermost) BeganBinary(ahead []byte) bool {
	head := o.d.streams[0].raw.head
	if len(head) == 0 {
		head = ahead[:min(len(ahead), textHead)]
	}
	return isBinary(head)
}

// PassedAll reports whether the function of OnRead was called for all that was read of the
// source's outermost stream.
func (o *Outermost) PassedAll() bool { return o.onRead != nil }

// Archived returns the offset at which the current member begins, if the source's outermost stream
// is a tar archive; otherwise ok is false. After the last member it returns the offset at which
// that member ends.
func (o *Outermost) Archived() (at int64, ok bool) {
	if o.tar == nil {
		return 0, false
	}
	return o.tar.Begun(), true
}

// StopAt ends the source's outermost stream as if nothing followed; at is the offset of that end.
// It may be called by [Hooks].OnDivision.
func (o *Outermost) StopAt(at int64) { o.stopAt = at }

// OpenFrom starts the Reader at a place, which the argument at describes. If packed is set, r reads
// the source from its first byte, and everything in front of the place is decompressed again.
// Otherwise r begins at.Before() bytes in front of the place. begins is like the function that
// [Hooks].OnDivision returns. OpenFrom returns false if reading cannot start at the place after
// all; then the source has to be read from the beginning.
func (o *Outermost) OpenFrom(r io.Reader, at Start, packed bool, begins func(at int64, before int) bool) bool {
	d, onRead := o.d, o.onRead
	d.Close()
	o.onRead = onRead
	from := at.Offset - at.Before()
	var in *bufio.Reader
	if packed {
		d.pool.Source.Reset(r, nil)
		opened, exceeded := d.pool.Open(&d.pool.Source, d.name)
		if in = opened; exceeded != nil || !discard(in, from, o.onRead, d.hooks.Stopped) {
			return false
		}
		d.pool.CheckRatio(d.pool.Compressions() == 1)
	} else {
		in = d.pool.OpenPlain(r, from)
	}
	if at.Kind != Messages {
		o.begin(in, at, begins)
		return true
	}
	return o.openMessages(in, from, at.Offset, begins)
}

// OpenBlock starts the Reader at a block of a stream, which is the pieces of data, or r reads it if data is nil. at says where it begins. The bytes of data are not
// counted as stored ones. begins is called for each of its messages.
func (o *Outermost) OpenBlock(data [][]byte, r io.Reader, at Start, begins func(at int64, before int) bool) {
	if data == nil {
		o.begin(o.d.pool.OpenPlain(r, at.Offset), at, begins)
		return
	}
	o.begin(o.d.pool.OpenMemory(at.Offset), at, begins)
	raw := &o.d.streams[0].raw
	raw.ahead, raw.more, raw.aheadErr = data[0], data[1:], io.EOF
}

// OpenRest starts the Reader at the place at of a stream. The bytes from there on are ahead, and then those of in.
func (o *Outermost) OpenRest(in *bufio.Reader, ahead []byte, at Start, begins func(at int64, before int) bool) {
	o.begin(in, at, begins)
	o.begins = begins
	o.d.streams[0].raw.ahead = ahead
}

// begin starts the Reader at the place at, where in begins.
func (o *Outermost) begin(in *bufio.Reader, at Start, begins func(at int64, before int) bool) {
	if !at.Kind.OfMessages() {
		o.linesAt(in, at)
		return
	}
	s := o.d.down(in)
	s.raw.read, s.begun, s.division = at.Offset, true, at.Kind
	s.messagesFrom(o.d, at.Offset, begins)
}

// discard skips n bytes of in, and passes them to onRead if that is not nil.
func discard(in *bufio.Reader, n int64, onRead func(at int64, p []byte), stopped func() bool) bool {
	for at := int64(0); at < n; {
		_, err := in.Peek(1)
		b, _ := in.Peek(int(min(int64(in.Buffered()), n-at)))
		if onRead != nil {
			onRead(at, b)
		}
		skipped, _ := in.Discard(len(b))
		if at += int64(skipped); skipped == 0 && err != nil || stopped() {
			return false
		}
	}
	return true
}

// linesAt starts reading running text at the place at, where in begins.
func (o *Outermost) linesAt(in *bufio.Reader, at Start) {
	d := o.d
	s := d.down(in)
	s.bom, s.raw.read, s.begun = at.BOM, at.Offset, true
	s.first, s.from, s.classed = at.Offset, at.Offset, at.Offset
	t := d.newText(s)
	t.Direct, t.BOM, t.Start = true, at.BOM, at.Offset-at.BOM
	s.direct = true
	d.delayed = t
}

// searchStep is how many bytes of a file are searched at a time, from its end.
const searchStep = 64 << 10

// LastLine returns the offset after the last line break in the file r, which has size bytes. It
// returns 0 if there is no line break.
func LastLine(r io.ReaderAt, size int64) int64 {
	buf := make([]byte, min(size, searchStep))
	for end := size; end > 0; {
		b := buf[:min(end, searchStep)]
		end -= int64(len(b))
		n, _ := r.ReadAt(b, end)
		if k := bytes.LastIndexByte(b[:n], '\n'); k >= 0 {
			return end + int64(k) + 1
		}
	}
	return 0
}

// LastRecord is LastMessage for a web archive, in which a record begins at from.
func LastRecord(r io.ReaderAt, from, size int64) int64 {
	buf := make([]byte, searchStep)
	last := from
	for at := from; at < size; {
		n, _ := r.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		begin, next := mail.Record(buf[:n])
		if next < 0 {
			break
		}
		last = at + int64(begin)
		at += next
	}
	return last
}

// LastMessage returns the offset at which the last message begins in the mailbox r, which has
// size bytes. It returns from if no message is known to begin after that offset. Each iteration
// searches a step, which overlaps with the next one by the longest line that is examined.
func LastMessage(r io.ReaderAt, from, size int64) int64 {
	const overlap = 1 << 10
	buf := make([]byte, searchStep)
	for end := size; end > from; {
		begin := max(0, from-LineContext, end-searchStep)
		n, _ := r.ReadAt(buf[:end-begin], begin)
		if k := mail.LastMessage(buf[:n], n); k >= 0 && begin+int64(k) > from {
			return begin + int64(k)
		}
		if begin == 0 || begin <= from {
			break
		}
		end = begin + overlap
	}
	return from
}
