package bzip2

import "bufio"

const noEnd = "no end of a block before the next one"

// A Reader reads one file. Call Reset before the first use, and again for each further
// file.
type Reader struct {
	// AtBlock is called where a block begins, before it is decoded. The Read that reached the
	// block then returns 0, nil. AtBlock may be nil.
	AtBlock func(BlockStart)

	Stopped error // an error of the input that is no damage

	bits     bitReader
	err      error         // returned by all later calls, until Continue
	goOn     func(*Reader) // the step with which Continue reads on; nil if it cannot
	where    func(*Reader) // the next step of reading
	met      bool          // AtBlock was called
	doubtful bool          // the last block was damaged, so the next one may not begin here

	first bool     // the next block is the first one of its stream
	sum   Checksum // of the blocks of the stream
	want  uint32   // checksum that the block should have
	block block

	unchecked struct { // the stream that ResetAt began in, once it has ended
		ended bool
		sum   Checksum
		want  uint32
	}
}

// A BlockStart is where a block begins.
type BlockStart struct {
	At    int64    // offset of the byte with its first bit, or of the header of its stream if it is the first block there
	Level int      // of the stream; 0 if At is that of its header
	Sum   Checksum // of the blocks of the stream in front of it
}

// Reset begins a file. The Reader reads no more of in than it needs.
func (r *Reader) Reset(in *bufio.Reader) {
	r.bits = bitReader{input: input{in: in, kept: r.bits.kept[:0]}}
	r.err, r.goOn, r.where, r.sum, r.met, r.doubtful = nil, nil, (*Reader).streamHeader, Checksum{}, false, false
	r.unchecked.ended = false
	r.block.text.reset()
}

// ResetAt begins in the middle of a file, where a block begins. Level and Sum are not used at the header of a stream. If Sum is not known, it is [Unknown]:
// then the checksum of the stream is not compared; see [Reader.Follows].
func (r *Reader) ResetAt(in *bufio.Reader, at BlockStart) {
	r.Reset(in)
	r.bits.n = at.At
	if head, _ := in.Peek(len(streamMagic)); string(head) != streamMagic {
		r.where = func(r *Reader) { r.begin(r.bits.firstMagic()) }
		r.first = false
		r.block.most, r.sum = 100_000*at.Level, at.Sum
	}
}

// Unknown is the Checksum of blocks that were not read.
var Unknown = Checksum{partial: true}

// Follows reports whether the checksum of the stream that ResetAt has begun in is right, if before is that of the blocks in front of that
// place. It is, as far as known, while the stream has not ended.
func (r *Reader) Follows(before Checksum) bool {
	u := &r.unchecked
	sum := before.Then(u.sum)
	return !u.ended || sum.bits == u.want && !sum.lost && !sum.partial
}

// Level returns the level of the stream that is read.
func (r *Reader) Level() int { return r.block.most / 100_000 }

// Read decompresses. It returns [io.EOF] at the end, [io.ErrUnexpectedEOF] if the file is
// truncated, an [*Error] for damage, or an error of in unchanged. All text in front of the
// error is returned first.
func (r *Reader) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if n := r.block.text.read(p); n > 0 {
			return n, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		if r.where(r); r.bits.err != nil {
			r.err = r.bits.err
		}
		if r.met {
			r.met = false
			return 0, nil
		}
	}
	return 0, nil
}

// streamHeader reads the 4 bytes that begin a stream.
func (r *Reader) streamHeader() {
	b := &r.bits
	for _, c := range []byte(streamMagic) {
		if b.read(8) != uint64(c) {
			r.noStream("no header of a stream")
			return
		}
	}
	level := int(b.read(8)) - '0'
	if level < 1 || level > 9 {
		r.noStream("no header of a stream")
		return
	}
	r.block.most, r.sum, r.first, r.where = 100_000*level, Checksum{}, true, (*Reader).next
}

// noStream reports that no stream begins here. Continue then searches for a block, since only the
// header of the stream may be damaged. The size of the largest block would be in that header, so
// the search allows every size.
func (r *Reader) noStream(what string) {
	r.bits.fail(what)
	r.goOn, r.block.most = (*Reader).search, 900_000
}

// next reads a block, or the end of the stream.
func (r *Reader) next() {
	if !r.doubtful {
		r.bits.keep()
	}
	r.begin(r.bits.read(48))
}

// begin reads what follows the number magic: a block, or the end of the stream.
func (r *Reader) begin(magic uint64) {
	b := &r.bits
	switch {
	case b.err != nil:
		if r.doubtful && b.swallowed(r.Stopped) >= 0 {
			r.search()
		}
	case magic == endMagic:
		r.endStream(uint32(b.read(32)))
	case magic == blockMagic:
		at := BlockStart{At: (8*b.n - int64(b.have) - 48) / 8, Level: r.Level(), Sum: r.sum}
		if r.first {
			at.At, at.Level = at.At-int64(len(streamMagic)+1), 0
		}
		r.want, r.first = uint32(b.read(32)), false
		r.sum.add(r.want)
		r.where = (*Reader).decode
		if r.AtBlock != nil && b.err == nil {
			r.AtBlock(at)
			r.met = true
		}
	case r.doubtful: // the block in front was damaged, and that was reported
		r.search()
	default:
		b.fail("no header of a block")
		r.goOn = (*Reader).search
	}
	r.doubtful = false
}

// decode decodes the block whose header was read.
func (r *Reader) decode() {
	r.bits.keep()
	r.goOn = (*Reader).search
	if r.block.decode(&r.bits); r.bits.err == nil {
		r.goOn = nil
	} else if at := r.bits.swallowed(r.Stopped); at >= 0 {
		r.bits.err = &Error{Offset: at, What: noEnd}
	}
	r.where = (*Reader).check
}

// check compares the checksum of the block that was read.
func (r *Reader) check() {
	r.where = (*Reader).next
	if ^r.block.text.sum != r.want {
		r.bits.fail("block checksum does not match")
		r.goOn, r.sum.lost, r.doubtful = (*Reader).next, true, true
	}
}

// endStream compares the checksum of the stream with want.
func (r *Reader) endStream(want uint32) {
	b := &r.bits
	r.where = (*Reader).between
	switch {
	case r.sum.partial:
		r.unchecked.ended, r.unchecked.sum, r.unchecked.want = true, r.sum, want
	case want != r.sum.bits && !r.sum.lost:
		b.fail("checksum of a stream does not match")
		r.goOn = (*Reader).between
	}
	b.align()
}

// between reads what follows a stream: zeros, the end, or another stream.
func (r *Reader) between() {
	b := &r.bits
	b.keep()
	for {
		c, err := b.next()
		if err != nil {
			b.err = err // io.EOF, or an error of the input
			return
		}
		if c != 0 {
			break
		}
		_, _ = b.consume()
		b.keep()
	}
	for _, want := range []byte(streamMagic) {
		c, err := b.next()
		if err != nil {
			break
		}
		if _, _ = b.consume(); c != want {
			b.again()
			r.noStream("trailing bytes that begin no stream")
			return
		}
	}
	b.again()
	r.where = (*Reader).streamHeader
}

// CanContinue reports whether the last error is damage after which reading can continue.
func (r *Reader) CanContinue() bool {
	_, damaged := r.err.(*Error)
	return damaged && r.goOn != nil
}

// Continue continues after damage, if CanContinue returns true. A damaged block is left out: if
// another block follows, Read returns a line break in its place. If only the checksum of a
// block is wrong, its text was returned before, and nothing is left out.
func (r *Reader) Continue() {
	r.bits.err, r.err = nil, nil
	r.where, r.goOn = r.goOn, nil
}

// search continues at the next block.
func (r *Reader) search() {
	r.bits.again()
	head, whole, ok := r.bits.findBlock()
	if !ok {
		return
	}
	r.sum.lost = true
	if r.first = whole && isHeader([]byte(head)); r.first {
		r.block.most, r.sum = 100_000*int(head[3]-'0'), Checksum{}
	}
	r.block.text.skipped()
	r.where = func(r *Reader) { r.begin(blockMagic) }
}
