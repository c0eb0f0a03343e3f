package extract

import (
	"io"
	"os"
	"sync"
)

// Reading ahead. A worker of a Run that has nothing left to claim takes over the
// decompression of a source that another one reads, so that the two go on side by
// side:
//
//	stored → layers ─► chunks ─► buffer → raw stream → text → Results
//	    the one that helps │  the one that reads the source
//
// The layers, and what is stored, are the helper's from then on until it is done.
// What it learns of them crosses with the bytes: an error is known when the bytes
// before it have been read, and reads return as many bytes as they would without a
// helper; so nothing that is found or told depends on there being one. As long as
// all workers have sources of their own, each decompresses what it reads.
//
// A chunk is what one Read of the last layer returns; all lie in one ring, and a Read
// has always the same room there. Nobody is woken for each of them, since that costs as
// much as to scan one: the reader when the ring is half full, the helper when it is half
// empty. Only where a Read of what is stored may take long, as one of a pipe may and of
// a file does not, the reader is woken before it for whatever there is.
const (
	aheadRing   = 1 << 20   // bytes: what results are printed while nothing is scanned takes less
	aheadRoom   = 128 << 10 // of a Read, bytes: a block of zstd
	aheadChunks = 128       // that may wait to be read
)

// aheadFrom is how many bytes a source must have become to be worth a helper. Only
// tests change it.
var aheadFrom int64 = 64 << 10

// An ahead is between the outermost pile of layers of a worker and what reads it.
type ahead struct {
	stored *stored
	layers []*layer // above it
	top    *layer   // the last of them
	run    *run     // whose workers may help
	wake   func()   // ends a Read of what is stored that waits
	given  int64    // bytes that were read before there was a helper
	begun  bool     // there is one, until end

	slow bool // a Read of what is stored may take long

	// The reader's, of chunks[read%aheadChunks].
	left []byte // of the chunk, still to be read
	err  error  // behind the last chunk, when that has been read
	met  met    // trouble that is known

	mu      sync.Mutex // for what follows
	moved   sync.Cond  // something that one of the two waits for has changed
	ring    []byte
	chunks  [aheadChunks]chunk
	written int   // by the helper
	read    int   // at most written, at least written-aheadChunks
	made    int64 // bytes of the ring that were given out, lap after lap
	gone    int64 // of them, those that were read
	done    bool  // the helper is, and will touch nothing any more
	stop    bool  // the reader wants no more
	hungry  bool  // the reader waits
	full    bool  // the helper waits
}

// A chunk is what a Read returned, and what was known then. It is the helper's until
// it is written, and the reader's until it is read.
type chunk struct {
	text   []byte // in the ring
	end    int64  // of that, in bytes that were given out
	err    error
	below  met   // trouble of what lies below the last layer
	stored int64 // bytes that were read
}

// A met is trouble, and the stage that met it first; the zero met is none.
type met struct {
	is  codec
	err error
}

// set puts a between the first n layers and their reader. wake ends a Read of what
// is stored that waits. Without it, and where no worker may help, all is as without a.
func (a *ahead) set(ls *layers, n int, wake func()) {
	if out, ok := ls.stored.w.out.(*batcher); ok && wake != nil {
		a.stored, a.layers, a.run, a.wake, a.given = &ls.stored, ls.pile[:n:n], out.run, wake, 0
		a.top = a.layers[n-1]
		a.top.ahead = a
	}
}

// Read reads from a chunk, or where nobody helps from the last layer.
func (a *ahead) Read(p []byte) (int, error) {
	if !a.begun && !a.begin() {
		n, err := a.top.unpack(p)
		a.given += int64(n)
		return n, err
	}
	if a.err != nil {
		return 0, a.err
	}
	if len(a.left) == 0 {
		a.next()
	}
	n := copy(p, a.left)
	if a.left = a.left[n:]; len(a.left) == 0 {
		a.release()
	}
	return n, a.err
}

// begin looks for a helper.
func (a *ahead) begin() bool {
	if a.given < aheadFrom || a.top.err != nil {
		return false
	}
	a.left, a.err, a.met = nil, nil, met{}
	a.moved.L = &a.mu
	a.written, a.read, a.made, a.gone = 0, 0, 0, 0
	a.done, a.stop, a.hungry, a.full = false, false, false, false
	a.slow = !isRegular(a.stored.r)
	a.begun, a.stored.ahead = true, a
	if !a.run.help(a) { // else what is the helper's is not touched from here on
		a.begun, a.stored.ahead = false, nil
	}
	return a.begun
}

// isRegular reports whether r is a regular file, of which no Read waits for others.
func isRegular(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// next goes on to the next chunk. If it has to wait, that is as before a Read of what
// is stored: what was found is handed over.
func (a *ahead) next() {
	s := a.stored
	a.mu.Lock()
	if a.read == a.written {
		a.mu.Unlock()
		s.w.flush()
		s.w.out.pause()
		a.mu.Lock()
		for a.read == a.written { // a helper that is done has written an error
			a.hungry = true
			a.moved.Wait()
		}
		a.mu.Unlock()
		s.w.out.resume()
		a.mu.Lock()
	}
	a.mu.Unlock()
	now := &a.chunks[a.read%aheadChunks]
	a.left, a.met = now.text, now.below
	s.count(now.stored)
}

// release gives the chunk back to the helper.
func (a *ahead) release() {
	now := &a.chunks[a.read%aheadChunks]
	if a.err = now.err; a.err != nil && a.err != io.EOF && a.met.err == nil {
		a.met = met{a.top.is, a.err}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.read++
	a.gone = now.end
	if a.full && !a.half() {
		a.full = false
		a.moved.Signal()
	}
}

// fill is what a helper does: it fills chunks until there is no more to read. Each
// turn of its loop reads once.
func (a *ahead) fill() {
	if a.ring == nil {
		a.ring = make([]byte, aheadRing)
	}
	for room := a.room(); room != nil; room = a.room() {
		now := &a.chunks[a.written%aheadChunks]
		n, err := a.top.unpack(room)
		now.text, now.err = room[:n], err
		now.below, now.stored = a.stored.met(a.layers[:len(a.layers)-1]), a.stored.n
		if a.put(n, err); err != nil {
			return
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = true
	a.moved.Signal()
}

// put hands over the next chunk, which has n bytes. Behind one with an error the helper
// is done.
func (a *ahead) put(n int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made += int64(n)
	a.chunks[a.written%aheadChunks].end = a.made
	a.written++
	a.done = err != nil
	a.feed(a.half())
}

// room waits for room in the ring, and returns nil if none is wanted.
func (a *ahead) room() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.made%aheadRing > aheadRing-aheadRoom { // what is left of this lap is too little
		a.made += aheadRing - a.made%aheadRing
	}
	for (a.made-a.gone > aheadRing-aheadRoom || a.written-a.read == aheadChunks) && !a.stop {
		a.full = true
		a.moved.Wait()
	}
	if a.stop {
		return nil
	}
	at := a.made % aheadRing
	return a.ring[at : at+aheadRoom]
}

// half reports whether half of what there may be waits to be read.
func (a *ahead) half() bool {
	return a.made-a.gone >= aheadRing/2 || a.written-a.read >= aheadChunks/2
}

// feed wakes the reader if there is enough for it, or there will be no more.
func (a *ahead) feed(enough bool) {
	if a.done || a.hungry && enough {
		a.hungry = false
		a.moved.Signal()
	}
}

// mayWait is called by the helper before it reads what is stored. It reports
// whether that is to be done.
func (a *ahead) mayWait() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.feed(a.slow && a.written > a.read)
	return !a.stop
}

// end ends the work of the helper, and leaves what is stored and the layers to the
// worker again.
func (a *ahead) end() {
	if a.begun {
		a.mu.Lock()
		a.stop = true
		if a.moved.Signal(); !a.done {
			a.mu.Unlock()
			a.wake()
			a.mu.Lock()
		}
		for !a.done {
			a.moved.Wait()
		}
		a.mu.Unlock()
		a.stored.ahead = nil
		a.stored.count(a.stored.n)
	}
	a.begun = false
	if a.top != nil {
		a.top.ahead, a.top = nil, nil
	}
}

// close lets go of the memory.
func (a *ahead) close() {
	a.ring, a.chunks = nil, [aheadChunks]chunk{}
}
