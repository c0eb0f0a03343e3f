package extract

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// What a helper does for the reader of a file of many members: see spread.go.

// A job is the decompression of the members that begin in a stretch.
type job struct {
	at       io.ReaderAt
	is       codec
	window   int64
	from, to int64 // the stretch

	// Of who does the work, until done.
	with   *tool // its own
	begun  bool
	under  stretch // that in reads
	member int64   // where the member that is read begins, in what is written

	// Of frames that are known: see frames.go.
	ends     []int64 // of each, in what is stored
	whole    bool    // each is taken whole
	unpacked int     // how many were
	longest  int64   // of what came of one, in bytes
	long     bool    // they could not be

	mu      sync.Mutex
	moved   sync.Cond
	ring    []byte
	start   int64 // where the first member begins; -1 if that is not known
	end     int64 // where the reader is to go on, if done
	skip    int64 // bytes that came of the member that begins there
	stored  int64 // how far what is stored was read
	written int64
	read    int64
	done    bool
	void    bool
}

// A stretch is what a job reads. It ends where the job is void, or nothing has come of
// much: frames to be skipped may be long, and false, and whoever voids a job waits for
// its end.
type stretch struct {
	section
	j         *job
	fruitless int // bytes of which nothing has come
}

// mostFruitless bounds fruitless: more than a block of zstd has, stored.
const mostFruitless = 1 << 20

// errVoid is what such a stretch ends with. Nobody sees it.
var errVoid = plainError("is not wanted")

func (s *stretch) Read(p []byte) (int, error) {
	s.j.mu.Lock()
	void := s.j.void
	s.j.mu.Unlock()
	if void || s.fruitless > mostFruitless {
		return 0, errVoid
	}
	n, err := s.section.Read(p)
	s.fruitless += n
	return n, err
}

// A tool is what somebody decompresses one job after another with.
type tool struct {
	d      decompressor
	in     *bufio.Reader
	all    *zstd.Decoder // of frames that are taken whole; or nil
	stored []byte        // of those
}

func newTool() *tool { return &tool{in: bufio.NewReaderSize(nil, fileBuffer)} }

// close lets go of the memory.
func (t *tool) close() {
	if t.d.close(); t.all != nil {
		t.all.Close()
	}
	t.all, t.stored = nil, nil
}

// What has become of a job.
type jobState uint8

const (
	jobOpen  jobState = iota
	jobDone           // it has what is to be had
	jobEmpty          // no member begins there
)

func (j *job) state() jobState {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case !j.done:
		return jobOpen
	case j.start < 0:
		return jobEmpty
	}
	return jobDone
}

// ready reports whether there is something to be read, or j is done.
func (j *job) ready() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.written > j.read || j.done
}

// begins reports whether the first member begins at the offset at. That a helper
// looks for it is waited for; it is soon.
func (j *job) begins(at int64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.start < 0 && !j.done {
		j.moved.Wait()
	}
	return j.start == at
}

// set makes j ready for the stretch from from to to.
func (j *job) set(at io.ReaderAt, is codec, window, from, to int64) {
	j.at, j.is, j.window, j.from, j.to = at, is, window, from, to
	j.start, j.end, j.skip, j.stored, j.written, j.read = -1, 0, 0, 0, 0, 0
	j.begun, j.done, j.void = false, false, false
	j.whole, j.unpacked, j.longest, j.long, j.member = false, 0, 0, false, 0
}

// step does a part of the work of j: one Read. It reports whether there is more to be
// done. If the ring is full it waits, or returns false at once.
func (j *job) step(wait bool) (more bool) {
	defer func() {
		if recover() != nil { // a library's; the reader meets it again
			more = j.finish(j.end, j.written-j.member)
		}
	}()
	switch {
	case j.whole:
		return j.frame()
	case !j.begun:
		j.begun = true
		j.with.d.window = j.window
		return j.begin()
	}
	p, void := j.room(wait)
	if p == nil {
		return void && j.finish(j.end, j.written-j.member)
	}
	n, err := j.with.d.r.(*members).z.Read(p)
	j.mu.Lock()
	j.written += int64(n)
	j.stored = j.under.at
	j.moved.Signal()
	j.mu.Unlock()
	if n > 0 {
		j.under.fruitless = 0
	}
	switch {
	case err == io.EOF:
		j.end, j.member = j.under.at-int64(j.with.in.Buffered()), j.written
		if j.end >= j.to {
			return j.finish(j.end, 0)
		}
		if head, _ := j.with.in.Peek(4); !beginsMember(head, j.is) || j.with.d.r.(*members).begin(j.with.in) != nil {
			return j.finish(j.end, 0)
		}
	case err != nil:
		return j.finish(j.end, j.written-j.member)
	}
	return true
}

// begin begins with the first member of the stretch.
func (j *job) begin() bool {
	j.member = 0
	start := j.start // which others only read
	if start < 0 {
		if start = j.search(); start < 0 {
			return j.finish(0, 0)
		}
	}
	j.under, j.end = stretch{section: section{j.at, start}, j: j}, start
	j.with.in.Reset(&j.under)
	j.mu.Lock()
	j.start = start
	j.moved.Signal()
	j.mu.Unlock()
	return j.with.d.start(j.with.in, j.is) == nil || j.finish(start, 0)
}

// finish notes that what j has ends at the beginning of a member at the offset end,
// behind skip bytes of that. It returns false: there is no more to be done.
func (j *job) finish(end, skip int64) bool {
	j.with.d.rest()
	j.with.in.Reset(nil)
	j.with = nil
	j.mu.Lock()
	j.end, j.skip, j.done = end, skip, true
	j.moved.Signal()
	j.mu.Unlock()
	return false
}

// room returns room in the ring, which it waits for if wait is set; nil if there is
// none, or j is void.
func (j *job) room(wait bool) (room []byte, void bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for wait && j.written-j.read == spreadRing && !j.void {
		j.moved.Wait()
	}
	if j.void || j.written-j.read == spreadRing {
		return nil, j.void
	}
	at := j.written % spreadRing
	return j.ring[at:min(spreadRing, at+spreadRing-(j.written-j.read))], false
}

// searchSize is how many bytes are searched at once.
const searchSize = 16 << 10

// search returns the offset of the first magic number of gzip that begins in the stretch,
// -1 if there is none. Each turn of its loops goes on by a byte at least.
func (j *job) search() int64 {
	for at := j.from; at < j.to; at += searchSize {
		most := min(searchSize, int(j.to-at)) // where it may begin
		buf := j.ring[:most+3]                // nothing is in it yet
		n, _ := j.at.ReadAt(buf, at)
		buf = buf[:n]
		for i := 0; ; i++ {
			k := bytes.Index(buf[i:], gzipMagic)
			if i += k; k < 0 || i >= most {
				break
			}
			if beginsMember(buf[i:min(len(buf), i+4)], j.is) {
				return at + int64(i)
			}
		}
	}
	return -1
}

var gzipMagic = []byte("\x1f\x8b\x08")

// beginsMember reports whether head, of 4 bytes, may be the beginning of one.
func beginsMember(head []byte, is codec) bool {
	if is == gzipCodec {
		return len(head) == 4 && string(head[:3]) == "\x1f\x8b\x08" && head[3] < 0x20
	}
	return string(head) == zstdMagic || len(head) == 4 && head[0]>>4 == 5 && string(head[1:]) == skipTail
}
