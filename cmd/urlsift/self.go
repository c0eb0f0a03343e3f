package main

import (
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"syscall"

	"github.com/urlsift/urlsift/extract"
)

// selfError is said of an input that the results are written to.
type selfError struct{}

func (selfError) Error() string { return "is standard output too, and would never end" }

// besides returns sources without the file that results are written to, as in
// "urlsift . >urls": each result that is read there would be one more to read.
// If it is one of paths, what was asked for cannot be done, and it becomes a
// source that says so; if a walk met it, it is left out.
func besides(out *os.File, sources iter.Seq[extract.Source], paths []string) iter.Seq[extract.Source] {
	self, err := out.Stat()
	if err != nil || !self.Mode().IsRegular() {
		return sources
	}
	return func(yield func(extract.Source) bool) {
		for s := range sources {
			if isFile(&s, self) {
				if s.Name != "-" && !slices.Contains(paths, s.Name) {
					continue
				}
				place := extract.Origin{Source: s.Name}
				s.Open = func() (io.ReadCloser, error) {
					return nil, &extract.Error{Origin: place, Stage: "open", Err: selfError{}}
				}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// isFile reports whether s is the given file. A path that is too long to be asked for is
// opened: package extract can.
func isFile(s *extract.Source, file os.FileInfo) bool {
	info, err := os.Stat(s.Name)
	switch {
	case s.Name == "-":
		info, err = os.Stdin.Stat()
	case errors.Is(err, syscall.ENAMETOOLONG):
		r, failed := s.Open()
		if failed != nil {
			return false
		}
		defer r.Close()
		if f, ok := r.(interface{ Stat() (os.FileInfo, error) }); ok {
			info, err = f.Stat()
		}
	}
	return err == nil && os.SameFile(info, file)
}
