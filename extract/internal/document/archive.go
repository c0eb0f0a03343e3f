package document

import (
	"bufio"
	"errors"
	"io"

	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Archives are read from front to back, so they may come from a pipe or be nested. Each
// file in an archive is a stream of its own.

// An archiveKind is a format of archives.
type archiveKind uint8

const (
	noArchive archiveKind = iota
	tarArchive
	zipArchive

	numArchives
)

// archives has a row for each kind. To add one, add it here, with a package that reads it
// from front to back, and convert its errors in archive.damaged.
var archives = [numArchives]struct {
	name  string // which is the stage of its damage
	sniff func(head []byte, whole bool) (is, wait bool)
	open  func() unarchiver
}{
	tarArchive: {"tar", tarstream.Sniff, func() unarchiver { return new(untar) }},
	zipArchive: {"zip", zipstream.Sniff, func() unarchiver { return new(unzip) }},
}

// String returns the name of k.
func (k archiveKind) String() string { return archives[k].name }

// An unarchiver reads an archive.
type unarchiver interface {
	Reset(in *bufio.Reader)

	// next advances to the next record, and returns the name of its file, "" if it has
	// none. Read reads that file.
	next() (name string, err error)
	Read(p []byte) (int, error)

	// Taken counts bytes: all that are finished, those of files that were not read, and
	// those where the next record was searched for after damage.
	Taken() (all, passed, sought int64)
}

type (
	untar struct{ tarstream.Reader }
	unzip struct{ zipstream.Reader }
)

func (u *untar) next() (name string, err error) {
	name, _, regular, err := u.Next()
	if !regular {
		name = ""
	}
	return name, err
}

func (u *unzip) next() (name string, err error) {
	e, err := u.Next()
	if err != nil || e.Dir {
		return "", err
	}
	return e.Name, nil
}

// An archive is the container of the members of one stream. It has a reader of each kind
// that occurred, which is reused.
type archive struct {
	readers [numArchives]unarchiver

	s     *stream
	kind  archiveKind
	in    unarchiver // of that kind
	file  memberReader
	entry bool     // a member is open
	left  leftover // rest of the member
}

// members pushes the archive s of that kind.
func (s *stream) members(d *Reader, kind archiveKind) {
	if s.archive == nil {
		s.archive = new(archive)
	}
	a := s.archive
	a.s, a.kind, a.entry, a.left = s, kind, false, leftover{class: ledger.RawData}
	a.file = memberReader{}
	if s.level == 0 {
		d.outermost.tap = nil
	}
	if a.readers[kind] == nil {
		a.readers[kind] = archives[kind].open()
	}
	a.in = a.readers[kind]
	a.in.Reset(s.raw.in)
	if s.level == 0 {
		d.outermost.tar, _ = a.in.(*untar)
	}
	d.push(a)
}

// leave restores nothing: the stream of a member restores what it has changed.
func (a *archive) leave(d *Reader) {
	if a.entry { // the consumer has stopped
		a.countMember(d)
	}
	a.countBetween(d)
}

// next enters the next member that is a file. Each iteration reads a record of the
// archive.
func (a *archive) next(d *Reader) (*Text, error) {
	s := a.s
	if a.entry {
		a.entry = false
		a.countMember(d)
	}
	for len(d.reports.queue) == 0 {
		if d.hooks.Stopped() {
			return nil, damage.ErrStopped
		}
		name, err := a.step(d)
		a.countBetween(d)
		m := a.damaged(err, s.level)
		if m, ok := m.(*damage.Damage); ok && m.Mild {
			s.fail(d, m)
			continue
		}
		if over := d.pool.Source.Over(); over != nil {
			s.fault = over
			return nil, io.EOF
		}
		if err != nil {
			if err != a.file.cause || !a.file.reports() {
				s.fault = m
			}
			return nil, io.EOF
		}
		if name != "" {
			a.enter(d, name)
			return nil, nil
		}
	}
	return nil, nil
}

// enter pushes the member with that name.
func (a *archive) enter(d *Reader, name string) {
	d.ledger.Add(ledger.Members, 1)
	around := d.path.outside()
	around.rest = func(_ *Reader, left leftover) { a.left = left }
	d.path.where.enter(name)
	a.entry = true
	a.file = memberReader{a: a, d: d}
	d.enter(&a.file).around = around
}

// step is unarchiver.next. A panic of a library ends the archive.
func (a *archive) step(d *Reader) (name string, err error) {
	defer d.hooks.caught(&err)
	return a.in.next()
}

// damaged converts err, from the reader of the archive, to the damage that the stream of
// that level reports. Other errors are unchanged.
func (a *archive) damaged(err error, level int) error {
	if err == nil || err == io.EOF || errors.Is(err, damage.ErrStopped) {
		return err // nearly all members end here, before anything is allocated
	}
	m := &damage.Damage{Class: damage.Pack, Stage: a.kind.String(), Err: err, Level: level}
	var below *damage.Damage
	var t *tarstream.Error
	var z *zipstream.Error
	switch {
	case errors.As(err, &t):
		m.Err, m.Offset, m.Known, m.Mild = damage.Fact(t.What), t.Offset, true, t.Mild
	case errors.As(err, &z):
		what := z.What
		if z.Err != nil {
			what += ": " + z.Err.Error()
		}
		m.Err, m.Offset, m.Known, m.Mild = damage.Fact(what), z.Offset, true, z.Mild
	case errors.As(err, &below):
		return below
	}
	return m
}

// A memberReader reads a member. A panic of a library becomes an error that ends the
// member. Damage of the archive becomes damage of the member: an archive inside it ends
// there, and cannot skip it as if it were its own.
type memberReader struct {
	a     *archive
	d     *Reader
	cause error // the error of the reader of the archive
	err   error // the error that is returned for it; sticky
}

func (m *memberReader) Read(p []byte) (n int, err error) {
	if m.err != nil {
		return 0, m.err
	}
	if n, m.cause = m.read(p); m.cause != nil {
		m.err = m.a.damaged(m.cause, m.a.s.level+1)
		if m.reports() {
			own := m.err.(*damage.Damage)
			own.Known, own.Mild = false, false // its offset is how far the member was read
		}
	}
	return n, m.err
}

// read reads once from the reader of the archive.
func (m *memberReader) read(p []byte) (n int, err error) {
	defer m.d.hooks.caught(&err)
	return m.a.in.Read(p)
}

// reports reports whether the stream of the member reports the error that ended it.
func (m *memberReader) reports() bool {
	own, ok := m.err.(*damage.Damage)
	return ok && own.Level > m.a.s.level
}
