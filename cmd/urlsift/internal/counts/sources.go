// Package counts keeps what a run has to remember of its results: how many each source
// has, and which URLs were printed.
//
//	counter := &counts.Sources{End: print}
//	for r := range x.Run(ctx, counter.Watch(sources)) {
//		of, name := counter.Reach(r.Origin.Source)
//		of.Found++
//	}
//	counter.Finish(true)
//
// Counts of sources wait in a queue that is as long as what the workers read at a time; the
// set of URLs, a [Seen], grows by [PerURL].
package counts

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

// Sources counts results for each source. Results tell where a source begins and
// not where it ends, and of a source without any there is none; so the counter
// watches the sources on their way to the workers. It gives each a name of its
// own there, since one path may be given twice, and takes that off the results.
//
// Results come in the order of the sources. The end of one is known when a
// result of a later one comes, or when the run ends; see [Bundles] for what keeps
// the queue short where results are rare.
type Sources struct {
	mu    sync.Mutex
	queue []*Total // of sources handed out whose end is not known yet, in order
	last  int      // sources handed out

	// End is called for each source that could be opened, in order.
	End func(name string, found int64)
}

// A Total is what is known of one source. A worker sets opened; all else is of
// the goroutine that takes the results.
type Total struct {
	Name, tag string
	Found     int64
	opened    atomic.Bool
}

// Watch returns sources with the names that the counter knows them by.
func (c *Sources) Watch(sources iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range sources {
			if !yield(c.enter(s)) {
				return
			}
		}
	}
}

// enter puts s into the queue, and returns it with a name that ends in NUL and a
// number: no path has a NUL.
func (c *Sources) enter(s extract.Source) extract.Source {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	n := &Total{Name: s.Name, tag: s.Name + "\x00" + strconv.Itoa(c.last)}
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

// Reach tells the ends of the sources before the one that is known as tag, and
// returns that one and its own name. Of a source that the counter does not know, it
// returns nil and tag.
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

// drop takes n, the first, out of the queue and tells its end.
func (c *Sources) drop(n *Total) {
	c.mu.Lock()
	c.queue = c.queue[1:]
	c.mu.Unlock()
	if n.opened.Load() {
		c.End(n.Name, n.Found)
	}
}

// Finish tells the ends of the sources that are left. If the run was cut short,
// it is silent of those in which nothing had been found yet.
func (c *Sources) Finish(whole bool) {
	for n := c.first(); n != nil; n = c.first() {
		if !whole && n.Found == 0 {
			n.opened.Store(false)
		}
		c.drop(n)
	}
}

// group is how many sources a run has if they are counted one by one.
const group = 256

// Where nothing is found in thousands of sources, nothing tells the counter that
// they are over until the run is; so it has many runs, of few sources each. The
// price is that workers wait for the slowest of them at the end of each.

// Bundles parts sources into runs of at most [group], each to be ranged over once.
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
