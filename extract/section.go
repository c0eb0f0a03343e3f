package extract

import (
	"io"
	"os"
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
	stop *interrupt
}

func (s *sourceReader) reset(r io.Reader, stop *interrupt) {
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

// A seamed is a section of which a Read ends at a seam at the latest: what is behind
// it may be another's to read.
type seamed struct {
	section
	unit int64
}

func (s *seamed) Read(p []byte) (int, error) {
	return s.section.Read(p[:min(int64(len(p)), s.unit-s.at%s.unit)])
}
