package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// An input is a file, and its beginning for the tools that are too slow for
// the whole of it.
type input struct {
	name, file string
	size       int64
	sum        uint32

	sample     string // a file with the first lines
	sampleSize int64
}

// prepare measures the input and writes its sample: at most n bytes, cut at the
// last end of a line. It takes little memory on purpose; see [ownPeak].
func (in *input) prepare(tmp string, n int64) error {
	f, err := os.Open(in.file)
	if err != nil {
		return err
	}
	defer f.Close()
	in.sample = filepath.Join(tmp, "sample-"+in.name)
	sample, err := os.Create(in.sample)
	if err != nil {
		return err
	}
	defer sample.Close()

	h := crc32.NewIEEE()
	buf := make([]byte, 1<<16)
	in.size, in.sampleSize = 0, 0
	for {
		k, err := f.Read(buf)
		h.Write(buf[:k])
		if part := buf[:min(int64(k), max(0, n-in.size))]; len(part) > 0 {
			if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
				in.sampleSize = in.size + int64(i) + 1
			}
			if _, err := sample.Write(part); err != nil {
				return err
			}
		}
		in.size += int64(k)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", in.file, err)
		}
	}
	in.sum = h.Sum32()
	if in.sampleSize == 0 { // no line ends in it
		in.sampleSize = min(n, in.size)
	}
	return sample.Truncate(in.sampleSize)
}

// of returns the file that t is to read, and its size.
func (t tool) of(in input) (string, int64) {
	if t.slow {
		return in.sample, in.sampleSize
	}
	return in.file, in.size
}

// A count is what a tool found: lines of output, and those of them that begin
// with http: or https:, which is all that the peers look for.
type count struct{ all, web int64 }

// count runs t on the input once and counts its output.
func (t tool) count(in input) (c count, err error) {
	file, _ := t.of(in)
	cmd := t.command(file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return c, err
	}
	if err := cmd.Start(); err != nil {
		return c, err
	}
	if c, err = countLines(out); err != nil {
		return c, err
	}
	return c, finished(cmd.Wait())
}

// countLines reads r to its end, in memory that does not depend on it: where
// references are dense the output is as large as the input.
func countLines(r io.Reader) (c count, err error) {
	buf := make([]byte, 1<<16)
	var head [8]byte // of the current line
	k := 0
	for {
		n, err := r.Read(buf)
		for _, b := range buf[:n] {
			if b != '\n' {
				if k < len(head) {
					head[k], k = b|0x20, k+1 // ':' and '/' have the bit already
				}
				continue
			}
			c.all++
			if h := head[:k]; bytes.HasPrefix(h, []byte("http:")) || bytes.HasPrefix(h, []byte("https:")) {
				c.web++
			}
			k = 0
		}
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}

// A measure is one run.
type measure struct {
	wall, cpu time.Duration
	peak      int64 // bytes resident
}

// measure runs t on the input once. Output goes to /dev/zero: that discards it
// as /dev/null does, but grep knows the latter and would stop at the first
// match.
func (t tool) measure(in input) (m measure, err error) {
	file, _ := t.of(in)
	sink, err := os.OpenFile("/dev/zero", os.O_WRONLY, 0)
	if err != nil {
		return m, err
	}
	defer sink.Close()
	cmd := t.command(file)
	cmd.Stdout = sink
	start := time.Now()
	err = finished(cmd.Run())
	m.wall = time.Since(start)
	if err != nil {
		return m, err
	}
	s := cmd.ProcessState
	m.cpu = s.UserTime() + s.SystemTime()
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		m.peak = u.Maxrss << 10 // Linux counts in KiB
	}
	return m, nil
}

// ownPeak returns the peak of this program's resident memory, or 0 where the
// system does not tell. A child begins as a part of this program, so what it is
// told to have used is never less.
func ownPeak() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	var k int64
	fmt.Sscan(rest, &k) // 0 if there is no such line
	return k << 10
}

// finished forgives exit status 1, which says that nothing was found.
func finished(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}
