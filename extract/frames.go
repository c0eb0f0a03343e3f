package extract

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// Frames of zstd, whole. Where frames begin is seen from outside: a header says how long
// each block is. So a job of zstd has frames that are known, and begins with a frame; and
// those that are short it takes whole from what is stored into its ring:
//
//	spread ─► walk: ├ frame ┼ frame ┼ frame ┤ ─► job ─► stored bytes ─► ring
//
// Decompressing so costs a copy less than as a stream, and no memory for what a stream
// has to remember. A frame for which there is no room, or that has a fault, is left to the
// stream, which meets that anew.

// wholeStored is how many stored bytes a job may take whole, and jobFrames how many frames.
const (
	wholeStored = 1 << 20
	jobFrames   = 64
)

// A walk goes from frame to frame of a file. What it finds is right if the first one
// begins where it is told to, and the file is no damaged one.
type walk struct {
	file io.ReaderAt
	gate zstdGate
	buf  [4 << 10]byte // of the file, from the offset at on
	at   int64
	n    int
}

func (w *walk) reset(file io.ReaderAt) { w.file, w.n = file, 0 }

// end returns the end of the frame at the offset at, and of those to be skipped before
// it, -1 if that cannot be told or is not before limit. Each turn goes on by a byte at
// least, and over a block mostly.
func (w *walk) end(at, limit int64) int64 {
	g := &w.gate
	for g.reset(nil); ; g.step(g) {
		if at += g.pass; at > limit {
			return -1
		}
		if g.step == nil {
			return at
		}
		head := w.peek(at, g.want)
		if head == nil {
			return -1
		}
		at += int64(copy(g.head[:], head))
	}
}

// peek returns the n bytes, which are few, at the offset at; nil if there are less.
func (w *walk) peek(at int64, n int) []byte {
	if at < w.at || at+int64(n) > w.at+int64(w.n) {
		w.n, _ = w.file.ReadAt(w.buf[:], at)
		if w.at = at; w.n < n {
			return nil
		}
	}
	return w.buf[at-w.at:][:n]
}

// frames makes j ready for those that begin at s.next, of about size stored bytes. It
// returns false if none is known there.
func (s *spread) frames(j *job, size int64) bool {
	at := s.next
	j.ends = j.ends[:0]
	for at < s.next+size && len(j.ends) < jobFrames { // a frame each
		end := s.walk.end(at, s.next+spreadFar*spreadSize)
		if end < 0 {
			s.lost = true
			break
		}
		j.ends = append(j.ends, end)
		at = end
	}
	j.set(s.file, s.is, min(s.window, jobWindow), s.next, at)
	j.start, j.end = s.next, s.next
	j.whole = !s.long && at-s.next <= wholeStored
	s.next = at
	return len(j.ends) > 0
}

// passed notes that the reader is at the beginning of a member at the offset at, which
// jobs that are not there yet begin behind.
func (s *spread) passed(at int64) {
	if s.is != zstdCodec || s.next > at {
		return
	}
	s.next = s.walk.end(at, at+spreadFar*spreadSize)
	if s.lost = s.next < 0; s.lost {
		s.next = at
	}
}

// unpacker returns what decompresses frames whole.
func (t *tool) unpacker(window int64) (*zstd.Decoder, error) {
	if t.all != nil {
		return t.all, nil
	}
	var err error
	t.all, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(false), zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxMemory(1<<62), zstd.WithDecoderMaxWindow(uint64(max(window, zstd.MinWindowSize))))
	return t.all, err
}

// frame does a step of j: one frame, whole. It reports whether there is more to be done.
func (j *job) frame() (more bool) {
	t := j.with
	if j.unpacked == 0 {
		if t.stored == nil {
			t.stored = make([]byte, wholeStored)
		}
		if n, _ := j.at.ReadAt(t.stored[:j.to-j.from], j.from); int64(n) < j.to-j.from {
			return j.stream()
		}
	}
	j.mu.Lock()
	void := j.void
	j.mu.Unlock()
	if void {
		return j.finish(j.end, 0)
	}
	z, err := t.unpacker(j.window)
	if err != nil {
		return j.stream()
	}
	end, room := j.ends[j.unpacked], j.ring[j.written:] // nothing of it is read before j.written says so
	if int64(len(room)) < j.longest {                   // the library would make room
		return j.finish(j.end, 0)
	}
	text, err := z.DecodeAll(t.stored[j.end-j.from:end-j.from], room[:0])
	if err != nil || len(text) > len(room) {
		if j.unpacked == 0 {
			return j.stream()
		}
		return j.finish(j.end, 0)
	}
	j.unpacked++
	j.end, j.longest = end, max(j.longest, int64(len(text)))
	j.mu.Lock()
	j.written += int64(len(text))
	j.stored, j.member = end, j.written
	j.moved.Signal()
	j.mu.Unlock()
	if j.unpacked == len(j.ends) {
		return j.finish(end, 0)
	}
	return true
}

// stream goes over to reading the frames as a stream.
func (j *job) stream() bool {
	j.whole, j.long, j.begun = false, true, false
	return true
}
