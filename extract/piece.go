package extract

import (
	"io"
	"os"
	"time"
)

// What a worker does in its part of a source that others read too; unit.go has the
// plan. It is the reader of the raw stream that knows of seams: it ends a Read at
// each, and at the Read that begins there it looks at what the scanner that it feeds
// has come to.

// A piece is a worker's part of a source that is read in units. The zero piece is
// that of a source that is not.
type piece struct {
	whole *os.File // of a source of which that is not yet decided

	file  *shared
	size  int64 // of the source
	unit  *unit // nil for the beginning of the file
	mute  bool  // the unit's seam is ahead
	ended bool  // at a seam: another reads on

	told    time.Time // when what was found was last handed over
	start   int64     // in the text, which is the scanner's first byte
	next    int64     // the seam that comes next, in a mailbox; -1 if none
	skipped [2]int64  // runs too long that the scanner has counted, and that are not to be
	until   [2]int64  // likewise, if ended: those that are
}

// mayWait reports whether what was found is to be handed over before a Read of what is
// stored. A big file is read fast, and if not, that is so after a while.
func (p *piece) mayWait() bool {
	if p.file == nil {
		return true
	}
	now := time.Now()
	if now.Sub(p.told) < soon {
		return false
	}
	p.told = now
	return true
}

// shareable returns r if nothing was read of it, it is a file of which units can be
// made, and there are other workers; else nil.
func (w *worker) shareable(size int64, r io.Reader) *os.File {
	f, ok := r.(*os.File)
	if _, others := w.out.(*batcher); !ok || !others || size <= 2*w.x.unit {
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		return nil
	}
	return f
}

// keep says that no other worker can read what is read now.
func (w *worker) keep() {
	if w.piece.whole != nil {
		w.piece.whole = nil
		w.decided()
	}
}

// decided tells others that wait for it that units of what is read are on offer, or
// that there will be none.
func (w *worker) decided() {
	if out, others := w.out.(*batcher); others {
		out.run.decided(out)
	}
}

// offer lets other workers read the current stream too, if that is a file of plain
// text and nothing else, of which no more was read than a byte order mark.
func (w *worker) offer() {
	w.bound()
	size := w.piece.size
	if limit := w.x.opts.Limits.Size; limit > 0 {
		size = min(size, limit)
	}
	if w.staged {
		size = 0
	}
	if f := w.cut(size, false); f != nil {
		w.piece = piece{file: f}
		if w.raw.seam = f.seamAfter(w.raw.read); f.packed {
			w.raw.seam = noSeam
		}
		w.out.(*batcher).run.offer(f)
		w.decided()
	}
	w.keep()
}

// cut returns the current stream as one of which others can read units, up to size;
// nil if they cannot, or that is 0.
func (w *worker) cut(size int64, mbox bool) *shared {
	whole := w.piece.whole
	if whole == nil || w.depth > 1 || w.raw.read != w.mark || size == 0 {
		return nil
	}
	f := &shared{unit: w.x.unit, warm: w.x.warm, last: int((size - 1) / w.x.unit)}
	if w.layers.used > 1 {
		if f = w.cutPacked(whole, mbox); f == nil {
			return nil
		}
	}
	f.mbox, f.name, f.size, f.at, f.closer, f.order, f.mark = mbox, w.origin.Source, w.piece.size, whole, whole, w.out.(*batcher).order, w.mark
	f.opened = w.layers.stored.size
	return f
}

// pieceRead is called before each Read of the raw stream of a piece. An error ends
// what is read.
func (w *worker) pieceRead() error {
	p := &w.piece
	if p.unit != nil && w.out.(*batcher).isVoid() {
		return errStopped
	}
	if f := p.file; f.packed && !f.mbox && !p.mute {
		w.raw.seam = w.layers.frames.seam()
	}
	if w.raw.read == w.raw.seam {
		return w.atSeam()
	}
	return nil
}

// atSeam is called where a Read begins at a seam. An error ends what is read.
func (w *worker) atSeam() error {
	p := &w.piece
	f, muted := p.file, p.mute
	if muted {
		w.speak()
	}
	switch {
	case f.packed:
		return w.atFrame()
	case muted:
		return nil
	}
	seam := w.raw.read
	w.raw.seam = f.seamAfter(seam)
	return w.meet(f.run.reach(f, seam), passage{})
}

// meet is what a reader does that comes to the seam of u, which is nil if nobody has
// claimed that; of a compressed file, where it came to the frame of at.
func (w *worker) meet(u *unit, at passage) error {
	if u == nil {
		return nil
	}
	if !w.await(u.ready) {
		return errStopped
	}
	by, same := u.byFrames(at)
	switch w.settle(u, u.known && same && u.state.Moved(by) == w.scan.State(), by) {
	case goOn:
		return nil
	case endHere:
		w.piece.until[0], w.piece.until[1] = w.scan.Skipped()
		w.storedUpTo(u, 0)
		line, _ := w.reached()
		w.out.(*batcher).follow(u, shift{lines: line - u.line, bytes: by})
	}
	return errStopped
}

// settle is run.settle for this worker, that waits where that says so.
func (w *worker) settle(u *unit, agree bool, by int64) order {
	p := &w.piece
	agree = agree && !w.layers.frames.near
	for { // twice at most
		do := p.file.run.settle(p.file, p.unit, u, agree, by)
		if do != wait {
			p.ended = do == endHere
			return do
		}
		if !w.await(p.unit.settled) {
			return giveUp
		}
	}
}

// await waits until c is closed, and reports whether there is to be more: the work
// has not ended, and this unit is not void.
func (w *worker) await(c <-chan struct{}) bool {
	out := w.out.(*batcher)
	var settled <-chan struct{}
	if u := w.piece.unit; u != nil && !out.linked {
		settled = u.settled
	}
	for { // twice at most
		select {
		case <-c:
			return true
		case <-settled:
			if settled = nil; out.isVoid() {
				return false
			}
		case <-out.quit:
			return false
		}
	}
}

// counted returns what is to be counted of the runs that the scanner has skipped.
func (p *piece) counted(runs, bytes int64) (int64, int64) {
	switch {
	case p.mute:
		return 0, 0
	case p.ended:
		runs, bytes = p.until[0], p.until[1]
	}
	return runs - p.skipped[0], bytes - p.skipped[1]
}

// readUnit reads from u on, until an end or a reader that is further on.
func (w *worker) readUnit(u *unit) {
	f := u.of
	w.n, w.left = Stats{}, false
	w.piece = piece{file: f, unit: u, mute: true}
	w.origin, w.outer = Origin{Source: f.name}, w.x.joint.base
	warm := f.warm
	if f.mbox {
		warm = mailBehind
	}
	s := &w.layers.stored
	var l *layer
	from, seam := f.origin(), f.origin()+warm
	if f.packed {
		l = w.unitLayers(u, from)
	} else {
		from, seam = max(f.mark, u.seam-warm), u.seam
		s.reset(&seamed{section{f.at, from, f.opened}, f.unit})
		s.n, s.out = from, from
		l = w.layers.next(s)
	}
	if l != nil {
		w.readFrom(u, l, from, seam)
	}
	w.layers.rest()
	if w.piece.mute { // it did not come as far
		w.n = Stats{}
		f.run.mu.Lock()
		if u.verdict == undecided {
			f.run.void(u)
		}
		f.run.mu.Unlock()
		close(u.ready)
	}
}

// readFrom reads u from l, which begins at the raw offset from, with its seam at seam.
func (w *worker) readFrom(u *unit, l *layer, from, seam int64) {
	f, s := u.of, &w.layers.stored
	l.is = noCodec
	above := w.down(l.in)
	w.mark, w.raw.read = f.mark, from
	var err error
	if f.mbox {
		err = w.mailUnit(u, seam)
	} else {
		err = w.textUnit(u, seam)
	}
	if trouble := w.fault(err); !w.piece.mute {
		w.stream.tellMild()
		if trouble != nil && !w.stopped() {
			w.fail(w.place(trouble))
		}
		w.balance(trouble, int64(l.in.Buffered()))
		if !s.end && !w.piece.ended {
			w.n.DiskLeft += max(0, f.size-s.n)
		}
	}
	w.up(above)
}

// leaveUnit ends the piece of a unit, whose lane has ended.
func (w *worker) leaveUnit() {
	p := &w.piece
	p.file.run.leave(p.file, p.unit, &w.n, p.ended, w.out.(*batcher).waited)
	w.piece, w.left = piece{}, false
}
