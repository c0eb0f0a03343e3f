package main

import (
	"iter"
	"os"
	"path/filepath"
	"sync"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/follow"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/extract"
)

// mostHeld is how many given files are kept open.
const mostHeld = 64

// A follower holds what is kept between the rounds of a run.
type follower struct {
	watch    *follow.Watcher
	files    *follow.Holder
	reported *follow.Reported
	most     int64           // of -m: results of each source, if counts is not nil
	named    map[string]bool // the paths of the command line
	warned   bool            // globs without a match were reported

	mu     sync.Mutex       // for the fields below: one goroutine lists sources while another takes results
	counts map[string]int64 // results of each source; nil without -m
	dirs   bool             // there may be sources that the command line does not name
}

// newFollower returns the follower of s.
func newFollower(s *sifting) *follower {
	f := &follower{most: s.Most, watch: follow.New(s.state.Has), reported: follow.NewReported(), named: map[string]bool{}, dirs: len(s.Sources.Lists) > 0}
	free, _ := process.Enough(0, 4*mostHeld)
	f.files = &follow.Holder{Most: free / 4, Settle: s.State.Settle,
		Lost: func(path string, info os.FileInfo, ended bool) {
			device, inode := output.Inode(info)
			s.state.SetAside(device, inode, path, ended)
		},
		HasOtherName: func(path string, info os.FileInfo, readSince bool) bool {
			device, inode := output.Inode(info)
			return s.state.HasOtherName(device, inode, path) || readSince && !s.state.IsAside(inode, path)
		},
	}
	var once []string
	for _, path := range s.Sources.Paths {
		if !f.named[path] {
			once = append(once, path)
		}
		f.named[path] = true
	}
	s.Sources.Paths = once
	if s.Most > 0 {
		f.counts = map[string]int64{}
	}
	return f
}

// watched yields sources, and starts watching their folders.
func (f *follower) watched(some iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		last := ""
		for s := range some {
			if !f.named[s.Name] {
				if dir := filepath.Dir(s.Name); dir != last {
					f.watch.WatchWalked(s.Name)
					f.foundFolder()
					last = dir
				}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// foundFolder notes that there may be sources that the command line does not name.
func (f *follower) foundFolder() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dirs = true
}

// isFull reports whether the named source has as many results as -m allows.
func (f *follower) isFull(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts != nil && f.counts[name] >= f.most
}

// count counts a result of the source of that name.
func (f *follower) count(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts != nil {
		f.counts[name]++
	}
}

// all reports whether the command line names all inputs, and each has as many results as -m
// allows.
func (f *follower) all() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil || f.dirs {
		return false
	}
	for path := range f.named {
		if f.counts[path] < f.most {
			return false
		}
	}
	return true
}
