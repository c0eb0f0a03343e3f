package main

import (
	"io"
	"iter"
	"os"
	"slices"

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
			if isFile(s.Name, self) {
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

// isFile reports whether the source called name is the given file.
func isFile(name string, file os.FileInfo) bool {
	info, err := os.Stat(name)
	if name == "-" {
		info, err = os.Stdin.Stat()
	}
	return err == nil && os.SameFile(info, file)
}
