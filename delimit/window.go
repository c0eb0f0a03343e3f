package delimit

import (
	"bytes"
	"io"
	"math/bits"
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
//	0 <= CountedTo <= End <= len(Buf)
//	Buf[:SearchFrom]    was scanned; its last lookBehind bytes are kept for looking back
//	Buf[SearchFrom:End] is not scanned yet, or is an open candidate
//	Buf[End:]           is free
//
// Base is the offset of Buf[0] in the stream. An open candidate is one whose end may not be
// in the window yet: its answer is more, and SearchFrom stays in front of it. An open candidate
// takes at most MaxLen bytes and the size of an opener, so a window of 8 MaxLen always has room for
// more.
type window struct {
	R    io.Reader // nil if the whole text is in Buf, which belongs to the caller
	Buf  []byte
	Own  []byte // the buffer that is used while there is a reader
	End  int
	Base int64

	SearchFrom int   // where the search continues
	Floor      int   // end of the last candidate; nothing in front of it is examined again
	NoLines    bool  // line and column of candidates are not needed
	Err        error // the reader's error; nil while more may come

	// Lines are counted up to Buf[CountedTo]: only on request, and after a piece that was
	// searched for colons.
	CountedTo int
	Lines     int64 // newlines in front of Buf[CountedTo]
	LineStart int64 // offset in the stream of the line's first byte; -1 if not searched
	Piece     piece

	// For the line in which the window was cut: what is in front of Buf[0].
	CutStart int64 // offset in the stream of its first byte
	head     [headLen]byte
}

// grow gives w a buffer of size bytes, and the memory for the search in pieces. It is called
// once.
func (w *window) grow(size int) {
	w.Own = make([]byte, size)
	w.Piece.colons, w.Piece.lines = new(colons), new(lineBlocks)
}

// reset empties w and makes r its reader. r may be nil.
func (w *window) reset(r io.Reader) {
	w.Piece.colons.Next, w.Piece.colons.N = 0, 0
	*w = window{R: r, Buf: w.Own, Own: w.Own, NoLines: w.NoLines, Piece: piece{colons: w.Piece.colons, lines: w.Piece.lines}}
}

// resetBytes makes text the window. Nothing is read after it.
func (w *window) resetBytes(text []byte) {
	w.reset(nil)
	w.Buf, w.End, w.Err = text, len(text), io.EOF
}

// mostIdle is how many Reads in a row may return neither bytes nor an error, as in bufio.
const mostIdle = 100

// fill does one Read, after the bytes that are there. If there is no room it first drops
// Buf[:keep] and returns by how much everything has moved.
func (w *window) fill(keep int) (moved int) {
	if w.End == len(w.Buf) {
		moved = w.slide(keep)
	}
	for range mostIdle {
		n, err := w.R.Read(w.Buf[w.End:])
		w.End += n
		if err != nil {
			w.Err = err
			return moved
		}
		if n > 0 {
			return moved
		}
	}
	w.Err = io.ErrNoProgress
	return moved
}

// slide drops Buf[:keep], but saves the beginning of the line in which it cuts. Positions for
// which lines are requested later are at least lookBehind bytes after the cut. So the first
// headLen bytes of the line are in the window when it is cut.
func (w *window) slide(keep int) int {
	if keep <= 0 {
		return 0
	}
	if at := w.startOf(keep); at != w.CutStart || at >= w.Base {
		w.CutStart = at
		copy(w.head[:], w.Buf[at-w.Base:w.End])
	}
	w.count(keep)
	// This moves lookBehind bytes and an open candidate. That is little, and it is done
	// once for each window.
	copy(w.Buf, w.Buf[keep:w.End])
	w.End -= keep
	w.Base += int64(keep)
	w.CountedTo -= keep
	w.Piece.From -= keep
	w.Piece.to = max(0, w.Piece.to-keep)
	return keep
}

// count moves CountedTo to i. Each byte is searched at most three times.
func (w *window) count(i int) {
	if i <= w.CountedTo {
		return
	}
	p := &w.Piece
	if w.CountedTo < p.to && i >= p.to { // the newlines in the rest of the piece are counted already
		if p.newlines > 0 {
			w.Lines += int64(p.newlines)
			w.LineStart = -1
			p.newlines = 0
		}
		if w.CountedTo = p.to; i == p.to {
			return
		}
	}
	if hasAVX2 && i < p.to && w.CountedTo >= p.From && (p.lined || p.From >= 0) {
		w.countMarked(i)
		return
	}
	s := w.Buf[w.CountedTo:i]
	n := bytes.Count(s, newline)
	w.Lines += int64(n)
	if i < p.to {
		p.newlines -= n
	}
	if n > 0 {
		w.LineStart = w.Base + int64(w.CountedTo+bytes.LastIndexByte(s, '\n')+1)
	}
	w.CountedTo = i
}

// countMarked is count for a position in a piece, using its marks. If these do not exist
// yet, each byte is searched once.
func (w *window) countMarked(i int) {
	p := &w.Piece
	if !p.lined {
		p.lines.markNewlines(w.Buf[p.From:p.to])
		p.lined = true
		p.passed, _ = p.lines.of(w.CountedTo - p.From)
	}
	n, start := p.lines.of(i - p.From)
	if n -= p.passed; n > 0 {
		w.Lines += int64(n)
		p.newlines -= n
		p.passed += n
		w.LineStart = w.Base + int64(p.From+start)
	}
	w.CountedTo = i
}

// newline is LF, the byte that separates lines in positions.
var newline = []byte{'\n'}

// place returns line and column, both from 1, of Buf[i]. Calls come nearly in order of i: Buf[i]
// may be in front of CountedTo, but only by the length of a scheme.
func (w *window) place(i int) (line, column int64) {
	if p := &w.Piece; p.lined && w.CountedTo <= i && i < p.to && w.LineStart >= 0 { // the usual case
		w.countMarked(i)
		return w.Lines + 1, w.Base + int64(i) - w.LineStart + 1
	}
	w.count(i)
	line = w.Lines + 1
	if i < w.CountedTo {
		line -= int64(bytes.Count(w.Buf[i:w.CountedTo], newline))
	}
	return line, w.Base + int64(i) - w.startOf(i) + 1
}

// lineHead returns the beginning of the line of Buf[i]: at most headLen bytes, all of them in
// front of Buf[i]. They are valid until the next fill.
func (w *window) lineHead(i int) []byte {
	at := w.startOf(i) - w.Base
	if at < 0 {
		return w.head[:min(int64(headLen), int64(i)-at)]
	}
	return w.Buf[at:min(int(at)+headLen, i)]
}

// linesToEnd returns the number of newlines in front of Buf[End], and the offset in the stream of
// the byte after the last newline. CountedTo does not move, since positions after CountedTo may
// still be requested in order. Newlines after both CountedTo and the current piece are counted
// here.
func (w *window) linesToEnd() (lines, start int64) {
	lines, from := w.Lines, w.CountedTo
	if w.CountedTo < w.Piece.to {
		lines, from = lines+int64(w.Piece.newlines), w.Piece.to
	}
	lines += int64(bytes.Count(w.Buf[from:w.End], newline))
	if k := bytes.LastIndexByte(w.Buf[:w.End], '\n'); k >= 0 {
		return lines, w.Base + int64(k+1)
	}
	return lines, w.CutStart
}

// startOf returns the offset in the stream of the first byte of the line of Buf[i]. If i is
// after CountedTo, the lines up to i are counted, so no byte is searched twice. If i is in an
// earlier line than CountedTo, startOf searches back from i. Calls come nearly in order, so that
// happens only just after CountedTo has passed the line, and no line is searched more than a few
// times.
func (w *window) startOf(i int) int64 {
	w.count(i)
	if w.LineStart < 0 { // the search ends where the one before it began
		w.LineStart = w.Base + int64(bytes.LastIndexByte(w.Buf[:w.CountedTo], '\n')+1)
	}
	if w.LineStart <= w.Base+int64(i) {
		return w.LineStart
	}
	if k := bytes.LastIndexByte(w.Buf[:i], '\n'); k >= 0 {
		return w.Base + int64(k+1)
	}
	return w.CutStart
}

// lineOf returns line and column of Buf[i], or 0 if they are not needed.
func (w *window) lineOf(i int) (line, column int64) {
	if w.NoLines {
		return 0, 0
	}
	return w.place(i)
}

// colon returns the position of the first worthwhile colon from i on, or -1.
func (w *window) colon(i int) int {
	for {
		if at := w.nextColon(i); at >= 0 {
			return at
		}
		if w.Piece.to == w.End {
			return -1
		}
		w.searchPiece()
	}
}

// searchPiece searches the next piece. There must be one.
func (w *window) searchPiece() {
	p := &w.Piece
	w.count(p.to)
	p.From, p.to = p.to, min(w.End, p.to+pieceLen)
	p.lined = false
	n, newlines := colonBlocks(w.Buf[p.From:p.to], p.At[:])
	if w.CountedTo > p.From {
		newlines -= bytes.Count(w.Buf[p.From:min(w.CountedTo, p.to)], newline)
	}
	p.newlines = newlines
	p.Next, p.N = 0, narrowBlocks(w.Buf[:w.End], p.From, p.At[:n], p.Masks[:n])
}

// nextColon returns the position of the first worthwhile colon from Buf[i] on in the
// current piece, or -1. It returns the same position again until i is greater than that.
func (w *window) nextColon(i int) int {
	p, b := &w.Piece, w.Buf[:w.End]
	for ; p.Next < p.N; p.Next++ { // each block is finished once
		block := p.From + int(p.At[p.Next])
		for m := p.Masks[p.Next]; m != 0; m &= m - 1 {
			if at := block + bits.TrailingZeros64(m); at >= i && worthwhile(b, w.Floor, at) {
				p.Masks[p.Next] = m
				return at
			}
		}
	}
	return -1
}

// A piece is the part Buf[from:to] of a window that was searched last.
type piece struct {
	From, to int
	newlines int // newlines in it after window.CountedTo
	*colons
	lines *lineBlocks
	lined bool // lines are those of this piece

	passed int // if lined: newlines in the piece in front of window.CountedTo
}

// A caller that needs the line of one reference needs the lines of the references after it, too. So
// the first request in a piece marks all newlines of the piece. After that, the line of any byte
// takes two lookups and no loop. Without AVX2, window.count does all the counting.

// lineBlocks has the blocks of a piece, and one more for its end.
type lineBlocks [pieceBlocks + 1]lineBlock

// markNewlines marks the newlines of the piece b, in one pass.
func (l *lineBlocks) markNewlines(b []byte) {
	whole := len(b) &^ (blockLen - 1)
	n, start := lineBlocksAVX2(b[:whole], (*[pieceBlocks + 1]lineBlock)(l))
	last := &l[whole/blockLen]
	*last = lineBlock{0, n, start}
	for i, c := range b[whole:] { // less than a block
		if c == '\n' {
			last.Mask |= 1 << i
		}
	}
}

// of returns how many newlines of the piece are in front of its byte i, and the offset
// in the piece at which the line of that byte begins. The offset is 0, too, if the line
// begins in front of the piece.
func (l *lineBlocks) of(i int) (n, start int) {
	b := &l[i/blockLen]
	n, start = int(b.Before), int(b.Start)
	if m := b.Mask & (1<<(i%blockLen) - 1); m != 0 {
		n += bits.OnesCount64(m)
		start = i&^(blockLen-1) + bits.Len64(m)
	}
	return n, start
}
