package document

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Archives are read from front to back, so they may come from a pipe or be nested. Each
// file in an archive is a stream of its own.

// An archive is the container of the members of one stream. It keeps a reader for each kind of
// archive that has occurred, and uses that reader again.
type archive struct {
	readers [numArchives]unarchiver

	s     *stream
	kind  archiveKind
	in    unarchiver // of that kind
	file  memberReader
	entry bool     // a member is open
	left  leftover // rest of the member
}

// leave has nothing to restore: the stream of each member restores what it has changed.
func (a *archive) leave(d *Reader) {
	if a.entry { // the consumer has stopped
		a.countMember(d)
	}
	a.countBetween(d)
}

// next enters the next member that is a file.
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
		m, _ := err.(*damage.Damage)
		if m != nil && m.Mild {
			s.fail(d, m)
			continue
		}
		if exceeded := d.pool.Source.RatioExceeded(); exceeded != nil {
			s.fault = exceeded
			return nil, io.EOF
		}
		if err != nil {
			if m == nil || m.Level <= s.level { // otherwise the member has reported it
				s.fault = err
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

// enter pushes the member called name.
func (a *archive) enter(d *Reader, name string) {
	d.ledger.Add(ledger.Members, 1)
	outside := d.path.outside()
	outside.rest = func(left leftover) { a.left = left }
	d.path.where.enter(name)
	a.entry = true
	a.file = memberReader{a: a, d: d}
	d.enter(&a.file, name).outside = outside
}

// step is unarchiver.next. A panic of a library ends the archive.
func (a *archive) step(d *Reader) (name string, err error) {
	defer d.hooks.caught(&err, a.kind.stage(), a.s.level)
	return a.in.next()
}

// A memberReader reads a member. A panic of a library is damage that ends the member. Damage of
// the archive is damage of the member: if the member is itself an archive, that archive ends
// there, and cannot skip the damage as if it were its own.
type memberReader struct {
	a   *archive
	d   *Reader
	err error // sticky
}

func (m *memberReader) Read(p []byte) (n int, err error) {
	if m.err != nil {
		return 0, m.err
	}
	n, m.err = m.read(p)
	return n, m.err
}

// read reads once from the reader of the archive.
func (m *memberReader) read(p []byte) (n int, err error) {
	defer m.d.hooks.caught(&err, m.a.kind.stage(), m.a.s.level+1)
	return m.a.in.Read(p)
}

// countBetween counts the bytes that the reader of the archive has skipped since the last call. The
// rest of a member is counted in the class of a.left.
func (a *archive) countBetween(d *Reader) {
	s := a.s
	all, passed, sought := a.in.Counts()
	s.countAs(d.ledger, a.left.class, passed-s.seenPassed)
	s.countAs(d.ledger, ledger.RawDamaged, sought-s.seenData)
	s.seenPassed, s.seenData = passed, sought
	s.done = all
	a.left = leftover{class: ledger.RawData}
}

// countMember counts the bytes of a member that were read. Everything in front of these bytes was
// counted before.
func (a *archive) countMember(d *Reader) {
	s := a.s
	all, _, _ := a.in.Counts()
	read := all - s.done
	buffered := min(a.left.buffered, read) // read is smaller if the member was decompressed
	s.countAs(d.ledger, a.left.before(), read-buffered)
	s.countAs(d.ledger, a.left.class, buffered)
	s.done = all
}

// An archiveKind is a format of archives.
type archiveKind uint8

const (
	noArchive archiveKind = iota
	tarArchive
	zipArchive

	numArchives
)

// archives has a row for each kind of archive. To add a kind, add a row here, and a package that
// reads such archives from front to back and returns *damage.Damage.
var archives = [numArchives]struct {
	stage damage.Stage
	sniff func(head []byte, whole bool) (is, wait bool)
	open  func() unarchiver
}{
	tarArchive: {damage.StageTar, tarstream.Sniff, func() unarchiver { return new(untar) }},
	zipArchive: {damage.StageZip, zipstream.Sniff, func() unarchiver { return new(unzip) }},
}

// stage returns the stage of damage in an archive of that kind.
func (k archiveKind) stage() damage.Stage { return archives[k].stage }

// An unarchiver reads an archive.
type unarchiver interface {
	// Reset begins the archive that in reads. level is the level of the archive's stream.
	Reset(in *bufio.Reader, level int)

	// next advances to the next record, and returns the name of its file, or "" if it has none.
	// Read reads that file. Both return damage of the archive as *damage.Damage: next at the
	// level of the stream, Read at the level of the file. If damage that Read returned ends the
	// archive, next returns it too.
	next() (name string, err error)
	Read(p []byte) (int, error)

	// Counts returns numbers of bytes: of all that are finished, of files that were not read, and of
	// those that were searched for the next record after damage.
	Counts() (all, passed, sought int64)
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
