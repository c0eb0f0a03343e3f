package document

import (
	"bufio"
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Archives are read from front to back, so they may come from a pipe or be nested. Each
// file in an archive is a stream of its own.

// An archive is the container of the members of one stream. It keeps a reader for each format that
// has occurred, and uses that reader again.
type archive struct {
	readers map[*dataFormat]unarchiver

	s      *stream
	format *dataFormat
	in     unarchiver // of that format
	file   memberReader
	entry  bool     // a member is open
	left   leftover // rest of the member
}

// leave has nothing to restore: the stream of each member restores what it has changed.
func (a *archive) leave(d *Reader) {
	if a.entry { // the consumer has stopped
		a.countMember(d)
	}
	a.countBetween(d)
	if r, is := a.in.(directoryReader); is {
		r.Release()
	}
}

// next enters the next member that is a file.
func (a *archive) next(d *Reader) (*Text, error) {
	s := a.s
	if a.entry {
		a.entry = false
		a.countMember(d)
	}
	for len(d.reports) == 0 {
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

// step is unarchiver.Next. A panic of a library ends the archive.
func (a *archive) step(d *Reader) (name string, err error) {
	defer d.hooks.caught(&err, a.format.name, a.s.level)
	return a.in.Next()
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
	defer m.d.hooks.caught(&err, m.a.format.name, m.a.s.level+1)
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

// An unarchiver reads an archive.
type unarchiver interface {
	// Reset begins the archive that in reads. level is the level of the archive's stream.
	Reset(in *bufio.Reader, level int)

	// Next advances to the next record, and returns the name of its file, or "" if it has none.
	// Read reads that file. Both return damage of the archive as *damage.Damage: Next at the
	// level of the stream, Read at the level of the file. If damage that Read returned ends the
	// archive, Next returns it too.
	Next() (name string, err error)
	Read(p []byte) (int, error)

	// Counts returns numbers of bytes: of all that are finished, of files that were not read, and of
	// those that were searched for the next record after damage.
	Counts() (all, passed, sought int64)
}

// A directoryReader reads an archive whose directory is at its end.
type directoryReader interface {
	// SetFile is called after Reset. The directory is then read from file. A stream in the archive may
	// declare a window of that many bytes.
	SetFile(file io.ReaderAt, window int64)

	Release() // drops the directory, and what was needed to decompress
}

// An untar reads tar.
type untar struct{ tarstream.Reader }

func (u *untar) Next() (name string, err error) {
	name, _, regular, err := u.Reader.Next()
	if !regular {
		name = ""
	}
	return name, err
}

// An unzip reads zip.
type unzip struct{ zipstream.Reader }

func (u *unzip) Reset(in *bufio.Reader, level int) {
	u.Reader.Reset(in, level)
	if head, _ := in.Peek(min(in.Buffered(), compress.MaxHead)); len(head) > 0 && head[0] != 'P' {
		n, _ := findZip(head, true) // 0 if the program is longer: see behindProgram
		u.SkipProgram(int64(n))
	}
}

func (u *unzip) Next() (name string, err error) {
	e, err := u.Reader.Next()
	if err != nil || e.Dir {
		return "", err
	}
	return e.Name, nil
}

// sniffZip reports whether head begins with a zip archive that is no office document, or with a program or
// script that has an archive among its first bytes.
func sniffZip(head []byte, whole bool) (is, wait bool) {
	if head[0] == 'P' {
		if office, wait := sniffOffice(head, whole); office || wait {
			return false, wait
		}
		return zipstream.Sniff(head, whole)
	}
	n, wait := findZip(head, whole)
	return n > 0 && !wait, wait
}

// behindProgram returns where a zip archive begins in file, which is not an archive by its first bytes, head: behind a program or a
// script; 0 if there is none.
func behindProgram(head []byte, file io.ReaderAt) int64 {
	for _, p := range programs {
		if bytes.HasPrefix(head, []byte(p)) && (p != "MZ" || isBinary(head[:min(len(head), dosHeader)])) {
			return zipstream.Behind(file)
		}
	}
	return 0
}

// dosHeader is the length of the header of a program for DOS and Windows.
const dosHeader = 64

// programs are how programs and scripts begin that may be in front of a zip archive.
var programs = [...]string{"MZ", "\x7fELF", "#!/", "#! /"}

// findZip returns where the first header of a zip archive is in head, the first bytes of a program or a
// script; 0 if it is not there. Archives behind longer programs are recognised by their end, in files: see behindProgram. A
// program for DOS and Windows has binary numbers in its first 64 bytes; a text may begin with "MZ".
func findZip(head []byte, whole bool) (at int, wait bool) {
	const sig = "PK\x03\x04"
	if head[0] == 'M' && !isBinary(head[:min(len(head), dosHeader)]) {
		return 0, len(head) < dosHeader && !whole
	}
	for i := bytes.Index(head, []byte(sig)); i >= 0; {
		if is, wait := zipstream.Sniff(head[i:], whole); is || wait {
			return i, wait
		}
		next := bytes.Index(head[i+len(sig):], []byte(sig))
		if next < 0 {
			break
		}
		i += len(sig) + next
	}
	return 0, !whole
}
