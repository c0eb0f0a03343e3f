package files

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// A walk that does not ask for sizes yields the files of a directory in groups: one after another,
// without slow steps in between. So the caller can read all of them before it uses the first
// (prefetch.go).

// groupMost is the maximum number of files in a group.
const groupMost = 64

// A fileGroup holds the files of a directory that were not yet yielded.
type fileGroup struct {
	in    *directory
	paths []byte // paths of the files, one after another
	ends  []int  // where each path ends
}

func newFileGroup(dir string) *fileGroup { return &fileGroup{in: &directory{join(dir, "")}} }

// add adds the file of that name, and yields the group if it is full. It returns false if the
// caller has stopped.
func (b *fileGroup) add(name string, yield func(*File) bool) bool {
	b.paths = append(append(b.paths, b.in.path...), name...)
	b.ends = append(b.ends, len(b.paths))
	return len(b.ends) < groupMost || b.flush(true, yield)
}

// flush yields the group. unfinished says that there may be more files in the directory.
// The paths of a group share memory, and so do its Files.
func (b *fileGroup) flush(unfinished bool, yield func(*File) bool) bool {
	list, paths, from := make([]File, len(b.ends)), string(b.paths), 0
	for i, end := range b.ends {
		f := &list[i]
		*f = File{Path: paths[from:end], Size: -1, Regular: true, More: i+1 < len(list), in: b.in, unfinished: unfinished}
		f.Open = func() (io.ReadCloser, error) { return system.Open(f.Path) }
		from = end
	}
	b.paths, b.ends = b.paths[:0], b.ends[:0]
	for i := range list {
		if !yield(&list[i]) {
			return false
		}
	}
	return true
}
