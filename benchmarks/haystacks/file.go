package main

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// asFile makes a file with a packer. The text passes through in pieces, and no packer keeps more
// than one in memory.
func asFile(open func(io.Writer) (io.WriteCloser, error)) func(string, io.Reader) error {
	return func(to string, from io.Reader) error {
		return create(to, func(w io.Writer) error {
			z, err := open(w)
			if err != nil {
				return err
			}
			if _, err := io.Copy(z, from); err != nil {
				return err
			}
			return z.Close()
		})
	}
}

// create makes a file, and calls write with a buffer to it.
func create(to string, write func(io.Writer) error) (err error) {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
