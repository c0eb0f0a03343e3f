package state

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Names of files in the state are absolute and clean, so that runs in different folders may share
// it. Output and messages use the names that the user gave.

// workingDir returns the working directory without symbolic links, so that it has one name. It
// returns "" if the directory no longer exists.
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

// mostLinks bounds the length of a chain of symbolic links.
const mostLinks = 40

// eachLink calls the function each for path and, while that is a symbolic link, for its target. It
// stops when the function returns false.
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

// target returns path with symbolic links resolved. The file need not exist.
func target(path string) string {
	eachLink(path, func(p string) bool { path = p; return true })
	return path
}

// IsFile reports whether path always names the same file: /dev/stdin and the like, and links to
// them, may be another file in each run.
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

// aside and the inode follow the name in the entry of a file that has lost its name. No path
// contains a NUL.
const aside = "\x00"

// asideName returns the name in the state of a file that has lost its name.
func asideName(name string, inode uint64) string { return fmt.Sprint(name, aside, inode) }

// pathOf returns the path in a name of the state. The file may have lost that path.
func pathOf(name string) string {
	path, _, _ := strings.Cut(name, aside)
	return path
}

// matcher returns a function that reports whether a name in the state matches glob, which is
// valid. A glob without a slash is compared with the last element. A glob with a slash is compared
// with the whole path; it is relative to dir unless it is absolute.
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
	prefix := strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
	return func(name string) bool {
		rest, ok := strings.CutPrefix(slashed(name), prefix)
		return ok && matches(glob, rest)
	}
}

func slashed(name string) string { return filepath.ToSlash(pathOf(name)) }

func matches(glob, name string) bool {
	ok, _ := doublestar.Match(glob, name) // the glob is valid
	return ok
}
