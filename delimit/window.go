package delimit

import (
	"bytes"
	"io"
)

const (
	// lookBehind is how far back from its position a scanner may examine bytes: a scheme,
	// the white space in front of it, a prefix, white space again, and a quote prefix
	// between. No result depends on earlier bytes.
	lookBehind = 512

	// minWindow is the minimum size of a window. One Read may fill all of it.
	minWindow = 128 << 10
)

// A window is the part of the stream that is in memory. Its size is fixed when it is
// made:
//
//	0 <= mark <= end <= len(buf)
//	buf[:look]    was scanned; its last lookBehind bytes are kept for looking back
//	buf[look:end] is not scanned yet, or is an open candidate
//	buf[end:]     is free
//
// base is the offset of buf[0] in the stream. An open candidate is one whose end may not be
// in the window yet: its verdict is more, and look stays in front of it. It takes at most MaxLen
// bytes and the size of an opener, so a window of 8 MaxLen always has room for more.
type window struct {
	r    io.Reader // nil if the whole text is in buf, which belongs to the caller
	buf  []byte
	own  []byte // the buffer that is used while there is a reader
	end  int
	base int64

	look    int   // where the search continues
	floor   int   // end of the last candidate; nothing in front of it is examined again
	noLines bool  // line and column of candidates are not needed
	err     error // the reader's error; nil while more may come

	// Lines are counted up to buf[mark]: only on request, and after a piece that was
	// searched for colons.
	mark      int
	lines     int64 // newlines before mark
	lineStart int64 // offset in the stream of the line's first byte; -1 if not searched
	piece     piece

	// For the line in which the window was cut: what is in front of buf[0].
	cutStart int64 // offset in the stream of its first byte
	head     [headLen]byte
}

func (w *window) reset(r io.Reader) {
	w.piece.colons.next, w.piece.colons.n = 0, 0
	*w = window{r: r, buf: w.own, own: w.own, noLines: w.noLines, piece: piece{colons: w.piece.colons, lines: w.piece.lines}}
}

// resetBytes makes text the window. Nothing is read after it.
func (w *window) resetBytes(text []byte) {
	w.reset(nil)
	w.buf, w.end, w.err = text, len(text), io.EOF
}

// fill does one Read, after the bytes that are there. If there is no room it first drops
// buf[:keep] and returns by how much everything has moved.
func (w *window) fill(keep int) (moved int) {
	if w.end == len(w.buf) {
		moved = w.slide(keep)
	}
	for range 100 { // bufio also allows as many empty reads
		n, err := w.r.Read(w.buf[w.end:])
		w.end += n
		if err != nil {
			w.err = err
			return moved
		}
		if n > 0 {
			return moved
		}
	}
	w.err = io.ErrNoProgress
	return moved
}

// slide drops buf[:keep], but saves the beginning of the line in which it cuts. Later
// positions are at least lookBehind further on, so all headLen bytes of a line that began
// before the cut can be saved.
func (w *window) slide(keep int) int {
	if keep <= 0 {
		return 0
	}
	if at := w.startOf(keep); at != w.cutStart || at >= w.base {
		w.cutStart = at
		copy(w.head[:], w.buf[at-w.base:w.end])
	}
	w.count(keep)
	// This moves lookBehind bytes and an open candidate: little, and once for a whole
	// window.
	copy(w.buf, w.buf[keep:w.end])
	w.end -= keep
	w.base += int64(keep)
	w.mark -= keep
	w.piece.from -= keep
	w.piece.to = max(0, w.piece.to-keep)
	return keep
}

// count moves mark to buf[i]. Each byte is searched at most three times.
func (w *window) count(i int) {
	if i <= w.mark {
		return
	}
	p := &w.piece
	if w.mark < p.to && i >= p.to { // the number in the rest of the piece is known
		if p.newlines > 0 {
			w.lines += int64(p.newlines)
			w.lineStart = -1
			p.newlines = 0
		}
		if w.mark = p.to; i == p.to {
			return
		}
	}
	if hasAVX2 && i < p.to && w.mark >= p.from && (p.lined || p.from >= 0) {
		w.countMarked(i)
		return
	}
	s := w.buf[w.mark:i]
	n := bytes.Count(s, newline)
	w.lines += int64(n)
	if i < p.to {
		p.newlines -= n
	}
	at := 0
	switch {
	case n > 2:
		at = bytes.LastIndexByte(s, '\n') + 1
	default:
		for ; n > 0; n-- { // the forward search is faster
			at += bytes.IndexByte(s[at:], '\n') + 1
		}
	}
	if at > 0 {
		w.lineStart = w.base + int64(w.mark+at)
	}
	w.mark = i
}

// countMarked is count for a position in a piece, using its marks. If these do not exist
// yet, each byte is searched once.
func (w *window) countMarked(i int) {
	p := &w.piece
	if !p.lined {
		p.lines.mark(w.buf[p.from:p.to])
		p.lined = true
		p.passed, _ = p.lines.of(w.mark - p.from)
	}
	n, start := p.lines.of(i - p.from)
	if n -= p.passed; n > 0 {
		w.lines += int64(n)
		p.newlines -= n
		p.passed += n
		w.lineStart = w.base + int64(p.from+start)
	}
	w.mark = i
}

var newline = []byte{'\n'}

// place returns line and column, both from 1, of buf[i]. Calls come in order, so a
// position is at most the length of a scheme in front of mark.
func (w *window) place(i int) (line, column int64) {
	if p := &w.piece; p.lined && w.mark <= i && i < p.to && w.lineStart >= 0 { // the usual case
		w.countMarked(i)
		return w.lines + 1, w.base + int64(i) - w.lineStart + 1
	}
	w.count(i)
	line = w.lines + 1
	if i < w.mark {
		line -= int64(bytes.Count(w.buf[i:w.mark], newline))
	}
	return line, w.base + int64(i) - w.startOf(i) + 1
}

// lineHead returns the first bytes, at most headLen, of the text in front of buf[i] in
// its line. They are valid until the next fill.
func (w *window) lineHead(i int) []byte {
	at := w.startOf(i) - w.base
	if at < 0 {
		return w.head[:min(int64(headLen), int64(i)-at)]
	}
	return w.buf[at:min(int(at)+headLen, i)]
}

// reached returns the number of newlines in front of buf[end], and the offset in the
// stream of the byte after the last one. It does not move mark, since positions after
// mark may still be requested in order; it counts what was not searched.
func (w *window) reached() (lines, start int64) {
	lines, from := w.lines, w.mark
	if w.mark < w.piece.to {
		lines, from = lines+int64(w.piece.newlines), w.piece.to
	}
	lines += int64(bytes.Count(w.buf[from:w.end], newline))
	if k := bytes.LastIndexByte(w.buf[:w.end], '\n'); k >= 0 {
		return lines, w.base + int64(k+1)
	}
	return lines, w.cutStart
}

// startOf returns the offset in the stream of the first byte of the line of buf[i]. Bytes
// after mark are counted, so that none is searched twice. A position in front of mark is
// only requested for the line after it, so no line is searched more than a few times.
func (w *window) startOf(i int) int64 {
	w.count(i)
	if w.lineStart < 0 { // the search ends where the one before it began
		w.lineStart = w.base + int64(bytes.LastIndexByte(w.buf[:w.mark], '\n')+1)
	}
	if w.lineStart <= w.base+int64(i) {
		return w.lineStart
	}
	if k := bytes.LastIndexByte(w.buf[:i], '\n'); k >= 0 {
		return w.base + int64(k+1)
	}
	return w.cutStart
}

// lineOf returns line and column of buf[i], or 0 if they are not needed.
func (w *window) lineOf(i int) (line, column int64) {
	if w.noLines {
		return 0, 0
	}
	return w.place(i)
}
