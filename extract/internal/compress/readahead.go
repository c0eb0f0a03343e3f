package compress

import (
	"sync"
)

// Reading ahead. A worker that has nothing left to claim takes over the
// decompression of a source that another one reads, so that the two work side by
// side:
//
//	stored → layers ─► chunks ─► buffer → decompressed stream
//	  the worker that assists │  the worker that reads the source
//
// The layers and the source belong to the assistant from then on, until it is done.
// What it learns of them crosses with the bytes: an error is known when the bytes
// before it have been read, and Reads return as many bytes as they would without an
// assistant; so results and errors do not depend on there being one. As long as
// all workers have sources of their own, each decompresses what it reads.
//
// A chunk is what one Read of the last layer returns; all lie in one ring, and a Read
// always has the same room there. Waking a goroutine costs as much as scanning a chunk,
// so it is not done for each: the reader is woken when the ring is half full, the
// assistant when it is half empty. Only where a Read of the source may take long, as of
// a pipe and not of a file, the reader is woken before it for whatever there is.
const (
	aheadRing   = 1 << 20   // bytes: printing results while nothing is scanned takes less time
	aheadRoom   = 128 << 10 // bytes of a Read: a block of zstd
	aheadChunks = 128       // that may wait to be read
)

// AheadFrom is how many bytes a source must have become to be worth an assistant. Only
// tests change it.
var AheadFrom int64 = 64 << 10

// A readAhead is between the layers of a source and what reads them.
type readAhead struct {
	pool   *Pool
	top    *layer // the last of the layers
	given  int64  // bytes that were read before there was an assistant
	active bool   // there is one, until end
	slow   bool   // a Read of the source may take long

	// The reader's, of chunks[read%aheadChunks].
	left []byte // of the chunk, still to be read
	err  error  // of the last chunk, when that has been read

	mu       sync.Mutex // for what follows
	changed  sync.Cond  // something that one of the two waits for has changed
	ring     []byte
	chunks   [aheadChunks]chunk
	written  int   // by the assistant
	read     int   // at most written, at least written-aheadChunks
	made     int64 // bytes of the ring that were given out, lap after lap
	gone     int64 // of them, those that were read
	done     bool  // the assistant is, and will touch nothing any more
	stop     bool  // the reader has stopped
	starving bool  // the reader waits
	full     bool  // the assistant waits
}

// A chunk is what a Read returned. It is the assistant's until it is written, and the
// reader's until it is read.
type chunk struct {
	text   []byte // in the ring
	end    int64  // of that, in bytes that were given out
	err    error
	stored int64 // bytes of the source that were read by then
}

// offer puts a between the first n layers of p and their reader, if another worker may
// come to assist. A Read of the source that waits has to have an end for that.
func (a *readAhead) offer(p *Pool, n int) {
	if p.hooks.Assist != nil && p.Source.wake != nil {
		a.pool, a.given = p, 0
		a.top = p.layers[n-1]
		a.top.ahead = a
	}
}

// Read reads from a chunk, or where nobody assists from the last layer.
func (a *readAhead) Read(p []byte) (int, error) {
	if !a.active && !a.begin() {
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

// begin looks for an assistant.
func (a *readAhead) begin() bool {
	if a.given < AheadFrom || a.top.err != nil {
		return false
	}
	a.left, a.err = nil, nil
	a.changed.L = &a.mu
	a.written, a.read, a.made, a.gone = 0, 0, 0, 0
	a.done, a.stop, a.starving, a.full = false, false, false, false
	source := &a.pool.Source
	f, ok := source.r.(interface{ Regular() bool })
	a.slow = !ok || !f.Regular()
	a.active, source.ahead = true, a
	if !a.pool.hooks.Assist(a.fill) { // else what is the assistant's is not touched from here on
		a.active, source.ahead = false, nil
	}
	return a.active
}

// next continues to the next chunk. If it has to wait, that is as before a Read of the
// source: what was found is handed over.
func (a *readAhead) next() {
	hooks := &a.pool.hooks
	a.mu.Lock()
	if a.read == a.written {
		a.mu.Unlock()
		hooks.BeforeBlock()
		a.mu.Lock()
		for a.read == a.written { // an assistant that is done has written an error
			a.starving = true
			a.changed.Wait()
		}
		a.mu.Unlock()
		hooks.AfterBlock()
		a.mu.Lock()
	}
	a.mu.Unlock()
	now := &a.chunks[a.read%aheadChunks]
	a.left = now.text
	a.pool.Source.Count(now.stored)
}

// release gives the chunk back to the assistant.
func (a *readAhead) release() {
	now := &a.chunks[a.read%aheadChunks]
	a.err = now.err
	a.mu.Lock()
	defer a.mu.Unlock()
	a.read++
	a.gone = now.end
	if a.full && !a.half() {
		a.full = false
		a.changed.Signal()
	}
}

// fill is what the assistant does: it fills chunks until there is no more to read. Each
// iteration reads once.
func (a *readAhead) fill() {
	if a.ring == nil {
		a.ring = make([]byte, aheadRing)
	}
	for room := a.room(); room != nil; room = a.room() {
		now := &a.chunks[a.written%aheadChunks]
		n, err := a.top.unpack(room)
		now.text, now.err, now.stored = room[:n], err, a.pool.Source.read
		if a.put(n, err); err != nil {
			return
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = true
	a.changed.Signal()
}

// put hands over the next chunk, which has n bytes. After one with an error the
// assistant is done.
func (a *readAhead) put(n int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.made += int64(n)
	a.chunks[a.written%aheadChunks].end = a.made
	a.written++
	a.done = err != nil
	a.feed(a.half())
}

// room waits for room in the ring, and returns nil if none is wanted.
func (a *readAhead) room() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.made%aheadRing > aheadRing-aheadRoom { // what is left of this lap is too little
		a.made += aheadRing - a.made%aheadRing
	}
	for (a.made-a.gone > aheadRing-aheadRoom || a.written-a.read == aheadChunks) && !a.stop {
		a.full = true
		a.changed.Wait()
	}
	if a.stop {
		return nil
	}
	at := a.made % aheadRing
	return a.ring[at : at+aheadRoom]
}

// half reports whether half of what there may be waits to be read.
func (a *readAhead) half() bool {
	return a.made-a.gone >= aheadRing/2 || a.written-a.read >= aheadChunks/2
}

// feed wakes the reader if there is enough for it, or there will be no more.
func (a *readAhead) feed(enough bool) {
	if a.done || a.starving && enough {
		a.starving = false
		a.changed.Signal()
	}
}

// mayWait is called by the assistant before it reads the source. It reports whether
// to do so.
func (a *readAhead) mayWait() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.feed(a.slow && a.written > a.read)
	return !a.stop
}

// end ends the work of the assistant, and returns the source and the layers to the
// worker.
func (a *readAhead) end() {
	if a.active {
		source := &a.pool.Source
		a.mu.Lock()
		a.stop = true
		if a.changed.Signal(); !a.done {
			a.mu.Unlock()
			source.wake()
			a.mu.Lock()
		}
		for !a.done {
			a.changed.Wait()
		}
		a.mu.Unlock()
		source.ahead = nil
		source.Count(source.read)
	}
	a.active = false
	if a.top != nil {
		a.top.ahead, a.top = nil, nil
	}
}

// close lets go of the memory.
func (a *readAhead) close() { a.ring, a.chunks = nil, [aheadChunks]chunk{} }
