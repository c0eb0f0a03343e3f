package sources

import (
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"syscall"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
)

// A selfError is about an input that the results are written to.
type selfError struct{ out string }

func (e selfError) Error() string { return "is " + e.out + " too, so reading it would never end" }

// withoutOutput returns sources without the output, the file to which results are written: each
// result that is read there would add another one. If a walk finds the output, as in
// "urlsift . >urls", it is left out. If the output is itself a given path, its Open
// returns a selfError.
func withoutOutput(out *output.File, sources iter.Seq[extract.Source], g *walkedPath) iter.Seq[extract.Source] {
	own := out.Regular()
	if len(own) == 0 {
		return sources
	}
	what := selfError{"standard output"}
	if out.File != os.Stdout {
		what.out = "the output"
	}
	return func(yield func(extract.Source) bool) {
		for s := range sources {
			if isOneOf(&s, own) {
				if s.Name != stdin && s.Name != g.path {
					continue
				}
				place := extract.Origin{Source: s.Name}
				s.Open = func() (io.ReadCloser, error) {
					return nil, &extract.Error{Origin: place, Stage: extract.StageOpen, Err: what}
				}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// isOneOf reports whether s is one of files. If the path of s is too long for the
// system, isOneOf opens s, because package extract can open such paths.
func isOneOf(s *extract.Source, files []os.FileInfo) bool {
	info, err := os.Stat(s.Name)
	switch {
	case s.Name == stdin:
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
	return err == nil && slices.ContainsFunc(files, func(f os.FileInfo) bool { return os.SameFile(f, info) })
}

// stdin is the path that stands for standard input.
const stdin = "-"

// A walkedPath has the path that is being walked.
type walkedPath struct{ path string }

// watch yields paths, and stores the current one.
func (g *walkedPath) watch(paths iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for path, err := range paths {
			if g.path = path; !yield(path, err) {
				return
			}
		}
	}
}
