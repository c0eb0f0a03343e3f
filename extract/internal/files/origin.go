package files

import (
	"os"
	"path/filepath"
	"strings"
)

// A globRoot converts paths that a walk yields to paths for comparison with globs. These have '/'
// between their elements, and are relative if possible.
type globRoot struct {
	strip  int    // bytes at the beginning that are removed
	prefix string // put in front after that, with '/' at its end
}

// path returns the path to compare with globs for name, a path that a walk yields.
func (o globRoot) path(name string) string {
	name = filepath.ToSlash(name[o.strip:])
	if o.prefix == "" {
		return name
	}
	return o.prefix + name
}

// globRootOf returns the globRoot for files below root, a path that was given by name. Paths in the
// working directory become relative to it.
func globRootOf(root string) globRoot {
	clean := filepath.Clean(root)
	if filepath.IsAbs(clean) {
		if here, err := os.Getwd(); err == nil {
			if rest, ok := within(here, clean); ok {
				clean = rest
			}
		}
	}
	o := globRoot{strip: len(join(root, ""))}
	if clean = strings.TrimPrefix(filepath.ToSlash(clean), "/"); clean != "." && clean != "" {
		o.prefix = clean + "/"
	}
	if n := len(o.prefix); strings.HasSuffix(filepath.ToSlash(join(root, "")), o.prefix) {
		o = globRoot{strip: o.strip - n} // no path has to be built
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

// join joins dir and name with a separator. Unlike filepath.Join, it does not change dir.
func join(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}
