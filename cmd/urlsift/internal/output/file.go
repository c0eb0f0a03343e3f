package output

import (
	"errors"
	"io/fs"
	"os"
)

// Create opens the file at path for results, and makes it empty. "-" is standard output.
// inputs are files that are read: if one of them is that file, nothing is changed and the
// error says so.
func Create(path string, inputs []string) (*os.File, error) {
	if path == "-" {
		return os.Stdout, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, bare(err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() { // another, as a pipe, has nothing to lose
		if err = apart(info, inputs); err == nil {
			err = f.Truncate(0)
		}
	}
	if err != nil {
		f.Close()
		return nil, bare(err)
	}
	return f, nil
}

// apart returns an error if one of inputs is the file of info.
func apart(info fs.FileInfo, inputs []string) error {
	for _, name := range inputs {
		in, err := os.Stat(name)
		if name == "-" {
			in, err = os.Stdin.Stat()
		}
		if err == nil && os.SameFile(info, in) {
			return errors.New("is read too")
		}
	}
	return nil
}

// bare returns err without the name of the file.
func bare(err error) error { return errors.New(Cause(err)) }
