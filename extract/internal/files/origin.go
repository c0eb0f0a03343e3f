package files

import (
	"os"
	"path/filepath"
	"strings"
)

// An origin makes the path that a glob is compared with of one that a walk yields. The
// former has '/' between its elements, and is relative if it can be.
type origin struct {
	strip  int    // bytes at the beginning that are removed
	prefix string // what is put in front then, with '/' at its end
}

// path returns the path to compare of name.
func (o origin) path(name string) string {
	name = filepath.ToSlash(name[o.strip:])
	if o.prefix == "" {
		return name
	}
	return o.prefix + name
}

// originOf returns the origin of what is below the path root, which was given by name:
// paths in the working directory are relative to it.
func originOf(root string) origin {
	clean := filepath.Clean(root)
	if filepath.IsAbs(clean) {
		if here, err := os.Getwd(); err == nil {
			if rest, ok := within(here, clean); ok {
				clean = rest
			}
		}
	}
	o := origin{strip: len(join(root, ""))}
	if clean = strings.TrimPrefix(filepath.ToSlash(clean), "/"); clean != "." && clean != "" {
		o.prefix = clean + "/"
	}
	if n := len(o.prefix); strings.HasSuffix(filepath.ToSlash(join(root, "")), o.prefix) {
		o = origin{strip: o.strip - n} // no path has to be made
	}
	return o
}

// within returns path relative to dir, if it is dir or below it. Both are clean.
func within(dir, path string) (rest string, ok bool) {
	if path == dir {
		return ".", true
	}
	return strings.CutPrefix(path, join(dir, ""))
}

// join joins dir and name by a separator and leaves dir as it is written, which
// filepath.Join would not.
func join(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}
