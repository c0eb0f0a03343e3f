package extract

import (
	"bufio"
	"io"
	"os"
	"time"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
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
	next    int64     // the seam that comes next; -1 if none
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

// layout is told how the source's outermost stream can be divided, and offers it to other
// workers where that is so. Of a mailbox it returns what is called between messages.
func (w *worker) layout(l document.Layout, mark int64) func(at int64, before int) bool {
	switch l {
	case document.Lines:
		if w.offer(mark, false) {
			if w.piece.next = w.piece.file.seamAfter(mark); w.piece.file.packed {
				w.piece.next = compress.Unknown
			}
		}
	case document.Messages:
		// A limit may end the stream in a message, which its reader sees from afar.
		if w.x.opts.Limits.Size == 0 && w.offer(mark, true) {
			w.piece.next = w.piece.file.seamAfter(mark)
			w.keep()
			return w.between
		}
	}
	w.keep()
	return nil
}

// offer lets other workers read the source too, if it is a file and large enough; it
// holds nothing but text, or a mailbox. It reports whether others may.
func (w *worker) offer(mark int64, mbox bool) bool {
	f := w.cut(mark, mbox)
	if f == nil {
		return false
	}
	w.piece = piece{file: f}
	w.out.(*batcher).run.offer(f)
	w.decided()
	return true
}

// cut returns the source as one of which others can read units; nil if they cannot.
func (w *worker) cut(mark int64, mbox bool) *shared {
	whole, size := w.piece.whole, w.piece.size
	limit := w.x.opts.Limits.Size
	if limit > 0 {
		size = min(size, limit)
	}
	if whole == nil || size == 0 {
		return nil
	}
	f := &shared{unit: w.x.unit, warm: w.x.warm, last: int((size - 1) / w.x.unit)}
	if w.pool.Compressions() > 0 {
		if limit > 0 {
			return nil
		}
		unit := w.x.unit
		if !mbox {
			unit = max(1, unit/packedShare)
		}
		splits, ok := w.pool.Divide(whole, size, unit, w.x.warm)
		if !ok {
			return nil
		}
		f.packed, f.splits = true, splits
		f.unit, f.warm, f.last, f.next = splits.Split, splits.Warm, int((size-1)/splits.Split), int(splits.At/splits.Split)+1
	}
	f.mbox, f.name, f.size, f.at, f.closer, f.order, f.mark = mbox, w.source, w.piece.size, whole, whole, w.out.(*batcher).order, mark
	f.opened = w.from.size
	return f
}

// A segmentReader reads the text of a piece: it ends a Read at each seam, and at the Read
// that begins there it looks at what the scanner that it feeds has come to.
type segmentReader struct {
	w *worker
	t *document.Text
}

func (s *segmentReader) Read(p []byte) (int, error) {
	w, read := s.w, s.t.RawRead()
	if w.piece.unit != nil && w.out.(*batcher).isVoid() {
		return 0, damage.ErrStopped
	}
	if f := w.piece.file; f.packed && !w.piece.mute {
		w.piece.next = w.pool.Frames.NextCompared()
	}
	if read == w.piece.next {
		if err := w.atSeam(read); err != nil {
			return 0, err
		}
	}
	if w.piece.next >= 0 {
		p = p[:min(int64(len(p)), w.piece.next-read)]
	}
	return s.t.Read(p)
}

// atSeam is called where a Read begins at a seam. An error ends what is read.
func (w *worker) atSeam(seam int64) error {
	p := &w.piece
	f, muted := p.file, p.mute
	if muted {
		w.speak(seam)
	}
	switch {
	case f.packed:
		return w.atFrame(seam)
	case muted:
		return nil
	}
	p.next = f.seamAfter(seam)
	return w.meet(f.run.reach(f, seam), compress.Start{})
}

// meet is what a reader does that comes to the seam of u, which is nil if nobody has
// claimed that; of a compressed file, where it came to the frame of at.
func (w *worker) meet(u *unit, at compress.Start) error {
	if u == nil {
		return nil
	}
	if !w.await(u.ready) {
		return damage.ErrStopped
	}
	by, same := u.byFrames(at)
	switch w.settle(u, u.known && same && u.state.Moved(by) == w.scan.State(), by) {
	case goOn:
		return nil
	case endHere:
		w.piece.until[0], w.piece.until[1] = w.scan.Skipped()
		w.storedUpTo(u, 0)
		line, _ := w.reached(w.direct)
		w.out.(*batcher).follow(u, shift{lines: line - u.line, bytes: by})
	}
	return damage.ErrStopped
}

// settle is run.settle for this worker, that waits where that says so.
func (w *worker) settle(u *unit, agree bool, by int64) order {
	p := &w.piece
	agree = agree && !w.pool.Frames.Near()
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
	w.ledger, w.left = ledger.Ledger{}, false
	w.piece = piece{file: f, unit: u, mute: true}
	w.source = f.name
	w.doc.Close()
	if w.openUnit(u) {
		w.texts()
		if !w.piece.mute {
			w.countLeft(f.size)
		}
	}
	w.doc.Close()
	if w.piece.mute { // it did not come as far
		w.ledger = ledger.Ledger{}
		f.run.mu.Lock()
		if u.verdict == undecided {
			f.run.void(u)
		}
		f.run.mu.Unlock()
		close(u.ready)
	}
}

// openUnit starts the document in front of the seam of u, and reports whether there is
// anything to read.
func (w *worker) openUnit(u *unit) bool {
	f := u.of
	warm := f.warm
	if f.mbox {
		warm = document.MessageBehind
	}
	from, seam := f.origin(), f.origin()+warm
	var in *bufio.Reader
	if f.packed {
		open := func(at int64) io.Reader { return &section{f.at, at, f.opened} }
		in, u.first = w.pool.OpenAt(open, f.splits, u.seam, u.end, from)
		if in == nil {
			return false
		}
	} else {
		from, seam = max(f.mark, u.seam-warm), u.seam
		in = w.pool.OpenPlain(&seamed{section{f.at, from, f.opened}, f.unit}, from)
		w.pool.Source.SetOut(from)
	}
	if f.mbox {
		return w.openMailUnit(u, in, from, seam)
	}
	w.piece.next = seam
	return w.doc.OpenLines(in, f.mark, from, seam)
}

// speak begins what a unit has to say: its seam has come.
func (w *worker) speak(seam int64) {
	p := &w.piece
	p.mute = false
	w.ledger = ledger.Ledger{}
	w.ledger.Add(ledger.DiskBytes, w.storedFrom(p.unit))
	p.skipped[0], p.skipped[1] = w.scan.Skipped()
	p.next = p.file.seamAfter(seam) // of one that is not compressed
	u := p.unit
	u.known, u.state = true, w.scan.State()
	u.line, _ = w.reached(w.direct)
	close(u.ready)
}

// leaveUnit ends the piece of a unit, whose lane has ended.
func (w *worker) leaveUnit() {
	p := &w.piece
	p.file.run.leave(p.file, p.unit, &w.ledger, p.ended, w.out.(*batcher).waited)
	w.piece, w.left = piece{}, false
}
