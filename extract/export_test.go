package extract

import (
	"sync/atomic"
	"time"
)

// SetBlocks makes x cut files into blocks of that many bytes, and hand out such blocks of streams, but no shorter ones than least. It gives idle workers time to wait
// for them.
func (x *Extractor) SetBlocks(bytes, least int, pausing func()) {
	x.begin()
	x.blockBytes, x.leastBlock = bytes, least
	x.pausing = func(isHanded bool) {
		if isHanded {
			handed.Add(1)
		} else if pausing != nil {
			pausing()
		}
	}
}

// handed counts the blocks that were handed out.
var handed atomic.Int64

// Handed returns how many blocks were handed out since SetBlocks was called for their Extractors.
func Handed() int64 { return handed.Load() }

// RatioFrom sets the decompressed size that is allowed for every source, whatever its ratio, to n.
// It returns a function that resets it.
func RatioFrom(n int64) (undo func()) {
	was := ratioFrom
	ratioFrom = n
	return func() { ratioFrom = was }
}

// AheadFrom sets the decompressed size from which a source is read ahead to n, and returns
// a function that resets it.
func AheadFrom(n int64) (undo func()) {
	was := aheadFrom
	aheadFrom = n
	return func() { aheadFrom = was }
}

// SetResume sets how often the place of a file is reported, and after how many bytes the reader
// looks for a later place to resume at. It returns a function that resets both.
func SetResume(often time.Duration, every int64) (undo func()) {
	was, wasEvery := placeEvery, captureEvery
	placeEvery, captureEvery = often, every
	return func() { placeEvery, captureEvery = was, wasEvery }
}

// SetNeutralBefore sets mail.NeutralBefore for x.
func (x *Extractor) SetNeutralBefore(n int64) {
	x.begin()
	x.neutralBefore = n
}

// Fields returns the counts of s.
func (s *Stats) Fields() []*int64 {
	f := s.fields()
	return f[:]
}
