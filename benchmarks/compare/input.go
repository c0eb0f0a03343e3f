package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// An input is a file of text. Files made from it have the same size in the tables, because speeds
// are in bytes of text.
type input struct {
	name, file string
	size       int64
	sum        uint32
	mailbox    bool // the file looks like a mailbox
}

// prepare measures the size of the input. It uses little memory because of [ownPeak].
func (in *input) prepare() error {
	f, err := os.Open(in.file)
	if err != nil {
		return err
	}
	defer f.Close()
	h := crc32.NewIEEE()
	in.size = 0
	var head [5]byte
	if n, _ := io.ReadFull(f, head[:]); n > 0 { // the copy below returns other errors
		h.Write(head[:n])
		in.size = int64(n)
	}
	// The struct hides methods with which the copy would choose its own buffer.
	n, err := io.CopyBuffer(h, struct{ io.Reader }{f}, make([]byte, 1<<16))
	if err != nil {
		return fmt.Errorf("%s: %w", in.file, err)
	}
	in.size += n
	if in.size == 0 {
		return fmt.Errorf("%s: empty", in.file)
	}
	in.sum = h.Sum32()
	in.mailbox = string(head[:]) == "From "
	return nil
}

func (in input) String() string {
	return fmt.Sprintf("%s: %.1f MB", in.name, float64(in.size)/1e6)
}

// as returns values of the flag --as: one for every input and, if the input is a mailbox, one more
// for that.
func (in input) as() []string {
	if in.mailbox {
		return []string{"plain", "auto"}
	}
	return []string{"plain"}
}

// sampled writes at most the first n bytes of the input to a new file, up to the last line end.
func (in input) sampled(tmp string, n int64) (input, error) {
	b := make([]byte, min(n, in.size)) // at most the size that a flag sets, 2 MB by default
	f, err := os.Open(in.file)
	if err != nil {
		return in, err
	}
	defer f.Close()
	if _, err := io.ReadFull(f, b); err != nil {
		return in, err
	}
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b = b[:i+1]
	}
	in.file, in.size = filepath.Join(tmp, "sample-"+in.name), int64(len(b))
	return in, os.WriteFile(in.file, b, 0o644)
}

// resized writes a file of size bytes: the beginning of the input, or the input
// repeated.
func (in input) resized(tmp string, size int64) (input, error) {
	to := filepath.Join(tmp, fmt.Sprintf("%s-%d", in.name, size))
	out, err := os.Create(to)
	if err != nil {
		return in, err
	}
	defer out.Close()
	for left := size; left > 0; { // each iteration copies something, or fails
		f, err := os.Open(in.file)
		if err != nil {
			return in, err
		}
		n, err := io.Copy(out, io.LimitReader(f, left))
		f.Close()
		if err != nil {
			return in, err
		}
		if left -= n; n == 0 {
			return in, fmt.Errorf("%s: became empty", in.file)
		}
	}
	in.file, in.size = to, size
	return in, out.Close()
}
