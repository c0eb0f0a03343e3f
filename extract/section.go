package extract

import (
	"io"
	"os"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// A section reads what comes from the offset at on.
type section struct {
	of   *os.File
	at   int64
	size int64 // that the file had when it was opened
}

func (s *section) Read(p []byte) (int, error) {
	n, err := s.of.ReadAt(p, s.at)
	s.at += int64(n)
	if err == io.EOF {
		err = endOfFile(s.of, s.at, s.size)
	}
	return n, err
}

// A sourceReader reads a source from its beginning. It waits where there is nothing yet,
// unless stop says so, and knows an end that is none.
type sourceReader struct {
	r    io.Reader
	size int64 // that r had when it was opened, if it is a file; else 0
	stop *schedule.Interrupt
}

func (s *sourceReader) reset(r io.Reader, stop *schedule.Interrupt) {
	*s = sourceReader{r: r, size: openedSize(r), stop: stop}
}

func (s *sourceReader) Read(p []byte) (int, error) {
	n, err := readPatiently(s.r, p, s.stop)
	if err == io.EOF {
		err = ending(s.r, s.size)
	}
	return n, err
}

// Regular reports whether the source is a regular file, of which no Read waits for others.
func (s *sourceReader) Regular() bool {
	f, ok := s.r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// A splitReader is a section of which a Read ends at a split point at the latest: what is
// after it may be another worker's to read.
type splitReader struct {
	section
	split int64 // bytes from split point to split point
}

func (s *splitReader) Read(p []byte) (int, error) {
	return s.section.Read(p[:min(int64(len(p)), s.split-s.at%s.split)])
}
