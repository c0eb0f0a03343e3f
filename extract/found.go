package extract

import (
	"io"
	"unsafe"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// A walk that does not ask for sizes yields the files of a directory a few at a time,
// one behind the other without anything in between that could take long. A worker
// reads them before it looks into the first (shelf_unix.go).

// foundMost bounds how many files a walk holds until it yields the first.
const foundMost = schedule.Most

// A found is a file that a walk has found. It stays as it is.
type found struct {
	path string
	in   *folder
	more bool // another is yielded right behind it
	on   bool // others of the folder may be, behind those
	open func() (io.ReadCloser, error)
}

// A folder is a directory, as it was listed once.
type folder struct{ path string } // with a separator behind it

// finds are those in a folder that were not yet yielded. There may be fewer than
// foundMost of them.
type finds struct {
	in    *folder
	paths []byte // one behind the other
	ends  []int  // of them
}

func newFinds(dir string) *finds {
	return &finds{in: &folder{join(dir, "")}}
}

// add adds the file of that name, and yields all if they are many. The paths share
// memory.
func (f *finds) add(name string, yield func(Source) bool) bool {
	f.paths = append(append(f.paths, f.in.path...), name...)
	f.ends = append(f.ends, len(f.paths))
	return len(f.ends) < foundMost || f.yieldSome(true, yield)
}

// yieldAll yields them. It returns false if there are to be no more.
func (f *finds) yieldAll(yield func(Source) bool) bool { return f.yieldSome(false, yield) }

// yieldSome is yieldAll, and says whether others of the folder may be yielded soon.
func (f *finds) yieldSome(on bool, yield func(Source) bool) bool {
	list, paths, from := make([]found, len(f.ends)), string(f.paths), 0
	for i, end := range f.ends {
		at := &list[i]
		*at = found{path: paths[from:end], in: f.in, more: i+1 < len(list), on: on}
		at.open = func() (io.ReadCloser, error) { return openRegular(at.path) }
		from = end
	}
	f.paths, f.ends = f.paths[:0], f.ends[:0]
	for i := range list {
		at := &list[i]
		if !yield(Source{Name: at.path, Size: -1, file: true, found: at, Open: at.open}) {
			return false
		}
	}
	return true
}

// own reports whether s opens what a walk found as the walk does it: it does not
// if somebody has put another Open in the place of its own. Functions are compared
// by their address, which the language has no word for.
func (s *Source) own() bool {
	return s.found != nil && *(*unsafe.Pointer)(unsafe.Pointer(&s.Open)) == *(*unsafe.Pointer)(unsafe.Pointer(&s.found.open))
}
