// Command haystacks makes big inputs for the comparison from small ones, and also compresses,
// divides or encodes the big ones. See README.md.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("haystacks: ")
	dir := flag.String("o", "haystacks/data", "folder to write to")
	size := flag.String("size", "200MB", "least size of each haystack")
	what := flag.String("make", "", "make no haystack but, of each FILE that is one, these: gz, zst, members, bgzf, frames, spool, mbox, qp, base64; parted by commas")
	flag.Parse()
	if *what != "" {
		if err := derive(os.Stdout, *dir, *what, flag.Args()); err != nil {
			log.Fatal(err)
		}
		return
	}
	least, err := parseSize(*size)
	if err != nil {
		log.Fatal(err)
	}
	stacks, err := parseArgs(flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range stacks {
		n, sum, err := s.write(*dir, least)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\t%d bytes\tcrc32 %08x\n", filepath.Join(*dir, s.name), n, sum)
	}
}

// A stack is a haystack to make: its name and the files that it is made from.
type stack struct {
	name  string
	files []string
}

// parseArgs groups arguments into haystacks: NAME=FILE begins one, and each FILE after it is
// added to it.
func parseArgs(args []string) (stacks []stack, err error) {
	for _, a := range args {
		name, file, ok := strings.Cut(a, "=")
		switch {
		case ok:
			stacks = append(stacks, stack{name, []string{file}})
		case len(stacks) == 0:
			return nil, fmt.Errorf("%q has no NAME= before it", a)
		default:
			last := &stacks[len(stacks)-1]
			last.files = append(last.files, a)
		}
	}
	if len(stacks) == 0 {
		return nil, errors.New("nothing to make: want NAME=FILE")
	}
	return stacks, nil
}

// write makes the haystack and returns its length and checksum.
func (s stack) write(dir string, least int64) (n int64, sum uint32, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, 0, err
	}
	f, err := os.Create(filepath.Join(dir, s.name))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := crc32.NewIEEE()
	w := io.MultiWriter(f, h)

	// If an iteration adds nothing, the loop would never end, so it stops.
	for n < least {
		before := n
		for _, name := range s.files {
			m, err := appendFile(w, name)
			if n += m; err != nil {
				return n, 0, fmt.Errorf("%s: %w", name, err)
			}
		}
		if n == before {
			return n, 0, fmt.Errorf("%s: its files are empty", s.name)
		}
	}
	return n, h.Sum32(), nil
}

// appendFile writes the text of the named file to w. It decompresses the file if necessary.
func appendFile(w io.Writer, name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	magic, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return 0, err
	}
	switch {
	case strings.HasPrefix(string(magic), "\x1f\x8b"):
		z, err := gzip.NewReader(r)
		if err != nil {
			return 0, err
		}
		return io.Copy(w, z)
	case string(magic) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return 0, err
		}
		defer z.Close()
		return io.Copy(w, z)
	}
	return io.Copy(w, r)
}

// parseSize reads a number of bytes with an optional KB, MB or GB.
func parseSize(s string) (int64, error) {
	unit := int64(1)
	for i, u := range []string{"KB", "MB", "GB"} {
		if t, ok := strings.CutSuffix(s, u); ok {
			s = t
			for range i + 1 {
				unit *= 1000
			}
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("size %q is no number of bytes", s)
	}
	return n * unit, nil
}
