package main

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
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
	// examineEvery is how often all files are examined. If that takes long, it is done less
	// often, so that it takes at most a twentieth of the time.
	examineEvery  = time.Second
	examineSeldom = 10 * time.Second

	// mostHeld is how many given files are kept open.
	mostHeld = 64

	// Rounds begin at least leastPause apart. After a round that was caused by changes, the
	// pause is four times as long as the round took, but at most mostPause.
	leastPause = 100 * time.Millisecond
	mostPause  = 2 * time.Second
)

// A follower holds what is kept between the rounds of a run.
type follower struct {
	watch    *follow.Watcher
	files    *follow.Holder
	reported *follow.Reported
	counts   map[string]int64 // of -m: results of each source
	given    map[string]bool  // paths
	dirs     bool             // there may be sources that the command line does not name
	warned   bool             // of globs without a match
}

// newFollower returns the follower of j.
func newFollower(j *printing) *follower {
	f := &follower{watch: follow.New(j.state.Has), reported: follow.NewReported(), given: map[string]bool{}, dirs: len(j.Sources.Lists) > 0}
	free, _ := process.Enough(0, 4*mostHeld)
	f.files = &follow.Holder{Most: free / 4, Settle: j.State.Settle,
		Lost: func(path string, info os.FileInfo, back bool) {
			device, inode := output.Inode(info)
			j.state.SetAside(device, inode, path, back)
		},
		Elsewhere: func(path string, info os.FileInfo, again bool) bool {
			device, inode := output.Inode(info)
			return j.state.Elsewhere(device, inode, path) || again && !j.state.IsAside(inode, path)
		},
	}
	var once []string
	for _, path := range j.Sources.Paths {
		if !f.given[path] {
			once = append(once, path)
		}
		f.given[path] = true
	}
	j.Sources.Paths = once
	if j.Most > 0 {
		f.counts = map[string]int64{}
	}
	return f
}

// follow reads all sources, and then new text, until ctx ends or the consumer has stopped.
func (p *printing) follow(ctx context.Context) {
	f := newFollower(p)
	p.follower = f
	defer f.watch.Close()
	defer f.files.Close()
	changes := follow.Changes{All: true}
	var next time.Time
	for { // a round
		began := time.Now()
		if !p.round(ctx, changes) || output.ReaderGone(p.to) {
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

// round reads the new text of the files that have changed, and reports whether to continue. All
// results are written, and with --state the places are saved, when it returns.
func (p *printing) round(ctx context.Context, changes follow.Changes) (more bool) {
	f := p.follower
	for _, path := range p.Sources.Paths {
		f.files.Hold(path)
	}
	for moved := range f.files.Moved(time.Now()) {
		more := p.some(ctx, slices.Values([]extract.Source{moved}))
		if p.state.NextRun(); !more {
			return false
		}
	}
	of := p.Sources
	changes.All = changes.All || of.Walk.Ignore // a walk of only some folders does not see the ignore files above them
	if changes.All {
		for path := range f.given {
			f.watch.WatchGiven(path)
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				f.watch.WatchFolder(path)
				f.dirs = true
			}
		}
	} else {
		of.Paths, of.Lists = changes.Paths, nil
	}
	of.Without = func(found iter.Seq[extract.Source]) iter.Seq[extract.Source] {
		return p.state.Sources(f.watched(found))
	}
	var unmatched []string // globs, and lines of --base-map
	some := of.Sources(ctx, p.to, func(what string) { unmatched = append(unmatched, what) })
	more = p.some(ctx, p.wanted(some)) && p.out.Flush() == nil
	p.state.NextRun()
	if changes.All && more {
		f.reported.EndRound()
		for _, what := range unmatched {
			if !f.warned {
				p.report.Warn("no file matches " + what + " so far")
			}
		}
		f.warned = true
	}
	return more && p.state.Failed() == nil
}

// watched yields sources, and starts watching their folders.
func (f *follower) watched(some iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		last := ""
		for s := range some {
			if !f.given[s.Name] {
				if dir := filepath.Dir(s.Name); dir != last {
					f.watch.WatchWalked(s.Name)
					f.dirs, last = true, dir
				}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// wanted yields the sources that can be followed: files, and errors of listing. Sources that
// already have all the results that -m allows are left out.
func (p *printing) wanted(some iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range some {
			if p.follower.isFull(p, s.Name) {
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

// errNoFile is the error of a path that is a pipe or a device.
var errNoFile = errors.New("is no file and no folder, and cannot be followed")

// notFollowed returns a function that fails to open the source of that name.
func notFollowed(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		return nil, &extract.Error{Origin: extract.Origin{Source: name}, Stage: extract.StageOpen, Err: errNoFile}
	}
}

// isFull reports whether the named source has as many results as -m allows.
func (f *follower) isFull(j *printing, name string) bool {
	return f.counts != nil && f.counts[name] >= j.Most
}

// count counts a result of the source of that name.
func (f *follower) count(name string) {
	if f.counts != nil {
		f.counts[name]++
	}
}

// all reports whether all inputs are files and each has as many results as -m allows.
func (f *follower) all(j *printing) bool {
	if f.counts == nil || f.dirs {
		return false
	}
	for path := range f.given {
		if !f.isFull(j, path) {
			return false
		}
	}
	return true
}

// reportInput reports an error of some input. A run that follows files reports it once.
func (p *printing) reportInput(err error) {
	if f := p.follower; f != nil {
		var e *extract.Error
		switch {
		case errors.As(err, &e) && (e.Stage == extract.StageOpen || e.Stage == extract.StageWalk):
			if !f.reported.Open(err.Error()) {
				return
			}
		case !f.reported.Read(err.Error()):
			return
		}
	}
	p.report.Input(err)
}
