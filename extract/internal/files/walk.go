package files

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/files/longpath"
)

// A Walker says which files a walk yields. Its fields are those of extract.Walker.
type Walker struct {
	Hidden  bool
	Follow  bool
	Include []string
	Exclude []string
	Unsized bool
}

// Walk yields the files at and below the given paths, in the order of the paths, and below
// each in lexical order. The path "-" is standard input, as are no paths. The sequence may
// be ranged over again, and lists directories anew.
func (w Walker) Walk(paths ...string) iter.Seq[*File] {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	return func(yield func(*File) bool) {
		for _, glob := range append(append([]string(nil), w.Include...), w.Exclude...) {
			if _, err := filepath.Match(glob, ""); err != nil {
				yield(failed("walk", glob, err))
				return
			}
		}
		on := walk{Walker: w, yield: yield}
		for _, path := range paths {
			if !on.named(path) {
				return
			}
		}
	}
}

// A walk is a Walker at work. Its methods return false if the caller wants no more files.
type walk struct {
	Walker
	yield func(*File) bool
}

// named yields what is at and below a path that was given by name.
func (w *walk) named(path string) bool {
	if path == "-" {
		return w.yield(&File{Path: "-", Size: stdinSize(), Open: openStdin})
	}
	info, err := longpath.Stat(path)
	switch {
	case err != nil:
		return w.yield(failed("open", path, err))
	case info.IsDir():
		return w.dir(path, []fs.FileInfo{info})
	}
	return w.yield(newFile(path, info))
}

// dir yields what is below the directory at path. The last of above is the directory
// itself, the others are those that it lies in. It recurses once for each depth.
func (w *walk) dir(path string, above []fs.FileInfo) bool {
	entries, err := longpath.ReadDir(path)
	if err != nil && !w.yield(failed("walk", path, err)) {
		return false
	}
	some := newBatch(path)
	plain := w.Unsized && len(w.Include) == 0 && len(w.Exclude) == 0
	for _, e := range entries {
		if name := e.Name(); plain && e.Type() == 0 && name[0] != '.' { // nearly all are
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

// entry yields what is at and below e, an entry of the directory at path, after the files
// in some.
func (w *walk) entry(path string, e fs.DirEntry, some *batch, above []fs.FileInfo) bool {
	name, typ := join(path, e.Name()), e.Type()
	switch {
	case strings.HasPrefix(e.Name(), ".") && !w.Hidden && !(typ.IsDir() && isMaildir(name)),
		matches(w.Exclude, name),
		typ&fs.ModeSymlink != 0 && !w.Follow,
		typ&^(fs.ModeSymlink|fs.ModeDir) != 0:
		return true
	case typ == 0 && w.Unsized:
		return !w.includes(name) || some.add(e.Name(), w.yield)
	case typ == 0:
		if size, regular, err := statRegular(name); err == nil && regular {
			return !w.includes(name) || w.yield(newRegular(name, size))
		}
	}
	return some.flush(false, w.yield) && w.other(name, typ, above)
}

// other yields what is at and below name, which is not a file that was just listed as one:
// a directory, a link that is followed, or something that has changed since.
func (w *walk) other(name string, typ fs.FileMode, above []fs.FileInfo) bool {
	link := typ&fs.ModeSymlink != 0
	stat := longpath.Lstat
	if link {
		stat = longpath.Stat
	}
	info, err := stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !link:
		return true // it was removed after the directory was listed
	case err != nil:
		return w.yield(failed("walk", name, err))
	case info.IsDir():
		return w.below(name, info, above)
	case info.Mode().IsRegular() && w.includes(name):
		return w.yield(newFile(name, info))
	}
	return true
}

// below walks a directory that was found, unless a link led back to one that is being
// walked. It compares it with one directory for each depth.
func (w *walk) below(path string, info fs.FileInfo, above []fs.FileInfo) bool {
	if w.Follow {
		for _, a := range above {
			if os.SameFile(a, info) {
				return w.yield(failed("walk", path, fact("symbolic link leads back to a directory it lies in")))
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

// includes reports whether the file at path is one that the walk is to yield.
func (w *walk) includes(path string) bool {
	return len(w.Include) == 0 || matches(w.Include, path)
}

// matches reports whether one of the globs matches the file at path. All of them are known
// to be well formed.
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

// join joins dir and name by a separator and leaves dir as it is written, which
// filepath.Join would not.
func join(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}
