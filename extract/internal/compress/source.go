package compress

import (
	"fmt"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A Source reads the stored bytes of a file or a pipe. It counts them, and calls
// BeforeBlock before each Read, which may block, so that results can be delivered first.
type Source struct {
	p    *Pool
	r    io.Reader
	wake func() // ends a Read of r that waits; or nil

	err     error // of r, if it is not io.EOF: a Damage, or damage.ErrStopped
	read    int64 // bytes
	counted int64 // of them, those in the ledger
	out     int64 // bytes of all streams that came of them
	end     bool  // r has come to its end
	even    bool  // Reads end at multiples of FileBuffer: see once
	idle    int   // Reads in a row that returned nothing at all

	over *damage.Damage // Limits.Ratio, which ends all that is read of the source

	ahead *readAhead // which reads the source now; or nil
}

// Reset makes s read r from its first byte. wake ends a Read of r that blocks. It may be
// called during the Read and more than once, and may be nil. If r has a method Regular()
// bool that returns true, r is a regular file, and no Read of it blocks for others.
func (s *Source) Reset(r io.Reader, wake func()) { *s = Source{p: s.p, r: r, wake: wake} }

// ResetAt is Reset for an r that begins at the offset at of the source and is not read
// ahead.
func (s *Source) ResetAt(r io.Reader, at int64) {
	s.Reset(r, nil)
	s.read, s.counted = at, at
}

// Stored returns how many bytes of the source have been read. They may not have
// been decompressed yet.
func (s *Source) Stored() int64 { return s.read }

// Counted returns how many of the bytes are in the ledger.
func (s *Source) Counted() int64 { return s.counted }

// Ended reports whether the source was read to its end.
func (s *Source) Ended() bool { return s.end }

// Over returns the Damage for a source that expanded more than Limits.Ratio allows, or nil.
// It ends all reading of the source.
func (s *Source) Over() *damage.Damage { return s.over }

// SetOut sets how many bytes the part of the source in front of s has become, for
// Limits.Ratio.
func (s *Source) SetOut(n int64) { s.out = n }

// Read reads once, after BeforeBlock has returned.
func (s *Source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.halted() {
		s.err = damage.ErrStopped
		return 0, s.err
	}
	if s.ahead != nil {
		return s.once(p)
	}
	if !s.p.hooks.BeforeBlock() {
		s.err = damage.ErrStopped
		return 0, s.err
	}
	n, err := s.once(p)
	s.p.hooks.AfterBlock()
	s.Count(s.read)
	return n, err
}

// halted reports whether reading should stop. The read-ahead goroutine may block
// here.
func (s *Source) halted() bool {
	if s.ahead != nil {
		return s.p.hooks.Interrupted() || !s.ahead.mayWait()
	}
	return s.p.hooks.Stopped()
}

// once is Read without the hooks. If several workers read parts of the source, their Reads
// end at the same offsets, so limits are met at the same byte.
func (s *Source) once(p []byte) (int, error) {
	if s.even {
		p = p[:min(len(p), FileBuffer-int(s.read%FileBuffer))]
	}
	n, err := guarded(s.r, p)
	s.read += int64(n)
	if s.idle++; n > 0 || err != nil || len(p) == 0 {
		s.idle = 0
	} else if s.idle == mostIdle {
		err = io.ErrNoProgress
	}
	if s.end = err == io.EOF; err != nil && !s.end {
		err = &damage.Damage{Class: damage.Read, Stage: None.String(), Err: err}
		s.err = err
	}
	return n, err
}

// mostIdle is how many Reads in a row may return neither bytes nor an error. bufio accepts
// as many; decompressors would read on without end.
const mostIdle = 100

// guarded reads from r, and makes an error of a panic, and of a count that cannot be.
func guarded(r io.Reader, p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, &damage.PanicError{Value: v}
		}
	}()
	if n, err = r.Read(p); n < 0 || n > len(p) {
		return 0, damage.Fact(fmt.Sprintf("Read of %d bytes returned %d", len(p), n))
	}
	return n, err
}

// Count adds the bytes up to the offset n to the ledger: the worker has received them.
func (s *Source) Count(n int64) {
	s.p.ledger.Add(ledger.DiskBytes, n-s.counted)
	s.counted = n
}

// RatioFrom is how many bytes a source may become in any case. Only tests change
// it.
var RatioFrom int64 = 1 << 30

// Unpacked counts n bytes of a stream that is read as text or messages, for
// Limits.Ratio.
func (s *Source) Unpacked(n int) {
	s.out += int64(n)
	if s.out > RatioFrom && s.over == nil {
		if ratio := int64(s.p.limits.Ratio); s.out/ratio > s.counted {
			s.over = overRatio(ratio)
		}
	}
}

// overRatio returns the Damage of a source that becomes too much.
func overRatio(ratio int64) *damage.Damage {
	return damage.Limited("size", "Ratio", ratio, "unpacks to more than %d times its size, and is not read on")
}
