package extract

import (
	"sync"
	"sync/atomic"

	"github.com/urlsift/urlsift/extract/internal/compress"
)

// SetUnits makes x divide files at every so many bytes, and readers of segments begin warm
// bytes before a split point at the earliest. passing is called by readers that come to a
// split point; it may be nil.
func (x *Extractor) SetUnits(unit, warm int64, passing func()) {
	x.split, x.warm, x.atSplit = unit, warm, passing
	n, _ := outcomes.LoadOrStore(x, new([2]atomic.Int64))
	x.outcome = func(committed bool) {
		if committed {
			n.(*[2]atomic.Int64)[0].Add(1)
		} else {
			n.(*[2]atomic.Int64)[1].Add(1)
		}
	}
}

// outcomes has how many segments of each Extractor were committed, and discarded.
var outcomes sync.Map

// Units returns how many segments had results, or could have had, and how many were
// discarded, since SetUnits was called.
func (x *Extractor) Units() (committed, discarded int64) {
	n, ok := outcomes.Load(x)
	if !ok {
		return 0, 0
	}
	return n.(*[2]atomic.Int64)[0].Load(), n.(*[2]atomic.Int64)[1].Load()
}

// RatioFrom lets sources become n bytes in any case, and returns what undoes that.
func RatioFrom(n int64) (undo func()) {
	was := compress.RatioFrom
	compress.RatioFrom = n
	return func() { compress.RatioFrom = was }
}

// HelpFrom makes sources worth an assistant from n bytes on, and returns what undoes that.
func HelpFrom(n int64) (undo func()) {
	was := compress.AheadFrom
	compress.AheadFrom = n
	return func() { compress.AheadFrom = was }
}
