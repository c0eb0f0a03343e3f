package output

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Create opens the file at path for results, and truncates it. "-" is standard output. inputs are
// the files to read: if one of them is the file at path, that file is not changed, and there is an
// error. The error begins with path.
func Create(path string, inputs []string) (*os.File, error) {
	if path == "-" {
		return os.Stdout, nil
	}
	return open(path, inputs, func(f *os.File, _ fs.FileInfo) error { return f.Truncate(0) })
}

// Continue opens the file at path for more results, and does not empty it. keep returns how many
// bytes are kept of the file with this device, inode and size, or an error if nothing can be added
// to it. If what is kept does not end with the byte end, as after a run that was killed within a
// record, Continue adds it, so that the next record is not joined to the last one. Otherwise it is
// like Create.
func Continue(path string, inputs []string, end byte, keep func(device, inode uint64, size int64) (int64, error)) (*os.File, error) {
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

// open opens the file at path for writing. If it is a regular file, and none of inputs, prepare
// removes from it what is not kept. Other files, such as pipes, have no content to lose.
func open(path string, inputs []string, prepare func(f *os.File, info fs.FileInfo) error) (*os.File, error) {
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
	return f, nil
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
