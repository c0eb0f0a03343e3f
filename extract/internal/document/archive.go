package document

import (
	"io"

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

// members pushes the container for the members of s, which is an archive of that kind.
func (s *stream) members(d *Reader, kind archiveKind) {
	a, made := s.archive.(*archive)
	if !made {
		a = new(archive)
		s.archive = a
	}
	a.s, a.kind, a.entry, a.left = s, kind, false, leftover{class: ledger.RawData}
	a.file, s.isArchive = memberReader{}, true
	if s.level == 0 {
		d.outermost.onRead = nil
	}
	if a.readers[kind] == nil {
		a.readers[kind] = archives[kind].open()
	}
	a.in = a.readers[kind]
	a.in.Reset(s.raw.in, s.level)
	if s.level == 0 {
		d.outermost.tar, _ = a.in.(*untar)
	}
	d.push(a)
}

// leave has nothing to restore: the stream of each member restores what it has changed.
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
	d.enter(&a.file).outside = outside
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
