package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/state/system"
)

// The files of a state: the database, and its companion files.

// ownSuffixes are the suffixes of the state's files.
var ownSuffixes = [...]string{"", pidSuffix, copySuffix, newSuffix, copySuffix + newSuffix}

const (
	pidSuffix  = ".pid" // the number of the process that has the state open
	copySuffix = ".bak"
	newSuffix  = ".new" // suffix of a file that is being made
)

// ownFiles are the files of an open state, which are not read.
type ownFiles struct {
	names      []string
	identities []system.Identity
}

// find adds the files of the named state to o. Files of the state that appear later have one of
// these names.
func (o *ownFiles) find(name string) {
	for _, suffix := range ownSuffixes {
		if !slices.Contains(o.names, name+suffix) {
			o.names = append(o.names, name+suffix)
		}
		if id, ok := system.Identify(name + suffix); ok && id.Inode != 0 {
			o.identities = append(o.identities, id)
		}
	}
}

// has reports whether the file of that name and identity is one of o.
func (o *ownFiles) has(name string, id system.Identity) bool {
	for _, own := range o.names { // there are few of these
		if own == name {
			return true
		}
	}
	for _, own := range o.identities {
		if own.Inode == id.Inode && own.Device == id.Device {
			return true
		}
	}
	return false
}

// checkOwn returns an error if a companion of the state at file is a link, a folder, a pipe or a
// device. They are checked again when they are made.
func checkOwn(file string) error {
	for _, suffix := range ownSuffixes {
		if suffix == "" {
			continue
		}
		if err := system.IsRegular(file + suffix); errors.Is(err, system.ErrIrregular) {
			return fmt.Errorf("%s: %w, as the files of a state have to be", file+suffix, err)
		}
	}
	return nil
}

// Owns reports whether the file at path belongs to the state at file, by its name or its identity
// in info. None of the files need exist; info is nil if the file at path does not. If path is
// empty, only info counts.
func Owns(file, path string, info fs.FileInfo) bool {
	name, own := "", realName(file)
	if path != "" {
		name = realName(path)
	}
	for _, suffix := range ownSuffixes {
		if name == own+suffix {
			return true
		}
		if is, err := os.Stat(own + suffix); err == nil && info != nil && os.SameFile(is, info) {
			return true
		}
	}
	return false
}

// realName returns the absolute name of path with symbolic links resolved. The file need not exist.
func realName(path string) string {
	path = target(path)
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	return path
}
