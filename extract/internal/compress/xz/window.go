package xz

// A window holds the last text of a block: matches refer to it, and Read hands it out
// from there. It is a ring once it has the size that the block declares.
//
//	mem |<-------- buf, up to size -------->|        |
//	     text ...                  pos ...
//
// It begins small and grows with the text, so a block of 80 bytes costs no more than
// windowLeast, whatever its header declares. The memory is kept for later blocks.
type window struct {
	mem     []byte // all that was allocated
	buf     []byte // mem[:n], with n at most size
	size    int    // that the block declares
	pos     int    // where the next byte goes; at most len(buf)
	wrapped bool   // buf has size, and is full
}

// windowLeast is the size of the first window, in bytes, and windowGrowth by how much
// each is larger than the one before. All that were outgrown are together a third of
// the present one.
const (
	windowLeast  = 64 << 10
	windowGrowth = 4
)

// reset empties the window, for a block that declares size bytes.
func (w *window) reset(size int) {
	w.size = size
	if w.mem == nil {
		w.mem = make([]byte, windowLeast)
	}
	w.buf = w.mem[:min(len(w.mem), size)]
	w.empty()
}

// empty makes the window as if nothing had been written.
func (w *window) empty() { w.pos, w.wrapped = 0, false }

// room makes pos less than len(buf): the window grows, or begins again at its front.
func (w *window) room() {
	switch {
	case w.pos < len(w.buf):
	case len(w.buf) < w.size:
		w.mem = make([]byte, min(w.size, windowGrowth*len(w.buf)))
		copy(w.mem, w.buf)
		w.buf = w.mem
	default:
		w.pos, w.wrapped = 0, true
	}
}

// has reports whether a byte was written dist+1 bytes ago, and is still there.
func (w *window) has(dist uint32) bool {
	return uint64(dist) < uint64(w.pos) || w.wrapped && uint64(dist) < uint64(len(w.buf))
}

// back returns the byte that was written dist+1 bytes ago, which the window has. Before
// the first byte there are zeros.
func (w *window) back(dist uint32) byte {
	i := w.pos - int(dist) - 1
	if i < 0 {
		if !w.wrapped {
			return 0
		}
		i += len(w.buf)
	}
	return w.buf[i]
}

// repeat writes n bytes again from dist+1 bytes ago, up to end, and returns how many
// are left. Each iteration writes a byte.
func (w *window) repeat(dist uint32, n, end int) int {
	k := min(n, end-w.pos)
	from := w.pos - int(dist) - 1
	if from < 0 {
		from += len(w.buf)
	}
	switch {
	case from+k <= w.pos || from > w.pos && from+k <= len(w.buf):
		copy(w.buf[w.pos:w.pos+k], w.buf[from:from+k])
	case from < w.pos: // what is written is read again
		text := w.buf[from : w.pos+k]
		for i, back := w.pos-from, 0; i < len(text); i, back = i+1, back+1 {
			text[i] = text[back]
		}
	default: // over the end of the ring
		for i := range k {
			w.buf[w.pos+i] = w.buf[from]
			if from++; from == len(w.buf) {
				from = 0
			}
		}
	}
	w.pos += k
	return n - k
}
