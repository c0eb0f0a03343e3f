package compress

import "sync"

// Reading ahead. A worker that has nothing else to do takes over the decompression of a
// source that another worker reads. Then both work in parallel:
//
//	stored → layers ─► chunks ─► buffer → decompressed stream
//	  the worker that assists │  the worker that reads the source
//
// The layers and the source belong to the assistant until it is done. What the reader must know
// about them is passed on with the bytes. The reader gets an error after the bytes in front of
// that error, and its Reads return as many bytes as without an assistant. So results and errors
// do not depend on whether there is one. While all workers have sources of their own, each
// decompresses what it reads.
//
// Without reading ahead, a run of two workers over one file of access logs in gzip takes 1.15
// times as long, over a mailbox in one frame of zstd 1.04 times. Reading ahead saves time but
// not work: for RFCs in gzip it costs a quarter more processor time.
//
// A chunk is what one Read of the last layer returned. All chunks are in one ring, and each Read
// has the same room in it. Waking a goroutine costs as much as scanning a chunk. So the reader is
// woken not for each chunk but when the ring is half full, and the assistant when it is half
// empty. If a Read of the source may take long (a pipe, not a file), the reader is woken before
// it, with the chunks that are there.
//
// The text is copied twice, into the ring and out of it. With logs in one member of gzip
// -6, decompressing takes 41 % of the processor time, scanning and printing 50 %; these
// figures include 3 % for each copy. So two workers are busy all the time. Running text and mailboxes in
// one compression are not read ahead: their blocks are scanned by several workers (schedule/block.go).
const (
	aheadRing   = 1 << 20   // size in bytes: scanning that much takes longer than the reader's pauses for output
	aheadRoom   = 128 << 10 // room for a Read in bytes: a block of zstd
	aheadChunks = 128       // most chunks that wait to be read
)

// A readAhead sits between the layers of a source and their reader.
type readAhead struct {
	source    *Source
	top       *layer // the last layer
	readAlone int64  // bytes that were read before there was an assistant
	active    bool   // there is an assistant
	slow      bool   // a Read of the source may take long

	// These two belong to the reader, which takes them from the next chunk of the ring.
	left []byte // bytes of the chunk that are still to be read
	err  error  // returned when the last chunk has been read

	mu             sync.Mutex // guards the fields below
	changed        sync.Cond  // signals the other side that one of them has changed
	ring           ring
	done           bool // the assistant has ended and accesses nothing any more
	stop           bool // the reader has stopped
	readerWaits    bool // the reader is waiting
	assistantWaits bool // the assistant is waiting
}

// A ring holds the chunks that were written and not yet read.
type ring struct {
	bytes   []byte
	chunks  [aheadChunks]chunk
	written int   // chunks written by the assistant
	read    int   // chunks read; at most written, at least written-aheadChunks
	made    int64 // bytes of the ring that were allocated, over all rounds
	gone    int64 // bytes of these that were read
}

// reset empties the ring. It keeps the memory.
func (r *ring) reset() { r.written, r.read, r.made, r.gone = 0, 0, 0, 0 }

// next returns the chunk that is read next, and free the one that is written next.
func (r *ring) next() *chunk { return &r.chunks[r.read%aheadChunks] }
func (r *ring) free() *chunk { return &r.chunks[r.written%aheadChunks] }

// put adds the chunk that was written, of n bytes.
func (r *ring) put(n int) {
	r.made += int64(n)
	r.free().end = r.made
	r.written++
}

// release removes the chunk that was read.
func (r *ring) release() {
	r.gone = r.next().end
	r.read++
}

// room returns the room for the next chunk, or nil if there is none.
func (r *ring) room() []byte {
	if r.made%aheadRing > aheadRing-aheadRoom { // too little room is left up to the end of the ring
		r.made += aheadRing - r.made%aheadRing
	}
	if r.made-r.gone > aheadRing-aheadRoom || r.written-r.read == aheadChunks {
		return nil
	}
	at := r.made % aheadRing
	return r.bytes[at : at+aheadRoom]
}

// half reports whether half of the ring waits to be read.
func (r *ring) half() bool {
	return r.made-r.gone >= aheadRing/2 || r.written-r.read >= aheadChunks/2
}

// A chunk is what one Read returned. The assistant owns it until it is written, then the
// reader until it is read.
type chunk struct {
	text   []byte // in the ring
	end    int64  // end of text in allocated bytes of the ring
	err    error
	stored int64 // bytes of the source that had been read
}

// offer puts a between top, the last layer of source, and the reader of top, if that reader may ask
// for an assistant. That requires a source whose Reads can be interrupted.
func (a *readAhead) offer(source *Source, top *layer) {
	if source.caller.hooks.Assist != nil && source.wake != nil {
		a.source, a.readAlone = source, 0
		a.top = top
		a.top.ahead = a
	}
}

// Read reads from a chunk, or from the last layer if there is no assistant.
func (a *readAhead) Read(p []byte) (int, error) {
	if !a.active && !a.begin() {
		n, err := a.top.unpack(p)
		a.readAlone += int64(n)
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

// begin asks for an assistant, unless too little was read yet. It reports whether there is one.
func (a *readAhead) begin() bool {
	if a.readAlone < a.source.caller.limits.AheadFrom || a.top.err != nil {
		return false
	}
	a.left, a.err = nil, nil
	a.changed.L = &a.mu
	a.ring.reset()
	a.done, a.stop, a.readerWaits, a.assistantWaits = false, false, false, false
	f, ok := a.source.r.(interface{ Regular() bool })
	a.slow = !ok || !f.Regular()
	a.active, a.source.mayWait = true, a.mayWait
	if !a.source.caller.hooks.Assist(a.fill) { // if it succeeds, only the assistant touches the layers from here on
		a.active, a.source.mayWait = false, nil
	}
	return a.active
}

// next moves to the next chunk. If it must wait, results are delivered first, as before a
// Read of the source.
func (a *readAhead) next() {
	hooks := &a.source.caller.hooks
	a.mu.Lock()
	if a.ring.read == a.ring.written {
		a.mu.Unlock()
		hooks.BeforeBlock()
		a.mu.Lock()
		for a.ring.read == a.ring.written { // an assistant that has ended has written an error
			a.readerWaits = true
			a.changed.Wait()
		}
		a.mu.Unlock()
		hooks.AfterBlock()
		a.mu.Lock()
	}
	a.mu.Unlock()
	now := a.ring.next()
	a.left = now.text
	a.source.Count(now.stored)
}

// release returns the room of the chunk to the assistant.
func (a *readAhead) release() {
	a.err = a.ring.next().err
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ring.release()
	if a.assistantWaits && !a.ring.half() {
		a.assistantWaits = false
		a.changed.Signal()
	}
}

// fill is what the assistant runs. It fills chunks until there is nothing more to read.
func (a *readAhead) fill() {
	if a.ring.bytes == nil {
		a.ring.bytes = make([]byte, aheadRing)
	}
	for room := a.room(); room != nil; room = a.room() {
		now := a.ring.free()
		n, err := a.top.unpack(room)
		now.text, now.err, now.stored = room[:n], err, a.source.read
		if a.put(n, err); err != nil {
			return
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = true
	a.changed.Signal()
}

// put passes on the next chunk, of n bytes. If it has an error the assistant has ended.
func (a *readAhead) put(n int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ring.put(n)
	a.done = err != nil
	a.wakeReader(a.ring.half())
}

// room waits for room in the ring. It returns nil if the reader has stopped.
func (a *readAhead) room() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !a.stop { // one iteration for each wake-up
		if room := a.ring.room(); room != nil {
			return room
		}
		a.assistantWaits = true
		a.changed.Wait()
	}
	return nil
}

// wakeReader wakes the reader if there is enough for it, or if nothing more will come.
func (a *readAhead) wakeReader(enough bool) {
	if a.done || a.readerWaits && enough {
		a.readerWaits = false
		a.changed.Signal()
	}
}

// mayWait is called by the assistant before it reads the source, which may block. It reports
// whether the assistant should read.
func (a *readAhead) mayWait() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wakeReader(a.slow && a.ring.written > a.ring.read)
	return !a.stop
}

// end ends the work of the assistant, and returns the source and the layers to the
// worker.
func (a *readAhead) end() {
	a.pause()
	if a.top != nil {
		a.top.ahead, a.top = nil, nil
	}
}

// pause is end, except that another assistant may come.
func (a *readAhead) pause() {
	if a.active {
		a.mu.Lock()
		a.stop = true
		if a.changed.Signal(); !a.done {
			a.mu.Unlock()
			a.source.wake()
			a.mu.Lock()
		}
		for !a.done {
			a.changed.Wait()
		}
		a.mu.Unlock()
		a.source.mayWait = nil
		a.source.Count(a.source.read)
	}
	a.active = false
}

// close releases the memory.
func (a *readAhead) close() { a.ring = ring{} }
