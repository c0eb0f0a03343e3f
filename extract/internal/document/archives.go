package document

import (
	"bufio"

	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

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
