package main

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/follow"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
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

// A following is a printing that follows files.
type following struct{ *printing }

// read reads all sources, and then new text, until ctx ends or the consumer has stopped.
func (p following) read(ctx context.Context, _ iter.Seq[extract.Source]) {
	f := newFollower(p.sifting)
	p.follower = f
	defer f.watch.Close()
	defer f.files.Close()
	changes := follow.Changes{All: true}
	var next time.Time
	for { // a round
		began := time.Now()
		if !p.round(ctx, changes) || output.ReaderGone(p.to.File) {
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
func (p following) round(ctx context.Context, changes follow.Changes) (more bool) {
	f := p.follower
	for _, path := range p.Sources.Paths {
		f.files.Hold(path)
	}
	for moved := range f.files.Moved(time.Now()) {
		p.Sources.SetFormat(&moved)
		more := p.readSources(ctx, slices.Values([]extract.Source{moved}))
		if p.state.NextRun(); !more {
			return false
		}
	}
	of := p.Sources
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
		return p.state.Sources(f.watched(found))
	}
	var unmatched []string // globs, and lines of --base-map
	found := of.Sources(ctx, p.to, func(what string) { unmatched = append(unmatched, what) })
	more = p.readSources(ctx, p.wanted(found)) && p.out.Flush() == nil
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

// wanted yields the sources to read, without those that have all the results that -m allows. A
// source that cannot be followed, such as a pipe, fails to open.
func (p following) wanted(found iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for s := range found {
			if p.follower.isFull(s.Name) {
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
