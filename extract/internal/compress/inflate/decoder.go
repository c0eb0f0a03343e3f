package inflate

// Sizes in bytes.
const (
	history = 32 << 10        // how far back a match may reach
	block   = 64 << 10        // decoded at once
	room    = 2 + 9*32        // what an iteration of the fast loop may write beyond the window
	window  = history + block // where decoding pauses, so that the text can be read
	winSize = window + room
)

// A decoder has what the loops need: the next bits of the stream, the tables that give them a
// meaning, and the text. The loops are fast (fast.go), fastSafe (safe.go) and slow
// (symbols.go).
type decoder struct {
	bits uint64  // the bits of a byte that is partly consumed
	n    uint    // number of them, below 8
	tab  *tables // of the current block
	safe bool    // use fastSafe; for tests
	win  textWindow
}

// reset resets d, except for what tests have set.
func (d *decoder) reset() {
	d.bits, d.n, d.tab = 0, 0, nil
	d.win.base, d.win.returned, d.win.out = 0, 0, 0
}

// A textWindow is the text that was decoded last. Matches may refer to text[base:out];
// text[returned:out] is still to be returned.
type textWindow struct {
	base, returned, out int
	text                [winSize]byte // last, so that a test can put a page after it that must not be touched
}

// slide makes room in a window that is full. All text in it must have been returned.
func (w *textWindow) slide() {
	if w.out >= window {
		n := copy(w.text[:history], w.text[w.out-history:w.out])
		w.base, w.returned, w.out = 0, n, n
	}
}
