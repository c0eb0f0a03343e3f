package extract

import (
	"bufio"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// One frame of zstd on several processors. The library can take a frame apart in three
// goroutines: literals, sequences, and putting them together. A worker that reads ahead
// (ahead.go) in a long frame of a file has it done so, from the beginning of the frame,
// and drops what its reader has already:
//
//	file ─► gate ─► library's goroutines ─► Write ─► chunks ─► reader
//
// A block is a chunk, as where the frame is read as a stream. It is held back until the
// next comes. If the frame has a fault, the block before that is dropped, and what
// follows the others is left to the stream, which meets the fault in its place: what is
// found and told does not depend on how a frame was read. But for this: a panic of the
// library in goroutines of its own cannot be met, and would end the program; in a stream it
// is an Error. FuzzLongFrame looks for such.

// pipelineBlocks is how many blocks the library works at, at most. With fewer its
// goroutines wait for one another more often; each costs up to half a MiB.
const pipelineBlocks = 16

// pipelineWindow is how much a frame may ask to be remembered, in bytes.
const pipelineWindow = 8 << 20

// A frame of which so many Reads, one at least for each block, got no more than so many
// bytes each is left to the stream.
const (
	pipelineReads = 8 << 10
	pipelineLeast = 128
)

// errPipeline leaves a frame to the stream: before a limit, or of tiny blocks. Nobody sees it.
var errPipeline = plainError("left to the stream")

// Frames that were read to their end, and those that were not, of all; for tests.
var pipelined, unpipelined atomic.Int64

// A pipeline is of one ahead, for one frame after another.
type pipeline struct {
	a      *ahead
	frames *frames
	z      *zstd.Decoder
	in     *bufio.Reader // the file, from the beginning of the frame on
	size   int64         // of the source
	skip   int64         // bytes of text that the reader has already
	text   int64         // bytes of the frame's text that were handed over, with these
	held   int           // bytes of the chunk that is next, held back
	got    int           // blocks

	// The library's first goroutine's.
	gate  zstdGate
	from  int64 // where the frame begins, in what is stored
	at    int64 // and what is read next
	reads int64
	ends  [2 * pipelineBlocks]atomic.Int64
}

// long returns the frame that a is in, if it may be read by a pipeline: one of a regular
// file that is packed once, and read by nobody else.
func (a *ahead) long() *members {
	m, ok := a.top.r.(*members)
	if !ok || len(a.layers) > 1 || m.is != zstdCodec || a.slow || m.frames.unit > 0 {
		return nil
	}
	return m
}

// run hands over what is left of the frame that m is in, or of that what is whole, and
// leaves m to go on behind it.
func (p *pipeline) run(a *ahead, m *members) {
	file := a.stored.r.(*os.File)
	info, err := file.Stat()
	if err != nil {
		return
	}
	at, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return
	}
	base := at - a.stored.n // where the source begins in the file
	if p.z == nil {
		p.z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(pipelineBlocks), zstd.WithDecoderLowmem(false),
			zstd.WithDecoderMaxMemory(1<<62), zstd.WithDecoderMaxWindow(uint64(max(min(a.top.window, pipelineWindow), zstd.MinWindowSize))))
		if err != nil {
			return
		}
		p.in = bufio.NewReaderSize(nil, fileBuffer)
	}
	p.a, p.frames, p.size, p.skip, p.text, p.held, p.got = a, m.frames, info.Size()-base, m.text, m.text, 0, 0
	p.in.Reset(io.NewSectionReader(file, base+m.from, math.MaxInt64-base-m.from))
	p.gate.reset(p.in)
	p.from, p.at, p.reads = m.from, m.from, 0
	if err = p.z.Reset(p); err == nil {
		_, err = p.z.WriteTo(p) // each Write is of a block
	}
	_ = p.z.Reset(nil)
	p.in.Reset(nil)
	if err == nil {
		p.put()
		m.from, m.text = p.at, 0
		pipelined.Add(1)
	} else {
		m.text = p.text
		unpipelined.Add(1)
	}
	m.again = true
	s := a.stored
	s.n, s.end = m.from, false
	_, s.err = file.Seek(base+m.from, io.SeekStart)
}

// Read reads the frame for the library, and notes where its blocks end. It ends a frame
// that is not worth to be taken apart, for its many blocks with next to nothing in them, and
// if nobody wants more: nothing may ever come of the blocks.
func (p *pipeline) Read(b []byte) (int, error) {
	if p.in.Buffered() == 0 && p.a.stored.halted() {
		return 0, errStopped
	}
	if p.reads++; p.reads > pipelineReads && (p.at-p.from)/p.reads < pipelineLeast {
		return 0, errPipeline
	}
	blocks := p.gate.blocks
	n, err := p.gate.Read(b)
	p.at += int64(n)
	if p.gate.blocks > blocks {
		p.ends[p.gate.blocks%len(p.ends)].Store(p.at + p.gate.pass)
	}
	return n, err
}

// Write makes a chunk of a block. Each turn of its loop takes as much of it as goes into
// one: all, but of what no library makes.
func (p *pipeline) Write(b []byte) (int, error) {
	n := len(b)
	p.got++
	skip := min(p.skip, int64(n))
	p.skip -= skip
	for b = b[skip:]; len(b) > 0; b = b[p.held:] {
		p.put()
		room := p.a.room()
		if room == nil || p.a.stored.w.stop.is() {
			return 0, errStopped
		}
		p.held = copy(room, b)
		now := &p.a.chunks[p.a.written%aheadChunks]
		now.text, now.err, now.below = room[:p.held], nil, met{}
		// What is read of the file by now, if it is read as a stream.
		end := p.ends[p.got%len(p.ends)].Load()
		now.stored = min((end+fileBuffer-1)/fileBuffer*fileBuffer, max(end, p.size))
		if p.frames.over(int64(p.held), now.stored) {
			return 0, errPipeline
		}
	}
	return n, nil
}

// put hands over the chunk that is held back.
func (p *pipeline) put() {
	if p.held > 0 {
		p.text += int64(p.held)
		p.frames.text += int64(p.held)
		p.a.put(p.held, nil)
		p.held = 0
	}
}

// close lets go of the memory.
func (p *pipeline) close() {
	if p.z != nil {
		p.z.Close()
	}
	*p = pipeline{}
}
