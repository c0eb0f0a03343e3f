package files

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/files/glob"
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
