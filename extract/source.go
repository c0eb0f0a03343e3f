package extract

import (
	"errors"
	"io"
	"iter"
	"unsafe"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// A Source is something to read. The worker that reads it calls Open once, and closes what
// Open returns. A source that could not be listed is one whose Open fails.
//
// If Open returns an [*os.File], and Size is right, several workers may read a big one
// together: those that come later call its ReadAt, and the last closes it.
//
// To end a worker early that waits for input, Run calls SetReadDeadline of what Open
// returned, if it has that method, as an [*os.File] does.
type Source struct {
	Name string
	Size int64 // bytes as stored, -1 if not known
	Open func() (io.ReadCloser, error)

	file *files.File // what a walk has found; or nil
}

// A Walker says which files a walk yields. Globs are those of [filepath.Match]. One
// without a separator is matched against the last element of a path, one with a separator
// against the whole path as it would be yielded.
//
// A path that is given by name is always read: these fields apply to what a walk finds
// below it.
type Walker struct {
	Hidden  bool     // also names that begin with '.'; the folders of a maildir are walked in any case
	Follow  bool     // also symbolic links; one that leads back to a directory it lies in is an error
	Include []string // only files that match one of these; none means all files
	Exclude []string // no files and directories that match one of these

	// Unsized leaves the sizes of the files that a walk finds to Open: their Size is -1,
	// and a walk of many takes half the time. Run receives such files in batches, and
	// begins with the first of a batch when it has the last.
	Unsized bool
}

// Walk is [Walker.Walk] of the zero Walker.
func Walk(paths ...string) iter.Seq[Source] { return Walker{}.Walk(paths...) }

// Walk yields the files at and below the given paths, in the order of the paths, and below
// each in lexical order. The name of a file is the path as given, a separator, and the
// path of the file below it. The path "-" is standard input, as are no paths.
//
// Directories are read when their turn comes, one at each depth at a time. A walk leaves
// out what is neither a file nor a directory, but reads it if it is given by name. An
// error (a path that does not exist, a directory without permission) is a Source whose
// Open returns an [*Error], and the walk goes on. The sequence may be ranged over again,
// and reads directories anew.
func (w Walker) Walk(paths ...string) iter.Seq[Source] {
	walk := files.Walker(w).Walk(paths...)
	return func(yield func(Source) bool) {
		walk(func(f *files.File) bool {
			s := Source{Name: f.Path, Size: f.Size, Open: f.Open, file: f}
			if f.Err != nil {
				s.Open = func() (io.ReadCloser, error) { return nil, walkError(f.Err) }
			}
			return yield(s)
		})
	}
}

// walkError returns the Error for one of a walk.
func walkError(e *files.Error) *Error {
	return &Error{Origin: Origin{Source: e.Path}, Stage: e.Stage, Err: e.Err}
}

// openError returns err, of the source of that name, as an Error with an Origin.
func openError(name string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var walk *files.Error
	if errors.As(err, &walk) {
		return walkError(walk)
	}
	if name == "" {
		name = `""`
	}
	return &Error{Origin: Origin{Source: name}, Stage: "open", Err: err}
}

// regular reports whether s was a regular file when it was found, so that Open does not
// wait.
func (s *Source) regular() bool { return s.file != nil && s.file.Regular }

// more reports whether another source follows at once.
func (s *Source) more() bool { return s.file != nil && s.file.More }

// inDirectory reports whether the walk that found s may soon yield more files of the same
// directory.
func (s *Source) inDirectory() bool { return s.file != nil && s.file.InDirectory() }

// prefetchable reports whether s can be opened as the walk opens it, together with others:
// it cannot if the caller has replaced Open. Functions are compared by their address, which
// the language cannot express.
func (s *Source) prefetchable() bool {
	return s.file != nil && s.file.Prefetchable() &&
		*(*unsafe.Pointer)(unsafe.Pointer(&s.Open)) == *(*unsafe.Pointer)(unsafe.Pointer(&s.file.Open))
}
