package xz

import (
	"bufio"
	"io"
)

// An input is what a Reader reads. It counts the bytes that were taken. If the file ends
// within the bytes that are requested, the error is [io.ErrUnexpectedEOF].
type input struct {
	*bufio.Reader
	n int64
	b [32]byte
}

// byte takes one byte.
func (in *input) byte() (byte, error) {
	b, err := in.ReadByte()
	if err != nil {
		return 0, noEOF(err)
	}
	in.n++
	return b, nil
}

// next takes n bytes, at most 32, which are valid until the next call.
func (in *input) next(n int) ([]byte, error) {
	k, err := io.ReadFull(in.Reader, in.b[:n])
	in.n += int64(k)
	return in.b[:k], noEOF(err)
}

// full fills p.
func (in *input) full(p []byte) error {
	n, err := io.ReadFull(in.Reader, p)
	in.n += int64(n)
	return noEOF(err)
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
