package state

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Names of files in the state are absolute and clean, so that runs in several folders may
// share it. Records and messages have the names that were given.

// workingDir returns the working directory without links, so that it has one name. It is
// empty if there is none any more.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}

// nameOf returns the name in the state of the file at path.
func (s *base) nameOf(path string) string {
	if filepath.IsAbs(path) || s.dir == "" {
		return filepath.Clean(path)
	}
	return filepath.Join(s.dir, path)
}

// mostLinks bounds the links from which one leads to the next.
const mostLinks = 40

// eachLink calls each for path, and if that is a symbolic link for where it leads, and so on,
// until each returns false.
func eachLink(path string, each func(path string) bool) {
	for range mostLinks {
		if !each(path) {
			return
		}
		to, err := os.Readlink(path)
		if err != nil {
			return
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
}

// target returns the path of the file to which path leads, which need not be there.
func target(path string) string {
	eachLink(path, func(p string) bool { path = p; return true })
	return path
}

// IsFile reports whether path may stand for a file: /dev/stdin and the like, and links to
// them, stand for another one in each run.
func IsFile(path string) bool {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return isFile(path)
}

// isFile is IsFile for an absolute path.
func isFile(path string) bool {
	is := true
	eachLink(path, func(p string) bool {
		is = !strings.HasPrefix(p, "/dev/fd/") && !strings.HasPrefix(p, "/proc/")
		return is
	})
	return is
}

// aside is what follows a name in the record of a file that has lost it; then there is the
// inode. No path has a NUL.
const aside = "\x00"

// asideName returns the name in the state of a file that has lost its name.
func asideName(name string, inode uint64) string { return fmt.Sprint(name, aside, inode) }

// pathOf returns the path of the file of that name in the state, which it may have lost.
func pathOf(name string) string {
	path, _, _ := strings.Cut(name, aside)
	return path
}

// matcher returns a function that reports whether a name in the state matches glob, which is
// valid. Without a slash it is compared with the last element; with one, with the path, seen
// from the folder dir unless it is absolute.
func matcher(glob, dir string) func(name string) bool {
	glob = path.Clean(glob)
	if !strings.Contains(glob, "/") {
		return func(name string) bool { return matches(glob, path.Base(slashed(name))) }
	}
	if strings.HasPrefix(glob, "/") || filepath.IsAbs(filepath.FromSlash(glob)) {
		return func(name string) bool { return matches(glob, slashed(name)) }
	}
	for { // each iteration goes to the folder above
		rest, above := strings.CutPrefix(glob, "../")
		if !above {
			break
		}
		glob, dir = rest, filepath.Dir(dir)
	}
	below := strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
	return func(name string) bool {
		rest, ok := strings.CutPrefix(slashed(name), below)
		return ok && matches(glob, rest)
	}
}

func slashed(name string) string { return filepath.ToSlash(pathOf(name)) }

func matches(glob, name string) bool {
	ok, _ := doublestar.Match(glob, name) // it is valid
	return ok
}
