package main

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/follow"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/process"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/extract"
)

// A run that follows files (-F) consists of rounds. A round works like a run with --state: it
// reads the new text of all files, or of those that have changed. Without --state a temporary
// state stores how far each file was read.

const (
	// All files are examined again after a pause: twenty times as long as the examination took,
	// but at least examineEvery and at most examineSeldom.
	examineEvery  = time.Second
	examineSeldom = 10 * time.Second

	// Rounds begin at least leastPause apart. After a round that was caused by changes, the
	// pause is four times as long as the round took, but at most mostPause.
	leastPause = 100 * time.Millisecond
	mostPause  = 2 * time.Second
)

// mostHeld is how many given files are kept open.
const mostHeld = 64

// A follower follows files: it holds what is kept between the rounds of a run.
type follower struct {
	run      *run
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

func newFollower(r *run) *follower {
	f := &follower{run: r, most: r.o.Most, watch: follow.New(r.state.Has), reported: follow.NewReported(), named: map[string]bool{}, dirs: len(r.o.Sources.Lists) > 0}
	free, _ := process.Enough(0, 4*mostHeld)
	f.files = &follow.Holder{Most: free / 4, Settle: r.o.State.Settle,
		Lost: func(path string, info os.FileInfo, ended bool) {
			device, inode := output.Inode(info)
			r.state.SetAside(device, inode, path, ended)
		},
		HasOtherName: func(path string, info os.FileInfo, readSince bool) bool {
			device, inode := output.Inode(info)
			return r.state.HasOtherName(device, inode, path) || readSince && !r.state.IsAside(inode, path)
		},
	}
	var once []string
	for _, path := range r.o.Sources.Paths {
		if !f.named[path] {
			once = append(once, path)
		}
		f.named[path] = true
	}
	r.o.Sources.Paths = once
	if r.o.Most > 0 {
		f.counts = map[string]int64{}
	}
	return f
}

// read reads all sources, and then new text, until ctx ends or the consumer has stopped.
func (f *follower) read(ctx context.Context, p *finder) {
	defer f.watch.Close()
	defer f.files.Close()
	changes := follow.Changes{All: true}
	var next time.Time
	for { // a round
		began := time.Now()
		if !f.round(ctx, p, changes) || output.ReaderGone(f.run.to.File) {
			return
		}
		took := time.Since(began)
		pause := min(max(leastPause, 4*took), mostPause)
		if !began.Before(next) {
			pause = leastPause // this round was not caused by a change
		}
		if changes.All {
			next = time.Now().Add(min(max(examineEvery, 20*took), examineSeldom))
		}
		ok := false
		if changes, ok = f.watch.Wait(ctx, pause, next); !ok {
			return
		}
	}
}

// round reads the new text of the files that have changed, and reports whether to continue. When
// it returns, all results are written, and with --state it is saved how far each file was read.
func (f *follower) round(ctx context.Context, p *finder, changes follow.Changes) (more bool) {
	for _, path := range f.run.o.Sources.Paths {
		f.files.Hold(path)
	}
	for moved := range f.files.Moved(time.Now()) {
		f.run.o.Sources.SetFormat(&moved)
		more := p.readSources(ctx, slices.Values([]extract.Source{moved}))
		if f.run.state.NextRun(); !more {
			return false
		}
	}
	of := f.run.o.Sources
	changes.All = changes.All || of.Walk.Ignore // a walk of only some folders does not see the ignore files above them
	if changes.All {
		for path := range f.named {
			f.watch.WatchGiven(path)
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				f.watch.WatchFolder(path)
				f.foundFolder()
			}
		}
	} else {
		of.Paths, of.Lists = changes.Paths, nil
	}
	of.Without = func(found iter.Seq[extract.Source]) iter.Seq[extract.Source] {
		return f.run.state.Sources(f.watched(found))
	}
	var unmatched []string // globs, and lines of --base-map
	found := of.Sources(ctx, f.run.to, func(what string) { unmatched = append(unmatched, what) })
	more = p.readSources(ctx, f.wanted(found)) && f.run.out.Flush() == nil
	f.run.state.NextRun()
	if changes.All && more {
		f.reported.EndRound()
		for _, what := range unmatched {
			if !f.warned {
				f.run.report.Warn("no file matches " + what + " so far")
			}
		}
		f.warned = true
	}
	return more && f.run.state.Failed() == nil
}

// wanted yields the sources to read, without those that have all the results that -m allows. A
// source that cannot be followed, such as a pipe, fails to open.
func (f *follower) wanted(found iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range found {
			if f.isFull(s.Name) {
				continue
			}
			if info, err := os.Stat(s.Name); err == nil && !info.Mode().IsRegular() || !state.IsFile(s.Name) {
				s.Open = notFollowed(s.Name)
			}
			if !yield(s) {
				return
			}
		}
	}
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

// errNoFile is the error of a path that is a pipe or a device.
var errNoFile = errors.New("is no file and no folder, and cannot be followed")

// notFollowed returns a function that fails to open the source of that name.
func notFollowed(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		return nil, &extract.Error{Origin: extract.Origin{Source: name}, Stage: extract.StageOpen, Err: errNoFile}
	}
}
