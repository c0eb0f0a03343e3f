package count

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// fanIn is how many runs a level has at most, and how many are merged at a time.
const fanIn = 64

// A spool has the runs of a Counter.
type spool struct {
	o      *Options
	levels []level
	enc    *zstd.Encoder
	dec    *zstd.Decoder
	writer runWriter // its memory is used again
}

// A level is a file with consecutive runs, the oldest first. The runs of a higher level are older
// than those of a lower one.
type level struct {
	f    file
	size int64
	runs []sortedRun
}

// A sortedRun is a stretch of the file of its level.
type sortedRun struct{ start, end int64 }

// any reports whether the spool has a run.
func (s *spool) any() bool {
	for i := range s.levels {
		if len(s.levels[i].runs) > 0 {
			return true
		}
	}
	return false
}

// write adds a run that fill appends to a writer.
func (s *spool) write(fill func(*runWriter) error) error {
	if err := s.writeTo(0, fill); err != nil {
		return err
	}
	for i := 0; i < len(s.levels) && len(s.levels[i].runs) >= fanIn; i++ {
		if err := s.lift(i); err != nil {
			return err
		}
	}
	return nil
}

// writeTo adds a run to the level i.
func (s *spool) writeTo(i int, fill func(*runWriter) error) error {
	if err := s.prepare(i); err != nil {
		return err
	}
	l := &s.levels[i]
	w := &s.writer
	w.enc, w.f, w.at, w.raw, w.last = s.enc, l.f, l.size, w.raw[:0], w.last[:0]
	err := fill(w)
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return s.problem("write", err)
	}
	l.runs = append(l.runs, sortedRun{l.size, w.at})
	l.size = w.at
	return nil
}

// prepare opens the files and buffers for writing to level i.
func (s *spool) prepare(i int) (err error) {
	if s.enc == nil {
		if s.enc, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(64<<10), zstd.WithLowerEncoderMem(true)); err != nil {
			return err
		}
		if s.dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)); err != nil {
			return err
		}
	}
	for len(s.levels) <= i {
		f, err := s.o.create(s.dir())
		if err != nil {
			return s.problem("create", err)
		}
		s.levels = append(s.levels, level{f: f})
	}
	return nil
}

// lift merges the runs of the level i into one of the level above it.
func (s *spool) lift(i int) error {
	if err := s.writeTo(i+1, func(w *runWriter) error {
		return mergeInto(w, s.readers(&s.levels[i]))
	}); err != nil {
		return err
	}
	l := &s.levels[i]
	l.runs, l.size = l.runs[:0], 0
	if err := l.f.Truncate(0); err != nil {
		return s.problem("write", err)
	}
	return nil
}

// reduce merges runs, from the lowest level up, until there are no more than most, or only one.
func (s *spool) reduce(most int) error {
	for i := 0; i < len(s.levels) && s.count() > max(1, most); i++ {
		if len(s.levels[i].runs) > 0 {
			if err := s.lift(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// count returns how many runs there are.
func (s *spool) count() (n int) {
	for i := range s.levels {
		n += len(s.levels[i].runs)
	}
	return n
}

// all returns readers of all runs, the oldest first.
func (s *spool) all() (readers []rowStream) {
	for i := len(s.levels) - 1; i >= 0; i-- {
		readers = append(readers, s.readers(&s.levels[i])...)
	}
	return readers
}

// readers returns readers of the runs of l, the oldest first.
func (s *spool) readers(l *level) (readers []rowStream) {
	for _, run := range l.runs {
		readers = append(readers, &runReader{dec: s.dec, problem: s.problem, f: l.f, at: run.start, end: run.end})
	}
	return readers
}

// dir returns the folder of the files.
func (s *spool) dir() string { return cmp.Or(s.o.Dir, os.TempDir()) }

// problem returns err as an *Error, without the path of a file that has no name.
func (s *spool) problem(op string, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &Error{Op: op, Dir: s.dir(), Err: err}
}

// close frees the files.
func (s *spool) close() {
	for i := range s.levels {
		_ = s.levels[i].f.Close()
	}
	if s.enc != nil {
		_ = s.enc.Close()
		s.dec.Close()
	}
	*s = spool{o: s.o}
}
