package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// A File is what the results of a run are written to: standard output, a file that is written
// directly, or a new file that replaces another one at the end of the run. Finish is called once;
// Discard may be called at any time, and by another goroutine.
type File struct {
	*os.File // what is written to

	replaces string      // the name of the file that is replaced; "" if File is written directly
	old      fs.FileInfo // of the file that is replaced; nil if there is none yet
	name     string      // the name of the new file; "" while it has none

	mu   sync.Mutex
	done bool // the new file has replaced the old one, or was discarded
}

// Create opens the file at path for results, and truncates it. "-" is standard output. inputs are
// the files to read: if one of them is the file at path, that file is not changed, and there is an
// error. The error begins with path.
func Create(path string, inputs []string) (*File, error) {
	if path == "-" {
		return &File{File: os.Stdout}, nil
	}
	return open(path, inputs, func(f *os.File, _ fs.FileInfo) error { return f.Truncate(0) })
}

// Continue opens the file at path for more results, and does not empty it. keep returns how many
// bytes are kept of the file with this device, inode and size, or an error if nothing can be added
// to it. If what is kept does not end with the byte end, as after a run that was killed within a
// record, Continue adds it, so that the next record is not joined to the last one. Otherwise it is
// like Create.
func Continue(path string, inputs []string, end byte, keep func(device, inode uint64, size int64) (int64, error)) (*File, error) {
	return open(path, inputs, func(f *os.File, info fs.FileInfo) error {
		device, inode := Inode(info)
		length, err := keep(device, inode, info.Size())
		if err == nil && length < info.Size() {
			err = f.Truncate(length)
		}
		if err == nil {
			_, err = f.Seek(0, io.SeekEnd)
		}
		if last, known := byteAt(path, info, length-1); err == nil && known && last != end {
			_, err = f.Write([]byte{end})
		}
		return err
	})
}

// byteAt returns the byte at that offset of the file of info, which is at path. f of Continue cannot
// be read: a pipe that is opened for both would not wait for its reader.
func byteAt(path string, info fs.FileInfo, at int64) (b byte, known bool) {
	if at < 0 {
		return 0, false
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false // it may be written and not read
	}
	defer f.Close()
	is, err := f.Stat()
	if err != nil || !os.SameFile(is, info) {
		return 0, false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], at)
	return last[0], err == nil
}

// Replace makes a new file in the folder of the file at path. Finish puts it in the place of that
// file, which is not changed until then. If path is a symbolic link, the file it leads to is
// replaced. The new file has the mode of the old one and, where the system allows that, its owner.
//
// Some files are written directly, as by Create: those that are not regular, those that are open
// as standard output or standard error, or by a path like /dev/fd/3, and those in a folder in
// which no file can be made. Errors are those of Create.
func Replace(path string, inputs []string) (*File, error) {
	target, isFile := resolve(path)
	old, err := os.Stat(path)
	switch {
	case path == "-" || !isFile,
		err == nil && (!old.Mode().IsRegular() || isStandard(old)),
		err != nil && !errors.Is(err, fs.ErrNotExist):
		return Create(path, inputs)
	case err == nil:
		// Whoever may not write to the file may not replace it either.
		f, err := open(path, inputs, func(*os.File, fs.FileInfo) error { return nil })
		if err != nil {
			return nil, err
		}
		f.Close()
	default:
		old = nil
	}
	f := &File{replaces: target, old: old}
	if err = f.create(); err != nil {
		f.Discard()
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return Create(path, inputs)
		}
		return nil, fmt.Errorf("%s: %s", path, Cause(err))
	}
	return f, nil
}

// noName is unnamed, or another function in tests.
var noName = unnamed

// create creates the new file. If there is an old one, only this user can open the new one until it has the
// owner and the mode of the old one.
func (f *File) create() (err error) {
	mode := fs.FileMode(0o666)
	if f.old != nil {
		mode = 0o600
	}
	if f.File = noName(filepath.Dir(f.replaces), mode); f.File == nil {
		f.name, err = f.tryNames(func(name string) (err error) {
			f.File, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
			return err
		})
	}
	if err != nil || f.old == nil {
		return err
	}
	mode = f.old.Mode()
	if !keepGroup(f.File, f.old) {
		mode = mode&^0o070 | mode&0o007<<3 // members of another group have no more rights than others
	}
	return f.Chmod(mode)
}

// tryNames calls try with names for the new file until one of them is not in use, and returns it.
func (f *File) tryNames(try func(name string) error) (name string, err error) {
	for range 100 { // random names: a second attempt is rare
		name = filepath.Join(filepath.Dir(f.replaces), ".urlsift-"+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
		if err = try(name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	return name, nil
}

// Finish closes the file. A new file replaces the old one if all results are in it, and is removed
// otherwise. Its content is on the disk before it replaces the old one. So whenever the process or
// the machine stops, one of the two files is there as a whole.
func (f *File) Finish(whole bool) error {
	switch {
	case f.File == os.Stdout:
		return nil
	case f.replaces == "":
		return f.Close()
	}
	defer f.Discard()
	defer f.Close()
	if !whole {
		return nil
	}
	if err := f.Sync(); err != nil { // a full disk may be reported only now
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return nil
	}
	return f.place()
}

// place puts the new file in the place of the old one. If the system does not allow that, as for a
// file that is a mount point, the content is copied into the old file.
func (f *File) place() (err error) {
	if f.name == "" {
		f.name, err = f.tryNames(func(name string) error { return giveName(f.File, name) })
		if err != nil {
			return f.copy(f.File)
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	if os.Rename(f.name, f.replaces) == nil {
		f.name = ""
		return nil
	}
	again, err := os.Open(f.name)
	if err != nil {
		return err
	}
	defer again.Close()
	return f.copy(again)
}

// copy copies the new file, which is open as from, into the old one.
func (f *File) copy(from *os.File) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := os.OpenFile(f.replaces, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if failed := to.Close(); err == nil {
		err = failed
	}
	return err
}

// Discard removes a new file that has not replaced the old one. Nothing replaces it later. A file
// that is written directly is not changed.
func (f *File) Discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done = true; f.name != "" {
		_ = os.Remove(f.name) // on some systems only after Close, which Finish calls first
	}
}

// Regular returns the regular files that f may write to: at most the new and the old file.
func (f *File) Regular() (infos []fs.FileInfo) {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		infos = append(infos, info)
	}
	if f.old != nil {
		infos = append(infos, f.old)
	}
	return infos
}

// open opens the file at path for writing. If it is a regular file, and none of inputs, prepare
// removes from it what is not kept. Other files, such as pipes, have no content to lose.
func open(path string, inputs []string, prepare func(f *os.File, info fs.FileInfo) error) (*File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, Cause(err))
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if isOneOf(info, inputs) {
			f.Close()
			return nil, fmt.Errorf("%s is an input as well; choose another output", path)
		}
		err = prepare(f, info)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %s", path, Cause(err))
	}
	return &File{File: f}, nil
}

// isOneOf reports whether one of inputs is the file of info.
func isOneOf(info fs.FileInfo, inputs []string) bool {
	for _, name := range inputs {
		in, err := os.Stat(name)
		if name == "-" {
			in, err = os.Stdin.Stat()
		}
		if err == nil && os.SameFile(info, in) {
			return true
		}
	}
	return false
}

// isStandard reports whether the file of info is open as standard output or standard error.
func isStandard(info fs.FileInfo) bool {
	for _, f := range [...]*os.File{os.Stdout, os.Stderr} {
		if is, err := f.Stat(); err == nil && os.SameFile(is, info) {
			return true
		}
	}
	return false
}

// resolve returns the name of the file to which path leads by symbolic links. The file need not
// exist. isFile is false if the path is a name for an open file, such as /dev/stdout.
func resolve(path string) (name string, isFile bool) {
	for range 40 { // as many links as Linux follows; the caller has an error if there are more
		if abs, err := filepath.Abs(path); err == nil && (strings.HasPrefix(abs, "/proc/") || strings.HasPrefix(abs, "/dev/fd/")) {
			return path, false
		}
		to, err := os.Readlink(path)
		if err != nil {
			break // it is no link
		}
		if !filepath.IsAbs(to) {
			folder, _ := filepath.Split(path)
			to = folder + to // filepath.Join would remove "LINK/.."
		}
		path = to
	}
	folder, base := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		path = filepath.Join(real, base) // filepath.Dir may be used with this name
	}
	return path, true
}
