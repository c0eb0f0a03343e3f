package extract

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// What a helper does for the reader of a file of many members: see spread.go.

// A job is the decompression of the members that begin in a stretch.
type job struct {
	at       io.ReaderAt
	is       codec
	from, to int64 // the stretch
	d        decompressor
	in       *bufio.Reader

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

// begins reports whether the first member begins at the offset at. Where that is not
// yet known, it is not waited for.
func (j *job) begins(at int64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.start == at
}

// fill does the work of j.
func (j *job) fill() {
	end, skip := j.members()
	j.d.rest()
	j.in.Reset(nil)
	j.mu.Lock()
	j.end, j.skip, j.done = end, skip, true
	j.moved.Signal()
	j.mu.Unlock()
}

// members decompresses, and returns where what it has ends: at the beginning of a
// member, behind skip bytes of that.
func (j *job) members() (end, skip int64) {
	start := j.search()
	if start < 0 {
		return 0, 0
	}
	under := &section{j.at, start}
	j.in.Reset(under)
	j.mu.Lock()
	j.start = start
	j.mu.Unlock()
	end = start
	var from int64 // of the member, in what is written
	defer func() {
		if recover() != nil { // a library's; the reader meets it again
			skip = j.written - from
		}
	}()
	if j.d.start(j.in, j.is) != nil {
		return end, 0
	}
	z := j.d.r.(*members).z
	for {
		p := j.room()
		if p == nil {
			return end, j.written - from
		}
		n, err := z.Read(p)
		j.mu.Lock()
		j.written += int64(n)
		j.stored = under.at
		j.moved.Signal()
		j.mu.Unlock()
		switch {
		case err == io.EOF:
			end, from = under.at-int64(j.in.Buffered()), j.written
			if end >= j.to {
				return end, 0
			}
			if head, _ := j.in.Peek(4); !beginsMember(head, j.is) || j.d.r.(*members).begin(j.in) != nil {
				return end, 0
			}
		case err != nil:
			return end, j.written - from
		}
	}
}

// room waits for room in the ring, and returns it; nil if j is void.
func (j *job) room() []byte {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.written-j.read == spreadRing && !j.void {
		j.moved.Wait()
	}
	if j.void {
		return nil
	}
	at := j.written % spreadRing
	return j.ring[at:min(spreadRing, at+spreadRing-(j.written-j.read))]
}

// search returns the offset of the first magic number that begins in the stretch, -1
// if there is none. Each turn of its loops goes on by a byte at least.
func (j *job) search() int64 {
	magic := []byte(zstdMagic)
	if j.is == gzipCodec {
		magic = magic[:0]
		magic = append(magic, 0x1f, 0x8b, 8)
	}
	size := min(spreadRing, int(j.to-j.from)+3)
	buf := j.ring[:size] // nothing is in it yet
	n, _ := j.at.ReadAt(buf, j.from)
	buf = buf[:n]
	for i := 0; ; i++ {
		k := bytes.Index(buf[i:], magic)
		if i += k; k < 0 || int64(i) >= j.to-j.from {
			return -1
		}
		if !beginsMember(buf[i:min(len(buf), i+4)], j.is) {
			continue
		}
		if j.is == zstdCodec && i >= pzstdHead && string(buf[i-pzstdHead+1:i-pzstdHead+8]) == skipTail+"\x04\x00\x00\x00" {
			i -= pzstdHead
		}
		return j.from + int64(i)
	}
}

// pzstdHead is the length of the frame to be skipped that pzstd puts before each other.
const pzstdHead = 12

// beginsMember reports whether head, of 4 bytes, may be the beginning of one.
func beginsMember(head []byte, is codec) bool {
	if is == gzipCodec {
		return len(head) == 4 && string(head[:3]) == "\x1f\x8b\x08" && head[3] < 0x20
	}
	return string(head) == zstdMagic || len(head) == 4 && head[0]>>4 == 5 && string(head[1:]) == skipTail
}
