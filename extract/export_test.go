package extract

import (
	"sync"
	"sync/atomic"
	"time"
)

// SetSegments makes x divide files every segment bytes. Readers of segments start warm bytes in front
// of a split point, and call passing, if it is not nil, when they arrive there.
func (x *Extractor) SetSegments(segment, warm int64, passing func()) {
	x.splitSize, x.warm, x.atSplit = segment, warm, passing
	x.fileBlock = int(segment)
	n, _ := outcomes.LoadOrStore(x, new([2]atomic.Int64))
	x.outcome = func(committed bool) {
		if committed {
			n.(*[2]atomic.Int64)[0].Add(1)
		} else {
			n.(*[2]atomic.Int64)[1].Add(1)
		}
	}
	x.pausing = func(isHanded bool) {
		if isHanded {
			x.outcome(true)
		}
	}
}

// outcomes has, for each Extractor, how many segments were committed and discarded.
var outcomes sync.Map

// Segments returns how many segments were committed and discarded since SetSegments was called.
func (x *Extractor) Segments() (committed, discarded int64) {
	n, ok := outcomes.Load(x)
	if !ok {
		return 0, 0
	}
	return n.(*[2]atomic.Int64)[0].Load(), n.(*[2]atomic.Int64)[1].Load()
}

// SetBlocks makes x hand out blocks of that many bytes, and no shorter ones than least. It gives idle workers time to wait
// for them.
func (x *Extractor) SetBlocks(bytes, least int, pausing func()) {
	x.blockBytes, x.leastBlock = bytes, least
	x.fileBlock, x.splitSize = max(1, bytes/2), max(1, int64(bytes)/2)
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
