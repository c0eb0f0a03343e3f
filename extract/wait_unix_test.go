//go:build unix

package extract_test

import (
	"errors"
	"io"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// TestNonblockingRead reads a pipe that another program has made non-blocking, through os.File and
// through SmallFile. Nothing may be lost, and there is no error. A run whose loop is left must end
// although no data arrives.
func TestNonblockingRead(t *testing.T) {
	for _, small := range []bool{false, true} {
		for _, workers := range []int{1, 3} {
			var fds [2]int
			must(t, syscall.Pipe(fds[:]))
			file := os.NewFile(uintptr(fds[0]), "pipe") // os.NewFile sees a blocking pipe
			must(t, syscall.SetNonblock(fds[0], true))
			if _, err := file.Read(make([]byte, 1)); !errors.Is(err, syscall.EAGAIN) {
				t.Fatal(err)
			}
			var r io.ReadCloser = file
			if small {
				fd, err := syscall.Dup(fds[0])
				must(t, err)
				r = extract.SmallFile(fd)
			}
			w := os.NewFile(uintptr(fds[1]), "pipe")
			next := make(chan bool, 1)
			next <- true
			go func() {
				for i := range 3 {
					<-next
					time.Sleep(30 * time.Millisecond)
					_, _ = w.Write(sample(i + 1))
				}
			}()
			x := extractor(t, extract.Options{Workers: workers})
			found := 0
			for _, err := range x.Run(t.Context(), slices.Values([]extract.Source{{Name: "a", Size: -1, Open: func() (io.ReadCloser, error) { return r, nil }}})) {
				must(t, err)
				switch found++; found {
				case 1, 3:
					next <- true
				}
				if found == 5 && workers > 1 {
					break // the worker waits for data that does not arrive
				}
				if found == 6 {
					w.Close()
				}
			}
			if found < 5 || workers == 1 && found != 6 {
				t.Errorf("small is %v, %d workers: %d are found", small, workers, found)
			}
			_ = file.Close()
			_ = w.Close()
		}
	}
}
