// Package track keeps track of the results while a run prints them: their number for each
// source (-c, -m), and the URLs that were printed (-u). Rows of counts are made by package
// tally, and the summary of a run by package stats.
//
//	counter := &track.Sources{End: print}
//	for r := range x.Run(ctx, counter.Watch(sources)) {
//		of, name := counter.Reach(r.Origin.Source)
//		of.Found++
//	}
//	counter.Finish(true)
//
// Counts of sources wait in a queue that is as long as the number of sources that workers
// read at a time. The set of URLs in a [Filter] grows by [PerURL] for each.
// [Dates] makes the times by which other packages count.
package track

import (
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/urlsift/urlsift/extract"
)

// Options say what is counted and printed.
type Options struct {
	Count  bool  // print a line for each source: the number of its URLs
	List   bool  // print a line for each source that has a URL
	Unique Scope // where each URL is printed only once
	Most   int64 // URLs of a source that are printed; 0 means all, -1 none
}

// Sources counts the results of each source. Results do not show where a source ends, and
// a source without results does not occur in them. So the counter watches the sources on
// their way to the workers. There it gives each a unique name, since a path may be given
// twice. Reach returns the original name.
//
// Results come in the order of the sources. A source has ended when a result of a later
// source comes, or when the run ends; see [Bundles] for how the queue stays short if
// results are rare.
type Sources struct {
	mu    sync.Mutex
	queue []*Total // of started sources that may not have ended, in order
	last  int      // number of started sources

	// Most is how many results of a source count; 0 means all. After that many results the
	// rest of the source is not read.
	Most int64

	// End is called for each source that could be opened, in order.
	End func(name string, found int64)
}

// A Total is the count of one source. A worker sets opened; the goroutine that takes the
// results sets everything else.
type Total struct {
	Name, tag string
	Found     int64
	opened    atomic.Bool
	full      atomic.Bool // Found has reached Most; workers read this
}

// Watch returns sources with their unique names.
func (c *Sources) Watch(sources iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range sources {
			if !yield(c.enter(s)) {
				return
			}
		}
	}
}

// enter puts s into the queue, and returns it with a name that ends with NUL and a
// number: no path has a NUL.
func (c *Sources) enter(s extract.Source) extract.Source {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	n := &Total{Name: s.Name, tag: s.Name + "\x00" + strconv.Itoa(c.last)}
	if c.Most > 0 {
		s.Enough = n.full.Load
	}
	c.queue = append(c.queue, n)
	open := s.Open
	s.Name = n.tag
	s.Open = func() (r io.ReadCloser, err error) {
		r, err = open()
		n.opened.Store(err == nil)
		return r, err
	}
	return s
}

// Add counts a result of the source.
func (c *Sources) Add(of *Total) {
	if of.Found++; of.Found == c.Most {
		of.full.Store(true)
	}
}

// Full reports whether no more results of the source count.
func (n *Total) Full() bool { return n.full.Load() }

// Reach calls End for the sources in front of the source with the name tag, and returns the Total
// of that source and its original name. If the counter did not make the name tag, Reach returns nil
// and tag.
func (c *Sources) Reach(tag string) (of *Total, name string) {
	name, _, tagged := strings.Cut(tag, "\x00")
	if !tagged {
		return nil, tag
	}
	for n := c.first(); n != nil; n = c.first() {
		if n.tag == tag {
			return n, name
		}
		c.drop(n)
	}
	return nil, name
}

// first returns the head of the queue, or nil.
func (c *Sources) first() *Total {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return nil
	}
	return c.queue[0]
}

// drop removes n, the first one, from the queue and calls End for it.
func (c *Sources) drop(n *Total) {
	c.mu.Lock()
	c.queue = c.queue[1:]
	c.mu.Unlock()
	if n.opened.Load() {
		c.End(n.Name, n.Found)
	}
}

// Finish calls End for the sources that are left. If whole is false, the run was interrupted,
// and sources without results so far are left out.
func (c *Sources) Finish(whole bool) {
	for n := c.first(); n != nil; n = c.first() {
		if !whole && n.Found == 0 {
			n.opened.Store(false)
		}
		c.drop(n)
	}
}

// group is the number of sources in one run if sources are counted.
const group = 256

// Bundles divides sources into runs of at most [group], each of which may be ranged over
// once. A counter notices the end of a source without results only at the next result or
// at the end of the run, so one run of thousands of sources would report them late. The
// price is that at the end of each run the workers wait for the slowest of them.
func Bundles(sources iter.Seq[extract.Source]) iter.Seq[iter.Seq[extract.Source]] {
	return func(yield func(iter.Seq[extract.Source]) bool) {
		var some []extract.Source
		for s := range sources {
			if some = append(some, s); len(some) == group {
				if !yield(slices.Values(some)) {
					return
				}
				some = some[:0]
			}
		}
		if len(some) > 0 {
			yield(slices.Values(some))
		}
	}
}
