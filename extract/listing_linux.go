package extract

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"unsafe"

	"github.com/urlsift/urlsift/extract/internal/paths"
)

// listingBuffer is how many bytes of a directory are read at once.
const listingBuffer = 32 << 10

// readListing lists the directory at path, in the order in which the system does. Of an
// entry whose type that does not tell, it asks for it.
func readListing(path string) (list []dirent, err error) {
	var fd int
	err = uninterrupted(func() (err error) {
		fd, err = paths.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY)
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buf := make([]byte, listingBuffer)
	for { // each turn reads some entries
		n := 0
		err := uninterrupted(func() (err error) {
			n, err = syscall.ReadDirent(fd, buf)
			return err
		})
		if err != nil {
			return list, &fs.PathError{Op: "readdirent", Path: path, Err: err}
		}
		if n <= 0 {
			return list, nil
		}
		if list, err = appendEntries(list, path, buf[:n]); err != nil {
			return list, err
		}
	}
}

// appendEntries appends the entries in buf, which is full of records as getdents64(2)
// gives them: two numbers, how long the record is, the type, and the name up to a NUL.
// The names share memory.
func appendEntries(list []dirent, dir string, buf []byte) ([]dirent, error) {
	const lengthAt, typeAt, nameAt = unsafe.Offsetof(syscall.Dirent{}.Reclen), unsafe.Offsetof(syscall.Dirent{}.Type), unsafe.Offsetof(syscall.Dirent{}.Name)
	names := string(buf)
	list = slices.Grow(list, len(buf)/24)      // no record is shorter
	for at := 0; at+int(nameAt) <= len(buf); { // each turn takes a record
		rec := buf[at:]
		size := int(binary.NativeEndian.Uint16(rec[lengthAt:]))
		if size <= int(nameAt) || size > len(rec) {
			break
		}
		end := bytes.IndexByte(rec[nameAt:size], 0)
		if end < 0 {
			end = size - int(nameAt)
		}
		name := names[at+int(nameAt):][:end]
		at += size
		if name == "." || name == ".." || binary.NativeEndian.Uint64(rec) == 0 { // some file systems so tell what is gone
			continue
		}
		typ, known := typeOf(rec[typeAt])
		if !known {
			info, err := paths.Lstat(join(dir, name))
			if os.IsNotExist(err) {
				continue // it has gone
			}
			if err != nil {
				return list, err
			}
			typ = info.Mode().Type()
		}
		list = append(list, dirent{name: name, typ: typ})
	}
	return list, nil
}

// typeOf returns the type that a directory gives as t.
func typeOf(t byte) (typ fs.FileMode, known bool) {
	switch t {
	case syscall.DT_REG:
		return 0, true
	case syscall.DT_DIR:
		return fs.ModeDir, true
	case syscall.DT_LNK:
		return fs.ModeSymlink, true
	case syscall.DT_FIFO:
		return fs.ModeNamedPipe, true
	case syscall.DT_SOCK:
		return fs.ModeSocket, true
	case syscall.DT_CHR, syscall.DT_BLK:
		return fs.ModeDevice, true
	}
	return 0, false
}
