//go:build unix

package xz

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	old "github.com/ulikunitz/xz"
)

// BenchmarkFiles compares with the other library and with xz(1) on the files that URLSIFT_FILES names, separated by
// colons, compressed by xz -6 and -9e. They take turns. It prints for each the MB of text per second of processor
// time, the best of 7 runs:
//
//	URLSIFT_FILES=access.log:prose.txt go test -run '^$' -bench Files -benchtime 1x
func BenchmarkFiles(b *testing.B) {
	files := filepath.SplitList(os.Getenv("URLSIFT_FILES"))
	if len(files) == 0 {
		b.Skip("URLSIFT_FILES names no files")
	}
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	used := func(who int) time.Duration {
		var u syscall.Rusage
		check(syscall.Getrusage(who, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for _, name := range files {
		for _, level := range []string{"-6", "-9e"} {
			data, err := exec.Command("xz", "-T1", "-c", level, name).Output()
			check(err)
			packed := filepath.Join(b.TempDir(), "packed.xz")
			check(os.WriteFile(packed, data, 0o600))
			in, p := func() *bufio.Reader { return bufio.NewReaderSize(bytes.NewReader(data), 64<<10) }, make([]byte, 128<<10)
			var size int64
			ways := []struct {
				name string
				who  int
				run  func() error
			}{
				{"xz.Reader", syscall.RUSAGE_SELF, func() (err error) {
					r := &Reader{MaxDict: 1 << 30}
					r.Reset(in())
					size, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, p)
					return err
				}},
				{"ulikunitz", syscall.RUSAGE_SELF, func() error {
					r, err := old.NewReader(in())
					if err == nil {
						_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, p)
					}
					return err
				}},
				{"xz -T1 -dc", syscall.RUSAGE_CHILDREN, func() error { return exec.Command("xz", "-T1", "-dc", packed).Run() }},
			}
			best := make([]time.Duration, len(ways))
			for range 7 {
				for i, w := range ways {
					start := used(w.who)
					check(w.run())
					if took := used(w.who) - start; best[i] == 0 || took < best[i] {
						best[i] = took
					}
				}
			}
			line := fmt.Sprintf("%-12s %3s", filepath.Base(name), level)
			for i, w := range ways {
				line += fmt.Sprintf("  %s %.0f", w.name, float64(size)/1e6/best[i].Seconds())
			}
			fmt.Println(line)
		}
	}
}
