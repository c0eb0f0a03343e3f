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

// A seamed is a section of which a Read ends at a seam at the latest: what is behind
// it may be another's to read.
type seamed struct {
	section
	unit int64
}

func (s *seamed) Read(p []byte) (int, error) {
	return s.section.Read(p[:min(int64(len(p)), s.unit-s.at%s.unit)])
}
