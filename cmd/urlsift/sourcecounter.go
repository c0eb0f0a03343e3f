package main

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

// A sourceCounter counts results for each source. Results tell where a source begins and
// not where it ends, and of a source without any there is none; so the counter
// watches the sources on their way to the workers. It gives each a name of its
// own there, since one path may be given twice, and takes that off the results.
//
// Results come in the order of the sources. The end of one is known when a
// result of a later one comes, or when the run ends; see [bundles] for what keeps
// the queue short where results are rare.
type sourceCounter struct {
	mu    sync.Mutex
	queue []*total // of sources handed out whose end is not known yet, in order
	last  int      // sources handed out

	// end is called for each source that could be opened, in order.
	end func(name string, found int64)
}

// A total is what is known of one source. A worker sets opened; all else is of
// the goroutine that takes the results.
type total struct {
	name, tag string
	opened    atomic.Bool
	found     int64
}

// watch returns sources with the names that the counter knows them by.
func (t *sourceCounter) watch(sources iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range sources {
			if !yield(t.enter(s)) {
				return
			}
		}
	}
}

// enter puts s into the queue, and returns it with a name that ends in NUL and a
// number: no path has a NUL.
func (t *sourceCounter) enter(s extract.Source) extract.Source {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	n := &total{name: s.Name, tag: s.Name + "\x00" + strconv.Itoa(t.last)}
	t.queue = append(t.queue, n)
	open := s.Open
	s.Name = n.tag
	s.Open = func() (r io.ReadCloser, err error) {
		r, err = open()
		n.opened.Store(err == nil)
		return r, err
	}
	return s
}

// reach tells the ends of the sources before the one that is known as tag, and
// returns that one and its own name. Of a source that the counter does not know, it
// returns nil and tag.
func (t *sourceCounter) reach(tag string) (of *total, name string) {
	name, _, tagged := strings.Cut(tag, "\x00")
	if !tagged {
		return nil, tag
	}
	for n := t.first(); n != nil; n = t.first() {
		if n.tag == tag {
			return n, name
		}
		t.drop(n)
	}
	return nil, name
}

// first returns the head of the queue, or nil.
func (t *sourceCounter) first() *total {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return nil
	}
	return t.queue[0]
}

// drop takes n, the first, out of the queue and tells its end.
func (t *sourceCounter) drop(n *total) {
	t.mu.Lock()
	t.queue = t.queue[1:]
	t.mu.Unlock()
	if n.opened.Load() {
		t.end(n.name, n.found)
	}
}

// finish tells the ends of the sources that are left. If the run was cut short,
// it is silent of those in which nothing had been found yet.
func (t *sourceCounter) finish(whole bool) {
	for n := t.first(); n != nil; n = t.first() {
		if !whole && n.found == 0 {
			n.opened.Store(false)
		}
		t.drop(n)
	}
}

// group is how many sources a run has if they are counted one by one.
const group = 256

// Where nothing is found in thousands of sources, nothing tells the counter that
// they are over until the run is; so it has many runs, of few sources each. The
// price is that workers wait for the slowest of them at the end of each.

// bundles parts sources into runs of at most [group], each to be ranged over once.
func bundles(sources iter.Seq[extract.Source]) iter.Seq[iter.Seq[extract.Source]] {
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
