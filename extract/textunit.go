package extract

import "bytes"

// Units of a text: how the reader of one begins, some lines before its seam (unit.go).

// textUnit reads u of a text from some lines before its seam on, and returns what
// ended it.
func (w *worker) textUnit(u *unit, seam int64) error {
	if !w.toLine(seam) {
		return errStopped
	}
	w.base, w.leaf = w.outer, leaf{form: formOf(false)}
	w.piece.start = w.raw.read - u.of.mark
	w.raw.seam = seam
	w.booked = seam
	err := w.text()
	w.done = w.raw.read
	w.book(&w.n.RawText, w.raw.read-seam)
	return err
}

// toLine passes over what is left of the line that the current stream begins in,
// and reports whether another begins before the seam. The first line is whole.
// Each turn takes a byte at least.
func (w *worker) toLine(seam int64) bool {
	if w.raw.read == w.mark {
		return w.raw.read < seam
	}
	for w.raw.read < seam {
		b, err := w.raw.r.ReadSlice('\n')
		w.raw.read += int64(len(b))
		if bytes.HasSuffix(b, newline) {
			return w.raw.read < seam
		}
		if err != nil && len(b) == 0 || w.stopped() {
			return false
		}
	}
	return false
}

// speak begins what a unit is to tell: its seam has come.
func (w *worker) speak() {
	p := &w.piece
	p.mute = false
	w.n = Stats{DiskBytes: w.storedFrom(p.unit)}
	p.skipped[0], p.skipped[1] = w.scan.Skipped()
	w.raw.seam = p.file.seamAfter(w.raw.read) // of one that is not compressed
	u := p.unit
	u.known, u.state = true, w.scan.State()
	u.line, _ = w.reached()
	close(u.ready)
}
