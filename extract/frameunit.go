package extract

import (
	"bufio"
	"os"
	"sync/atomic"
)

// Units of a compressed file (unit.go): one that is many frames of zstd, or members
// of gzip, as the blocks of BGZF are. Such a file is cut by what is stored, at every so many bytes of it. Who claims a
// unit looks for the first frame behind the cut, by its magic number, and reads from
// there; how much text stands before, it does not know, and counts from a place of its
// own. A reader that comes to that frame knows: so the seam is some lines behind the
// beginning of the frame, and what the two say of places differs by a number there.
//
//	stored   ──────┼─ cut ──┼─────── cut ───┼──────
//	frames   ├───────────┤├───────────┤├───────────┤
//	                      ├─ seam       the unit's reader begins here, and is mute up to the seam
//
// Whether a frame begins there only the reader that comes to it can tell, and which it
// comes to: a magic number by chance is one that it never meets, and what was found
// behind it is void. So is a unit whose reader meets trouble before the seam. All else
// of a frame, damage too, is met by who reads it as by one that reads alone. Nothing is
// kept of the frames that were passed, and nothing of their text but what the layers and
// the scanner of each reader hold, however long a unit is.
//
// Limits.Ratio counts from the beginning of a file, which the reader of a unit does not
// know. As long as no more came of any unit than half of what may come of as many bytes,
// the limit is far. A reader of which more came waits until it is in the chain, knows how
// much came before, and reads alone from there on: so the limit is met at the same byte by
// whomever, that is by members, at the one that is too much.

// packedShare is how many times smaller units of text are where they are of compressed
// bytes. Those of a mailbox are not: where a message is longer, what is decompressed to
// look for another is so in vain.
const packedShare = 8

// mostPassed is how many frames behind cuts may be noted that the reader has come to
// while the text before is still looked at. Of more the oldest are taken together.
const mostPassed = 16

// A passage is a frame that a reader has come to, the first behind a cut, or several.
type passage struct {
	from int64 // where, in what is stored, the frame before begins, or the last cut that was dealt with
	at   int64 // where this one does
	text int64 // the raw offset of its text
}

// A frames counts the text of the frames of the file that a worker reads, and notes
// passages where that is shared.
type frames struct {
	stored  *stored
	text    int64       // the raw offset of what is decompressed next
	bounded atomic.Bool // Limits.Ratio holds for text alone; a helper may be at work already

	unit   int64 // from cut to cut; 0 where it is not shared
	warm   int64 // from the beginning of a frame to its seam
	at     int64 // where the frame begins that text is from
	first  bool  // that is behind a cut, and none of it was read
	passed []passage

	from  int64 // where the count of text began, in what is stored,
	began int64 // and of the text
	by    int64 // how far text really lies behind, if near
	near  bool  // much came of little: another may not read on
}

// reset forgets the file.
func (f *frames) reset() {
	f.text, f.unit, f.first, f.passed = 0, 0, false, f.passed[:0]
	f.from, f.began, f.by, f.near = 0, 0, 0, false
	f.bounded.Store(false)
}

// share notes passages of a file from now on: the frame that is read is at the offset at.
func (f *frames) share(of *shared, at int64) {
	f.unit, f.warm, f.at = of.unit, of.warm, at
}

// begin is told that a frame begins in in.
func (f *frames) begin(in *bufio.Reader) {
	if f == nil || f.unit == 0 {
		return
	}
	at := f.stored.n - int64(in.Buffered())
	if at/f.unit > f.at/f.unit {
		if f.first = true; len(f.passed) == mostPassed {
			f.passed[1].from = f.passed[0].from
			f.passed = append(f.passed[:0], f.passed[1:]...)
		}
		f.passed = append(f.passed, passage{f.at, at, f.text})
	}
	f.at = at
}

// room returns as much of p as may be read: where a seam comes that the reader has not
// been told of, no more than up to that.
func (f *frames) room(p []byte) []byte {
	if f == nil || !f.first {
		return p
	}
	return p[:min(int64(len(p)), f.warm)]
}

// read notes that n bytes of text were read, and returns how many of them there may be,
// with a LimitError if that is less. How much of the file has been read by then depends
// on the frame alone, as blocks of it are: see stored.once. in is what is still to be
// decompressed of that.
func (f *frames) read(n int, in *bufio.Reader) (int, error) {
	if f == nil || n == 0 {
		return n, nil
	}
	f.text += int64(n)
	f.first = false
	if !f.bounded.Load() {
		return n, nil
	}
	s, ratio := f.stored, int64(f.stored.w.x.opts.Limits.Ratio)
	if f.unit > 0 && !f.near && 2*(f.text-f.began)/ratio > s.n-int64(in.Buffered())-f.from {
		f.near = true
		if u := s.w.piece.unit; u != nil {
			if s.w.piece.mute || !s.w.await(u.settled) || s.w.out.(*batcher).isVoid() {
				return 0, errStopped
			}
			f.by = u.base
		}
	}
	if f.over(0, s.n) {
		most := max(ratioFrom, ratio*(s.n+1)-1)
		return n - int(f.text+f.by-most), overRatio(ratio)
	}
	return n, nil
}

// over reports whether more bytes of text are more than may come of so many.
func (f *frames) over(more, stored int64) bool {
	text := f.text + f.by + more
	return f.bounded.Load() && text > ratioFrom && text/int64(f.stored.w.x.opts.Limits.Ratio) > stored
}

// bound says that all that comes of what is stored is the current stream, which is read
// as text or mail.
func (w *worker) bound() {
	w.layers.frames.bounded.Store(w.depth == 1 && w.layers.used == 2)
}

// noSeam is what a reader has for a seam that may come to one at any time.
const noSeam = 1 << 62

// seam returns the raw offset of the next one that is known.
func (f *frames) seam() int64 {
	if len(f.passed) == 0 {
		return noSeam
	}
	return f.passed[0].text + f.warm
}

// cut returns the next cut that was passed on the way to a frame whose text begins at
// upTo or before, and that frame.
func (f *frames) cut(upTo int64) (cut int64, p passage, ok bool) {
	if len(f.passed) == 0 || f.passed[0].text > upTo {
		return 0, p, false
	}
	p = f.passed[0]
	return (p.from/f.unit + 1) * f.unit, p, true
}

// done notes that the reader has done with a cut that it passed.
func (f *frames) done(cut int64) {
	if p := &f.passed[0]; cut/f.unit < p.at/f.unit {
		p.from = cut
		return
	}
	f.passed = append(f.passed[:0], f.passed[1:]...)
}

// cutPacked returns the current stream, decompressed once from a file, as one of which
// others can read units; nil if they cannot, or not many.
func (w *worker) cutPacked(whole *os.File, mbox bool) *shared {
	l, s := w.layers.pile[0], &w.layers.stored
	at := s.n - int64(l.in.Buffered())
	if w.layers.used != 2 || w.x.opts.Limits.Size > 0 || w.layers.ahead.begun {
		return nil
	}
	least := firstFrame(whole, l.is, w.piece.size)
	if least < 0 {
		return nil
	}
	w.layers.ahead.end()
	unit := w.x.unit
	if !mbox {
		unit = max(1, unit/packedShare)
	}
	if unit = max(unit, least); unit > fileBuffer {
		unit += -unit & (fileBuffer - 1)
	}
	f := &shared{packed: true, is: l.is, unit: unit, warm: max(1, w.x.warm), last: int((w.piece.size - 1) / unit), next: int(at/unit) + 1}
	w.layers.frames.share(f, at)
	return f
}

// unitLayers puts up the layers of a compressed file from the first frame of u on, and
// returns the innermost; nil if there is no frame. Its text begins at from.
func (w *worker) unitLayers(u *unit, from int64) *layer {
	f, s := u.of, &w.layers.stored
	s.reset(&section{f.at, u.seam, f.opened})
	s.n, s.seen = u.seam, u.seam
	l := w.layers.next(s)
	if !w.findFrame(l.in, f.is, u.seam, u.end) {
		return nil
	}
	u.first = s.n - int64(l.in.Buffered())
	block := u.first &^ (fileBuffer - 1) // as one that reads alone has it
	s.reset(&section{f.at, block, f.opened})
	s.n, s.seen, s.even = block, block, true
	l.in.Reset(s)
	if _, err := l.in.Discard(int(u.first - block)); err != nil {
		return nil
	}
	l.is = f.is
	w.layers.depth = 1
	fs := &w.layers.frames
	fs.share(f, u.first)
	fs.from, fs.text, fs.began = u.first, from, from
	fs.bounded.Store(true)
	return w.layers.next(l)
}

// inVain reports whether the reader of a unit is to give it up: others know that it is
// void, or frames to be skipped lead it far, as false ones may.
func (w *worker) inVain() bool {
	u := w.piece.unit
	return u != nil && u.of.packed &&
		(w.out.(*batcher).isVoid() || w.piece.mute && w.layers.stored.n > u.end+vain)
}

// vain is how far behind its end in what is stored a unit is looked for where it begins.
const vain = 1 << 20

// atFrame is atSeam where the seams passed since are of frames: each turn of its loop is
// a cut.
func (w *worker) atFrame() error {
	f, fs := w.piece.file, &w.layers.frames
	for {
		cut, p, ok := fs.cut(w.raw.read - f.warm)
		if !ok {
			w.raw.seam = fs.seam()
			return nil
		}
		if err := w.meet(f.run.reach(f, cut), p); err != nil {
			return err
		}
		fs.done(cut)
	}
}

// byFrames returns how far what u says of places lies behind: u begins with the frame
// of p, if that is so.
func (u *unit) byFrames(p passage) (by int64, same bool) {
	if !u.of.packed {
		return 0, true
	}
	return p.text - u.of.origin(), u.first == p.at
}

// origin is the raw offset that readers of units of a compressed file begin to count
// from: not that of the first line.
func (f *shared) origin() int64 { return f.mark + 1 }

// storedUpTo counts what is stored up to where u begins, and no more: that reader counts
// the rest. held is what of the raw stream was read and is the other's.
func (w *worker) storedUpTo(u *unit, held int64) {
	if s := &w.layers.stored; u.of.packed {
		s.count(u.first)
	} else {
		w.n.DiskBytes -= held + int64(w.layers.pile[0].in.Buffered())
	}
}

// storedFrom returns what was read of u, at its seam, of what is stored.
func (w *worker) storedFrom(u *unit) int64 {
	if u.of.packed {
		return w.layers.stored.seen - u.first
	}
	return int64(w.layers.pile[0].in.Buffered())
}
