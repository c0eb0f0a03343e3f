package files

import (
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/files/longpath"
	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// A Walker says which files a walk yields. Its fields are those of extract.Walker.
type Walker struct {
	Hidden  bool
	Follow  bool
	Globs   []string
	Include []string
	Exclude []string
	Ignore  bool

	Unmatched func(glob string)
	Unsized   bool
}

// Walk yields the files at and below the given paths, in the order of the paths, and below each in
// lexical order. The path "-", or no path at all, means standard input. The sequence may be ranged
// over again, and then lists directories again.
func (w Walker) Walk(paths ...string) iter.Seq[*File] {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	return w.WalkEach(func(yield func(string, error) bool) {
		for _, path := range paths {
			if !yield(path, nil) {
				return
			}
		}
	})
}

// WalkEach is Walk for a sequence of paths. An error in the sequence is yielded as a File, and the
// walk continues.
func (w Walker) WalkEach(paths iter.Seq2[string, error]) iter.Seq[*File] {
	return func(yield func(*File) bool) {
		sel, glob, err := newSelection(&w)
		if err != nil {
			yield(failed(damage.StageWalk, glob, err))
			return
		}
		on := walk{Walker: w, selection: sel, yield: yield}
		for path, err := range paths {
			switch {
			case err != nil:
				if !yield(failed(damage.StageOpen, path, err)) {
					return
				}
			case !on.named(path):
				return
			}
		}
		if sel != nil && w.Unmatched != nil {
			sel.unmatched(w.Unmatched)
		}
	}
}

// Check returns an error for the first invalid glob.
func (w Walker) Check() *Error {
	if _, glob, err := newSelection(&w); err != nil {
		return &Error{Stage: damage.StageWalk, Path: glob, Err: err}
	}
	return nil
}

// A walk is the state of one walk. Its methods return false if the caller has stopped.
type walk struct {
	Walker
	*selection // nil if all files that are not hidden are selected
	yield      func(*File) bool
}

// named yields the files at and below a path that the caller named.
func (w *walk) named(path string) bool {
	if path == "-" {
		return w.yield(&File{Path: "-", Size: stdinSize(), Open: openStdin})
	}
	info, err := longpath.Stat(path)
	switch {
	case err != nil:
		return w.yield(failed(damage.StageOpen, path, err))
	case info.IsDir():
		return w.root(path, info)
	}
	return w.yield(newFile(path, info))
}

// root yields the files below the directory at path, which the caller named.
func (w *walk) root(path string, info fs.FileInfo) bool {
	if w.selection != nil {
		w.from = globRootOf(path)
		if w.Ignore {
			above, err := aboveRoot(path)
			if err != nil && !w.yield(failedIgnore(path, err)) {
				return false
			}
			w.ignore = above
		}
	}
	return w.dir(path, []fs.FileInfo{info})
}

// dir yields the files below the directory at path. above has the directories from the one that the
// caller named to the one at path. dir recurses once for each depth.
func (w *walk) dir(path string, above []fs.FileInfo) bool {
	entries, err := longpath.ReadDir(path)
	if err != nil && !w.yield(failed(damage.StageWalk, path, err)) {
		return false
	}
	if w.Ignore {
		defer func(above *ignore) { w.ignore = above }(w.ignore)
		here, err := w.ignore.inDir(path, entries)
		if err != nil && !w.yield(failedIgnore(path, err)) {
			return false
		}
		w.ignore = here
	}
	some := newFileGroup(path)
	plain := w.Unsized && w.selection == nil
	for _, e := range entries {
		if name := e.Name(); plain && e.Type() == 0 && name[0] != '.' { // most entries are regular files
			if !some.add(name, w.yield) {
				return false
			}
			continue
		}
		if !w.entry(path, e, some, above) {
			return false
		}
	}
	return some.flush(false, w.yield)
}

// entry yields the files at and below e, an entry of the directory at path. Before these it
// yields the files in some.
func (w *walk) entry(path string, e fs.DirEntry, some *fileGroup, above []fs.FileInfo) bool {
	name, typ := join(path, e.Name()), e.Type()
	link := typ&fs.ModeSymlink != 0
	switch {
	case link && !w.Follow,
		typ&^(fs.ModeSymlink|fs.ModeDir) != 0,
		!link && !w.picks(name, e.Name(), typ.IsDir()): // for a link, other calls picks when its target is known
		return true
	case typ == 0 && w.Unsized:
		return some.add(e.Name(), w.yield)
	case typ == 0:
		if size, regular, err := system.Stat(name); err == nil && regular {
			return w.yield(newRegular(name, size))
		}
	}
	return some.flush(false, w.yield) && w.other(name, e.Name(), link, above)
}

// picks reports whether the walk yields the file, or enters the directory, at name. The last
// element of name is base.
func (w *walk) picks(name, base string, dir bool) bool {
	if w.selection == nil {
		return w.Hidden || !hidden(name, base, dir)
	}
	switch w.decide(name, base, dir) {
	case refused:
		return false
	case undecided:
		if !w.Hidden && hidden(name, base, dir) || w.ignore.ignores(name, dir) {
			return false
		}
	}
	return dir || w.includes(name, base)
}

// hidden reports whether the last element of name makes it hidden.
func hidden(name, base string, dir bool) bool {
	return base[0] == '.' && !(dir && isMaildir(name))
}

// other yields the files at and below name if it was not listed as a regular file: a directory, a
// link that is followed, or something that has changed since.
func (w *walk) other(name, base string, link bool, above []fs.FileInfo) bool {
	stat := longpath.Lstat
	if link {
		stat = longpath.Stat
	}
	info, err := stat(name)
	switch {
	case link && !w.picks(name, base, err == nil && info.IsDir()):
		return true
	case isGone(err) && !link:
		return true // it was removed after the directory was listed
	case err != nil:
		return w.yield(failed(damage.StageWalk, name, err))
	case info.IsDir():
		return w.subdir(name, info, above)
	case info.Mode().IsRegular():
		return w.yield(newFile(name, info))
	}
	return true
}

// subdir walks a directory that was found, except if links led back to a directory that is being
// walked. For this it compares the directory with one at each depth.
func (w *walk) subdir(path string, info fs.FileInfo, above []fs.FileInfo) bool {
	if w.Follow {
		for _, a := range above {
			if os.SameFile(a, info) {
				return w.yield(failed(damage.StageWalk, path, damage.Fact("symbolic link leads back to a directory it lies in")))
			}
		}
	}
	return w.dir(path, append(above, info))
}

// isMaildir reports whether the directory at path is a maildir. A maildir that lies in
// another one (Maildir++) has a name that begins with '.', but is not meant to be hidden.
func isMaildir(path string) bool {
	info, err := longpath.Stat(join(path, "cur"))
	return err == nil && info.IsDir()
}

// A walk that does not ask for sizes yields the files of a directory in groups: one after another,
// without slow steps in between. So the caller can read all of them before it uses the first, with a
// [Prefetcher].

// groupMost is the maximum number of files in a group.
const groupMost = 64

// A fileGroup holds the files of a directory that were not yet yielded.
type fileGroup struct {
	in    *directory
	paths []byte // paths of the files, one after another
	ends  []int  // where each path ends
}

func newFileGroup(dir string) *fileGroup { return &fileGroup{in: &directory{join(dir, "")}} }

// add adds the file of that name, and yields the group if it is full. It returns false if the
// caller has stopped.
func (b *fileGroup) add(name string, yield func(*File) bool) bool {
	b.paths = append(append(b.paths, b.in.path...), name...)
	b.ends = append(b.ends, len(b.paths))
	return len(b.ends) < groupMost || b.flush(true, yield)
}

// flush yields the group. unfinished says that there may be more files in the directory.
// The paths of a group share memory, and so do its Files.
func (b *fileGroup) flush(unfinished bool, yield func(*File) bool) bool {
	list, paths, from := make([]File, len(b.ends)), string(b.paths), 0
	for i, end := range b.ends {
		f := &list[i]
		*f = File{Path: paths[from:end], Size: -1, Regular: true, More: i+1 < len(list), in: b.in, unfinished: unfinished}
		f.Open = func() (io.ReadCloser, error) { return system.Open(f.Path) }
		from = end
	}
	b.paths, b.ends = b.paths[:0], b.ends[:0]
	for i := range list {
		if !yield(&list[i]) {
			return false
		}
	}
	return true
}
