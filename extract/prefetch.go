package extract

import (
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// A prefetcher opens and reads the small files that a worker has claimed, in advance.
type prefetcher struct {
	files.Prefetcher
	list [schedule.Most]*files.File // used in load
}

// load prefetches the leading sources of some, as long as they are unchanged results of a
// walk.
func (p *prefetcher) load(some []Source, workers int, stopped func() bool) {
	n := 0
	for n < min(len(some), len(p.list)) && some[n].prefetchable() {
		p.list[n] = some[n].file
		n++
	}
	p.Load(p.list[:n], workers, stopped)
	clear(p.list[:n])
}
