package extract

import (
	"errors"
	"io"
	"iter"
	"unsafe"

	"github.com/urlsift/urlsift/extract/internal/files"
)

// A Source is something to read. The worker that reads it calls Open once and closes the
// result. If a source could not be listed, its Open returns the error.
//
// If Open returns an [*os.File] and Size is right, several workers may read a big file
// together. They call its ReadAt, and the last one closes it.
//
// To stop a worker that waits for input, Run calls SetReadDeadline of the opened source,
// if it has this method, as [*os.File] has.
type Source struct {
	Name string
	Size int64 // stored size in bytes; -1 if unknown
	Open func() (io.ReadCloser, error)

	file *files.File // set by a walk, otherwise nil
}

// A Walker selects the files that a walk yields. Globs are those of [filepath.Match]. A
// glob without a separator is matched against the last element of a path, a glob with a
// separator against the whole path as it would be yielded.
//
// The fields apply only to what a walk finds below the given paths. A given path is
// always read.
type Walker struct {
	Hidden  bool     // also names that begin with '.'; the folders of a maildir are always walked
	Follow  bool     // also symbolic links; a link to a directory around it is an error
	Include []string // only files that match one of these; none means all files
	Exclude []string // no files and directories that match one of these

	// Unsized does not ask for the sizes of files: Size is -1 until Open. A walk of many
	// files then takes half the time. Run gets such files in batches, and starts with the
	// first file of a batch when the batch is complete.
	Unsized bool
}

// Walk is [Walker.Walk] of the zero Walker.
func Walk(paths ...string) iter.Seq[Source] { return Walker{}.Walk(paths...) }

// Walk yields the files at and below paths, in the order of the paths, and below each
// path in lexical order. The name of a file is the given path, a separator, and the path
// below it. The path "-" is standard input; no paths mean the same.
//
// One directory of each depth is open at a time. Files that are neither regular nor
// directories are left out, unless their path is given. An error (a path that does not
// exist, a directory without permission) is yielded as a Source whose Open returns an
// [*Error], and the walk continues. The sequence may be ranged over several times, and
// reads directories again each time.
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

// walkError returns the Error for an error of a walk.
func walkError(e *files.Error) *Error {
	return &Error{Origin: Origin{Source: e.Path}, Stage: e.Stage, Err: e.Err}
}

// openError returns err, which concerns the source with that name, as an Error with an
// Origin.
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

// regular reports whether s was a regular file when it was listed, so that Open does not
// wait.
func (s *Source) regular() bool { return s.file != nil && s.file.Regular }

// more reports whether another source follows without waiting.
func (s *Source) more() bool { return s.file != nil && s.file.More }

// inDirectory reports whether the walk that found s may soon yield more files of the same
// directory.
func (s *Source) inDirectory() bool { return s.file != nil && s.file.InDirectory() }

// prefetchable reports whether s can be opened in advance together with others. It cannot
// if the caller has replaced Open. Functions are compared by address, which is not
// possible in plain Go.
func (s *Source) prefetchable() bool {
	return s.file != nil && s.file.Prefetchable() &&
		*(*unsafe.Pointer)(unsafe.Pointer(&s.Open)) == *(*unsafe.Pointer)(unsafe.Pointer(&s.file.Open))
}
