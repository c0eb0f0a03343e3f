package extract

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/paths"
)

// A Source is something to read. Open is called once, by the worker that reads
// it, and what it returns is closed by that worker. A source that could not be
// listed is one whose Open fails.
//
// If Open returns an [*os.File], and Size is right, several workers may read a big
// one together: those that come later call its ReadAt, and the last closes it.
//
// To end early a worker that waits for input, Run calls SetReadDeadline of what
// Open returned, if it has that method, as an [*os.File] does.
type Source struct {
	Name string
	Size int64 // bytes as stored, -1 if not known
	Open func() (io.ReadCloser, error)

	// file says that it is a file, which opens at once.
	file  bool
	found *found // by a walk that did not ask for its size; or nil

	// wake makes an Open return that waits. It may be nil.
	wake func()
}

// A Walker steers which files a walk yields. Globs are those of
// [filepath.Match]. One without a separator is matched against the last element
// of a path, one with a separator against the whole path as it would be yielded.
//
// A path that is given by name is always read: these fields apply to what a
// walk finds below it.
type Walker struct {
	Hidden  bool     // also names that begin with '.'; folders of a maildir are walked in any case
	Follow  bool     // also symbolic links; one that leads back to where it stands is trouble
	Include []string // files that match none of these are left out; none means all files
	Exclude []string // files and directories that match one of these are left out

	// Unsized leaves it to Open to learn how big a file is that a walk finds: its
	// Size is -1, and a walk of many takes half the time. Run is given such files a
	// few at a time, and begins with the first of them when it has the last.
	Unsized bool
}

// Walk is [Walker.Walk] of the zero Walker.
func Walk(paths ...string) iter.Seq[Source] { return Walker{}.Walk(paths...) }

// Walk yields the files at and below the given paths, in the order of the paths,
// and below each in lexical order. A name is the path as given and what was
// found joined by a separator. The path "-" is standard input, as are no paths.
//
// Directories are read when their turn comes, one at each depth at a time. What
// a walk meets that is neither file nor directory is left out, but read if it is
// given by name. Trouble (a path that is not there, a directory without
// permission) is a Source whose Open returns an [*Error], and the walk goes on.
// The sequence may be ranged over again, and reads directories anew.
func (w Walker) Walk(paths ...string) iter.Seq[Source] {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	return func(yield func(Source) bool) {
		for _, glob := range append(append([]string(nil), w.Include...), w.Exclude...) {
			if _, err := filepath.Match(glob, ""); err != nil {
				yield(trouble("walk", glob, err))
				return
			}
		}
		for _, path := range paths {
			if !w.named(path, yield) {
				return
			}
		}
	}
}

// named yields what is at and below a path that was given.
func (w *Walker) named(path string, yield func(Source) bool) bool {
	if path == "-" {
		return yield(Source{Name: "-", Size: stdinSize(), Open: openStdin})
	}
	info, err := paths.Stat(path)
	switch {
	case err != nil:
		return yield(trouble("open", path, err))
	case info.IsDir():
		return w.dir(path, []fs.FileInfo{info}, yield)
	}
	return yield(file(path, info))
}

// dir yields what is below the directory at path. The last of above is its own,
// the others are those it lies in. It recurses once for each depth.
func (w *Walker) dir(path string, above []fs.FileInfo, yield func(Source) bool) bool {
	entries, err := listing(path)
	if err != nil && !yield(trouble("walk", path, err)) {
		return false
	}
	some := newFinds(path)
	plain := w.Unsized && len(w.Include) == 0 && len(w.Exclude) == 0
	for i := range entries {
		e := &entries[i]
		hidden, typ := strings.HasPrefix(e.name, "."), e.typ
		if plain && !hidden && typ == 0 { // as nearly all are
			if !some.add(e.name, yield) {
				return false
			}
			continue
		}
		name := join(path, e.name)
		if hidden && !w.Hidden && !(typ.IsDir() && isMaildir(name)) || matches(w.Exclude, name) {
			continue
		}
		if typ&fs.ModeSymlink != 0 && !w.Follow || typ&^(fs.ModeSymlink|fs.ModeDir) != 0 {
			continue
		}
		if typ == 0 {
			if w.Unsized {
				if (len(w.Include) == 0 || matches(w.Include, name)) && !some.add(e.name, yield) {
					return false
				}
				continue
			}
			if size, regular, err := statRegular(name); err == nil && regular {
				if (len(w.Include) == 0 || matches(w.Include, name)) && !yield(regularFile(name, size)) {
					return false
				}
				continue
			}
		}
		if !some.yieldAll(yield) {
			return false
		}
		info, err := paths.Lstat(name)
		if typ&fs.ModeSymlink != 0 {
			info, err = paths.Stat(name)
		}
		goOn := true
		switch {
		case errors.Is(err, fs.ErrNotExist) && typ&fs.ModeSymlink == 0:
			// It has gone since the directory was read.
		case err != nil:
			goOn = yield(trouble("walk", name, err))
		case info.IsDir():
			goOn = w.below(name, info, above, yield)
		case info.Mode().IsRegular() && (len(w.Include) == 0 || matches(w.Include, name)):
			goOn = yield(file(name, info))
		}
		if !goOn {
			return false
		}
	}
	return some.yieldAll(yield)
}

// below walks a directory that was found, unless a link led back to one that is
// being walked. That takes a comparison for each depth.
func (w *Walker) below(path string, info fs.FileInfo, above []fs.FileInfo, yield func(Source) bool) bool {
	if w.Follow {
		for _, a := range above {
			if os.SameFile(a, info) {
				return yield(trouble("walk", path, plainError("symbolic link leads back to a directory it lies in")))
			}
		}
	}
	return w.dir(path, append(above, info), yield)
}

// isMaildir reports whether the directory at path is a maildir. One that is hidden
// is a folder of another (Maildir++), and hidden by its name only.
func isMaildir(path string) bool {
	info, err := paths.Stat(join(path, "cur"))
	return err == nil && info.IsDir()
}

// matches reports whether one of the globs, all known to be well formed, takes
// the file at path.
func matches(globs []string, path string) bool {
	for _, glob := range globs {
		name := path
		if !strings.ContainsRune(glob, filepath.Separator) {
			name = filepath.Base(path)
		}
		if ok, _ := filepath.Match(glob, name); ok {
			return true
		}
	}
	return false
}

// join puts name behind dir as dir is written: filepath.Join would tidy it.
func join(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// trouble returns a source that only tells err.
func trouble(stage, path string, err error) Source {
	return Source{Name: path, Size: -1, Open: func() (io.ReadCloser, error) {
		return nil, &Error{Origin: Origin{Source: path}, Stage: stage, Err: err}
	}}
}
