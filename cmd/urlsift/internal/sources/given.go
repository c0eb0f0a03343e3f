package sources

import "iter"

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
