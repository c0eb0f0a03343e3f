package follow

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// gather is how long Wait waits after the first change for others.
	gather = 50 * time.Millisecond

	// mostPaths bounds the paths in Changes. If there are more, everything is examined.
	mostPaths = 1024

	// mostStrangers bounds the names of files that change and are not read.
	mostStrangers = 4096
)

// A Watcher waits for changes in folders. The zero Watcher watches no folders, and only
// waits for the time. Only one goroutine at a time may call its methods.
type Watcher struct {
	Known func(path string) bool // reports whether the file at path was read before

	system    *fsnotify.Watcher // nil if the system sends no notifications
	folders   map[string]*folder
	strangers map[string]bool // files that were not read when they changed
}

// A folder is a folder that is watched.
type folder struct {
	prefix string          // of the paths of the files in it
	names  map[string]bool // names of the files that are read; nil means all that a walk finds
}

// Changes are what has to be examined.
type Changes struct {
	All   bool     // everything
	Paths []string // files that were read before, and folders
}

// New returns a Watcher. If the system needs an open file for each file in a folder, or sends no
// notifications, the Watcher waits only for the time.
func New(known func(path string) bool) *Watcher {
	w := &Watcher{Known: known, folders: map[string]*folder{}, strangers: map[string]bool{}}
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		if system, err := fsnotify.NewWatcher(); err == nil {
			w.system = system
		}
	}
	return w
}

// Close ends the notifications.
func (w *Watcher) Close() {
	if w.system != nil {
		_ = w.system.Close()
	}
}

// WatchGiven watches for changes of the file at path, which need not exist.
func (w *Watcher) WatchGiven(path string) {
	prefix, name := split(path)
	if f := w.watch(prefix); f != nil && f.names != nil {
		f.names[name] = true
	}
}

// WatchWalked watches the folder of the file at path, which a walk has found.
func (w *Watcher) WatchWalked(path string) {
	prefix, _ := split(path)
	if f := w.watch(prefix); f != nil {
		f.prefix, f.names = prefix, nil
	}
}

// WatchFolder watches the folder at path, whose files are walked.
func (w *Watcher) WatchFolder(path string) {
	const separator = string(filepath.Separator)
	w.WatchWalked(strings.TrimSuffix(path, separator) + separator + "file")
}

// split splits path into the name and what is in front of it.
func split(path string) (prefix, name string) {
	name = filepath.Base(path)
	return strings.TrimSuffix(path, name), name
}

// watch returns the folder with that prefix, or nil if it cannot be watched.
func (w *Watcher) watch(prefix string) *folder {
	if w.system == nil {
		return nil
	}
	path := filepath.Clean(prefix) // "" becomes "."
	if f := w.folders[path]; f != nil {
		return f
	}
	if w.system.Add(path) != nil {
		return nil // the folder is gone, or the system can watch no more folders
	}
	f := &folder{prefix: prefix, names: map[string]bool{}}
	w.folders[path] = f
	return f
}

// Wait returns when something has changed, but not before pause has passed. It also returns at the
// time until: then everything has to be examined, since not every file system reports changes. It
// returns false if ctx has ended.
func (w *Watcher) Wait(ctx context.Context, pause time.Duration, until time.Time) (c Changes, ok bool) {
	began := time.Now()
	end := time.NewTimer(time.Until(until))
	defer end.Stop()
	var gathered <-chan time.Time
	var events chan fsnotify.Event
	var errs chan error
	if w.system != nil {
		events, errs = w.system.Events, w.system.Errors
	}
	for {
		select {
		case <-ctx.Done():
			return c, false
		case <-end.C:
			return Changes{All: true}, true
		case <-gathered:
			return c.reduced(), true
		case e := <-events:
			w.note(e, &c)
		case <-errs: // notifications were lost
			c.All = true
		}
		if gathered == nil && (c.All || len(c.Paths) > 0) {
			gathered = time.After(max(gather, pause-time.Since(began)))
		}
	}
}

// note adds the paths of e to c.
func (w *Watcher) note(e fsnotify.Event, c *Changes) {
	if c.All || !e.Has(fsnotify.Create|fsnotify.Write|fsnotify.Remove|fsnotify.Rename) {
		return
	}
	if w.folders[e.Name] != nil && e.Has(fsnotify.Remove|fsnotify.Rename) {
		delete(w.folders, e.Name) // it is watched again if it is still there
		c.All = true
		return
	}
	f := w.folders[filepath.Dir(e.Name)]
	if f == nil {
		c.All = true
		return
	}
	name := filepath.Base(e.Name)
	path := f.prefix + name
	whole := strings.TrimSuffix(f.prefix, string(filepath.Separator))
	switch {
	case f.names != nil && !f.names[name]: // of no interest
	case !e.Has(fsnotify.Create | fsnotify.Remove | fsnotify.Rename):
		if w.Known(path) {
			c.add(path)
		} else if !w.strangers[path] {
			if len(w.strangers) >= mostStrangers {
				clear(w.strangers)
			}
			w.strangers[path] = true
			c.All = true
		}
	case f.names != nil, whole == "", strings.HasSuffix(whole, string(filepath.Separator)):
		c.All = true
	default:
		delete(w.strangers, path)
		c.add(whole)
	}
}

func (c *Changes) add(path string) {
	for _, p := range c.Paths { // at most mostPaths
		if p == path {
			return
		}
	}
	if c.Paths = append(c.Paths, path); len(c.Paths) > mostPaths {
		c.All = true
	}
}

// reduced returns c without paths below other ones.
func (c Changes) reduced() Changes {
	if c.All {
		return Changes{All: true}
	}
	in := make(map[string]bool, len(c.Paths))
	for _, p := range c.Paths {
		in[filepath.Clean(p)] = true
	}
	var some []string
	for _, p := range c.Paths {
		covered := false
		for up := filepath.Dir(p); !covered && len(up) < len(p); up = filepath.Dir(up) { // at most the depth of p
			if covered = in[up]; up == filepath.Dir(up) {
				break
			}
		}
		if !covered {
			some = append(some, p)
		}
	}
	return Changes{Paths: some}
}
