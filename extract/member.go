package extract

import (
	"errors"
	"fmt"
	"io"

	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
)

// Archives are read from front to back, so they may come from a pipe, or lie in
// one another. Each file in one is a stream of its own.

// An archiveKind is a way in which files are put into one stream.
type archiveKind uint8

const (
	noArchive archiveKind = iota
	tarArchive
	zipArchive
)

// String returns the name of k, which is the stage of an [Error].
func (k archiveKind) String() string { return [...]string{"", "tar", "zip"}[k] }

// An archive has a reader of each kind.
type archive struct {
	tar tarstream.Reader
	zip zipstream.Reader
}

// members reads the files in the current stream, an archive of that kind, and
// returns what ended it.
func (w *worker) members(kind archiveKind) *Error {
	if err := w.layers.deeper(kind.String()); err != nil {
		return err
	}
	if w.archive == nil {
		w.archive = new(archive)
	}
	a := w.archive
	var in io.Reader = &a.tar
	next := a.nextTar
	if kind == tarArchive {
		a.tar.Reset(w.raw.r)
	} else {
		a.zip.Reset(w.raw.r)
		in, next = &a.zip, a.nextZip
	}
	var file guard
	var rest remains // of the member
	around := w.within
	w.within = kind
	defer func() {
		w.within = around
		w.bookArchive(a, kind, rest)
	}()
	for !w.stopped() {
		name, err := guarded(next)
		w.bookArchive(a, kind, rest)
		rest = remains{}
		if e := damagedArchive(err); e != nil && e.mild {
			w.fail(w.place(&e.Error))
			continue
		}
		switch {
		case w.layers.stored.over != nil:
			return w.fault(w.layers.stored.over)
		case err != nil && err == file.err && !w.layers.broken(w.layers.used): // the member has told it
			return nil
		case err != nil:
			return w.fault(err)
		case name != "":
			file = guard{r: in}
			rest = w.member(name, &file)
			w.bookMember(a, kind, rest)
		}
	}
	return nil
}

// nextTar steps to the next file, and returns its name. What is no file, or has
// no name, has the name "".
func (a *archive) nextTar() (string, error) {
	name, _, regular, err := a.tar.Next()
	if !regular {
		name = ""
	}
	return name, err
}

// nextZip is nextTar for zip.
func (a *archive) nextZip() (string, error) {
	e, err := a.zip.Next()
	if err != nil || e.Dir {
		return "", err
	}
	return e.Name, nil
}

// An archiveError is damage that the reader of an archive tells of; if it is mild,
// there is more behind it.
type archiveError struct {
	Error
	mild bool
}

// damagedArchive returns err as an archiveError, nil if it is none.
func damagedArchive(err error) *archiveError {
	var t *tarstream.Error
	var z *zipstream.Error
	switch {
	case errors.As(err, &t):
		return &archiveError{Error{Origin: Origin{Offset: t.Offset, Exact: true}, Stage: tarArchive.String(), Err: plainError(t.What)}, t.Mild}
	case errors.As(err, &z):
		what := z.What
		if z.Err != nil {
			what += ": " + z.Err.Error()
		}
		return &archiveError{Error{Origin: Origin{Offset: z.Offset, Exact: true}, Stage: zipArchive.String(), Err: plainError(what)}, z.Mild}
	}
	return nil
}

// member reads r as the member of that name, and returns what is to be counted of
// it that is left.
func (w *worker) member(name string, r io.Reader) (rest remains) {
	w.n.Members++
	around := w.origin
	w.origin.step(name)
	rest = w.enter(r)
	w.origin = around
	return rest
}

// A guard turns a panic of a library into the end of what is read through it.
type guard struct {
	r   io.Reader
	err error
}

func (g *guard) Read(p []byte) (n int, err error) {
	if g.err != nil {
		return 0, seenWithin(g.err)
	}
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, &panicError{v}
		}
		g.err, err = err, seenWithin(err)
	}()
	return g.r.Read(p)
}

// An outerError is damage of an archive as those see it that read a member: for
// an archive within it is the end of what there is to read, and no damage of its
// own that it could step over.
type outerError struct{ err error }

func (e *outerError) Error() string { return e.err.Error() }

// seenWithin returns err, damage of an archive as an outerError.
func seenWithin(err error) error {
	if damagedArchive(err) != nil {
		return &outerError{err}
	}
	return err
}

// guarded is a guard for a step. A panic there is the end of the archive.
func guarded(next func() (string, error)) (name string, err error) {
	defer func() {
		if v := recover(); v != nil {
			name, err = "", fmt.Errorf("archive: %w", &panicError{v})
		}
	}()
	return next()
}
