package compress

import (
	"fmt"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// FileBuffer is the size in bytes of the buffer for reads of a source. Larger reads bypass
// the buffer.
const FileBuffer = 64 << 10

// A Source reads the stored bytes of a file or a pipe, and counts them. It calls
// BeforeBlock before each Read, which may block, so that results can be delivered first.
type Source struct {
	caller *caller
	r      io.Reader
	wake   func() // makes a waiting Read of r return; or nil

	err          error // the error of r, except io.EOF: a Damage, or damage.ErrStopped
	read         int64 // bytes read
	inLedger     int64 // bytes that are in the ledger
	decompressed int64 // bytes of all decompressed streams
	end          bool  // r is at its end
	inMemory     bool  // another worker counts its bytes: see Pool.OpenMemory
	aligned      bool  // Reads end at multiples of FileBuffer: see once
	idle         int   // consecutive Reads that returned neither bytes nor an error

	ratioExceeded *damage.Damage // Limits.Ratio was exceeded: ends all reading of the source

	mayWait func() bool // set while another goroutine reads the source: reports whether it may call Read, which may block
}

// Reset makes s read r from its first byte. wake makes a blocked Read of r return; it may be nil.
// wake may be called during a Read, and more than once. If r has a method Regular() bool that
// returns true, r is a regular file, whose Reads do not wait for a writer.
func (s *Source) Reset(r io.Reader, wake func()) { *s = Source{caller: s.caller, r: r, wake: wake} }

// ResetAt is Reset for an r that begins within the source; at is the offset of r's first byte. No
// assistant reads this source ahead.
func (s *Source) ResetAt(r io.Reader, at int64) {
	s.Reset(r, nil)
	s.read, s.inLedger = at, at
}

// Stored returns how many bytes of the source have been read. They may not be
// decompressed yet.
func (s *Source) Stored() int64 { return s.read }

// InLedger returns how many of the source's bytes are in the ledger.
func (s *Source) InLedger() int64 { return s.inLedger }

// Ended reports whether the source was read to its end.
func (s *Source) Ended() bool { return s.end }

// Failed reports whether a Read of the source has returned an error other than io.EOF.
func (s *Source) Failed() bool { return s.err != nil && s.err != damage.ErrStopped }

// RatioExceeded returns the Damage that ends all reading of a source which has expanded more than
// Limits.Ratio allows, or nil.
func (s *Source) RatioExceeded() *damage.Damage { return s.ratioExceeded }

// SetDecompressed sets how many decompressed bytes of the source come before this part.
// Limits.Ratio counts them too.
func (s *Source) SetDecompressed(n int64) { s.decompressed = n }

// Read calls BeforeBlock and then reads once.
func (s *Source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.shouldStop() {
		s.err = damage.ErrStopped
		return 0, s.err
	}
	if s.mayWait != nil {
		return s.once(p)
	}
	if !s.caller.hooks.BeforeBlock() {
		s.err = damage.ErrStopped
		return 0, s.err
	}
	n, err := s.once(p)
	s.caller.hooks.AfterBlock()
	s.Count(s.read)
	return n, err
}

// shouldStop reports whether reading should stop. The read-ahead goroutine may block
// here.
func (s *Source) shouldStop() bool {
	if s.mayWait != nil {
		return s.caller.hooks.Interrupted() || !s.mayWait()
	}
	return s.caller.hooks.Stopped()
}

// once is Read without the hooks. If reading does not begin at the first byte of the source, the
// Reads end at the same offsets all the same, so that a limit is exceeded at the same byte.
func (s *Source) once(p []byte) (int, error) {
	if s.aligned {
		p = p[:min(len(p), FileBuffer-int(s.read%FileBuffer))]
	}
	n, err := guarded(s.r, p)
	s.read += int64(n)
	if s.idle++; n > 0 || err != nil || len(p) == 0 {
		s.idle = 0
	} else if s.idle == damage.MostIdle {
		err = io.ErrNoProgress
	}
	if s.end = err == io.EOF; err != nil && !s.end {
		if _, made := err.(*damage.Damage); !made { // a source that was decompressed has made one: see Pool.Members
			err = &damage.Damage{Class: damage.Read, Stage: damage.StageRead, Err: err}
		}
		s.err = err
	}
	return n, err
}

// guarded reads from r. It turns a panic, or an impossible count, into an error.
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

// Count adds the bytes up to the offset n to the ledger. The worker has received them.
func (s *Source) Count(n int64) {
	s.caller.ledger.Add(ledger.StoredRead, n-s.inLedger)
	s.inLedger = n
}

// CountDecompressed counts n bytes of a stream that is read as text or messages, for Limits.Ratio.
func (s *Source) CountDecompressed(n int) {
	if s.inMemory {
		return
	}
	s.decompressed += int64(n)
	if s.decompressed > s.caller.limits.RatioFrom && s.ratioExceeded == nil {
		if ratio := int64(s.caller.limits.Ratio); s.decompressed/ratio > s.inLedger {
			s.ratioExceeded = overRatio(ratio)
		}
	}
}

// overRatio returns the Damage of a source that expands too much.
func overRatio(ratio int64) *damage.Damage {
	return damage.Limited(damage.StageSize, "Ratio", ratio, "unpacks to more than %d times its size; the rest is not read")
}
