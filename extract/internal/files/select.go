package files

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/files/glob"
)

// A selection decides, by the globs and ignore files of a Walker, which files a walk yields. There
// is one for each walk.
type selection struct {
	exclude, globs, include []globRule // in the order in which they were given

	from   globRoot // converts paths for the comparison with globs
	slash  bool     // a glob is compared with whole paths
	ignore *ignore  // of the directory that is being walked; nil if there is none
}

// A globRule is one glob of a Walker.
type globRule struct {
	glob.Glob
	text string // as given
	keep bool   // the rule selects what it matches: there was no '!' in front
	met  bool   // the rule has matched a file, or excluded a directory
}

// newSelection returns the selection of w, or nil if w selects everything. If a glob is invalid,
// bad is that glob and err says why.
func newSelection(w *Walker) (s *selection, bad string, err error) {
	if len(w.Globs) == 0 && len(w.Include) == 0 && len(w.Exclude) == 0 && !w.Ignore {
		return nil, "", nil
	}
	s = new(selection)
	for _, list := range []struct {
		to    *[]globRule
		texts []string
		keep  bool
	}{{&s.exclude, w.Exclude, false}, {&s.globs, w.Globs, true}, {&s.include, w.Include, true}} {
		for _, text := range list.texts {
			r := globRule{text: text, keep: list.keep}
			pattern := text
			if list.to == &s.globs {
				if rest, negated := strings.CutPrefix(text, "!"); negated {
					pattern, r.keep = rest, false
				}
			}
			if r.Glob, err = glob.Parse(withoutWorking(pattern)); err != nil {
				return nil, text, err
			}
			s.slash = s.slash || r.HasSlash()
			*list.to = append(*list.to, r)
		}
	}
	return s, "", nil
}

// withoutWorking returns pattern without the path of the working directory at its beginning, if
// it has that path. Paths below the working directory are compared as relative paths.
func withoutWorking(pattern string) string {
	if !strings.HasPrefix(pattern, "/") {
		return pattern
	}
	if here, err := os.Getwd(); err == nil {
		if rest, ok := strings.CutPrefix(pattern, strings.TrimSuffix(filepath.ToSlash(here), "/")+"/"); ok {
			return "/" + rest
		}
	}
	return pattern
}

// A choice is what some rules say about a path.
type choice uint8

const (
	undecided choice = iota
	selected         // also if it is hidden or ignored
	refused
)

// decide returns what the excludes and globs say about name, whose last element is base. It also
// tries each rule that has not matched yet, to find the rules that never match.
func (s *selection) decide(name, base string, dir bool) (v choice) {
	path := base
	if s.slash {
		path = s.from.path(name)
	}
	for i := range s.exclude {
		if r := &s.exclude[i]; (v == undecided || !r.met) && r.Match(path, dir) {
			v, r.met = refused, true
		}
	}
	if v == refused || len(s.globs) == 0 {
		return v
	}
	for i := len(s.globs) - 1; i >= 0; i-- { // the last that matches decides
		r := &s.globs[i]
		if v != undecided && r.met || !r.Match(path, dir) {
			continue
		}
		r.met = r.met || !r.keep || !dir
		switch {
		case v != undecided:
		case r.keep:
			v = selected
		default:
			v = refused
		}
	}
	if v == undecided && !dir && s.selects() {
		return refused
	}
	return v
}

// selects reports whether a glob selects files. If a glob does, files that no glob matches are
// excluded.
func (s *selection) selects() bool {
	for i := range s.globs {
		if s.globs[i].keep {
			return true
		}
	}
	return false
}

// includes reports whether the file at name, whose last element is base, is one of those
// to include.
func (s *selection) includes(name, base string) (ok bool) {
	if len(s.include) == 0 {
		return true
	}
	path := base
	if s.slash {
		path = s.from.path(name)
	}
	for i := range s.include {
		if r := &s.include[i]; (!ok || !r.met) && r.Match(path, false) {
			ok, r.met = true, true
		}
	}
	return ok
}

// unmatched yields the globs that have matched nothing, in the order excludes, globs,
// includes.
func (s *selection) unmatched(yield func(glob string)) {
	for _, rules := range [][]globRule{s.exclude, s.globs, s.include} {
		for i := range rules {
			if !rules[i].met {
				yield(rules[i].text)
			}
		}
	}
}

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
