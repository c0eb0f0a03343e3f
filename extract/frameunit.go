package extract

import (
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/ledger"
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

// nearRatio is called once much came of little: the worker of a unit waits until it is in
// the chain, and learns how much came before. It reports whether to read on.
func (w *worker) nearRatio() (lag int64, ok bool) {
	u := w.piece.unit
	if u == nil {
		return 0, true
	}
	if w.piece.mute || !w.await(u.settled) || w.out.(*batcher).isVoid() {
		return 0, false
	}
	return u.base, true
}

// isHopeless reports whether the reader of a unit is to give it up: others know that it is
// void, or frames to be skipped lead it far, as false ones may.
func (w *worker) isHopeless() bool {
	u := w.piece.unit
	return u != nil && u.of.packed &&
		(w.out.(*batcher).isVoid() || w.piece.mute && w.pool.Source.Stored() > u.end+vain)
}

// vain is how far behind its end in what is stored a unit is looked for where it begins.
const vain = 1 << 20

// atFrame is atSeam where the seams passed since are of frames: each turn of its loop is
// a cut.
func (w *worker) atFrame(read int64) error {
	f, fs := w.piece.file, &w.pool.Frames
	for {
		cut, p, ok := fs.Passed(read - f.warm)
		if !ok {
			w.piece.next = fs.NextCompared()
			return nil
		}
		if err := w.meet(f.run.reach(f, cut), p); err != nil {
			return err
		}
		fs.Done(cut)
	}
}

// byFrames returns how far what u says of places lies behind: u begins with the frame
// of p, if that is so.
func (u *unit) byFrames(p compress.Start) (by int64, same bool) {
	if !u.of.packed {
		return 0, true
	}
	return p.Text - u.of.origin(), u.first == p.At
}

// origin is the raw offset that readers of units of a compressed file begin to count
// from: not that of the first line.
func (f *shared) origin() int64 { return f.mark + 1 }

// storedUpTo counts what is stored up to where u begins, and no more: that reader counts
// the rest. held is what of the raw stream was read and is the other's.
func (w *worker) storedUpTo(u *unit, held int64) {
	if u.of.packed {
		w.pool.Source.Count(u.first)
	} else {
		w.ledger.Add(ledger.DiskBytes, -held-int64(w.pool.Buffered(compress.Mark{})))
	}
}

// storedFrom returns what was read of u, at its seam, of what is stored.
func (w *worker) storedFrom(u *unit) int64 {
	if u.of.packed {
		return w.pool.Source.Counted() - u.first
	}
	return int64(w.pool.Buffered(compress.Mark{}))
}
