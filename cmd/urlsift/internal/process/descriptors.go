// Package process has what the command needs of its process: the number of its file
// descriptors, and the signals that end it.
//
//	workers, err := process.Fewer(workers) // fewer if there are not enough descriptors
//	status := process.Attend(out, work)    // 0, or the exit status for a signal
package process

import (
	"fmt"
	"os"
	"runtime"
)

// The Go runtime needs two when it first waits for a file or a timer, and ends the program with a
// stack dump if it cannot get them. A walk has a directory open, and each worker has another
// directory and a file open. So a job first checks how many descriptors are free. ForRuntime is the
// number for the runtime.
const ForRuntime = 2

// The number of descriptors that a job needs.
const (
	forOne    = 5 // with one worker
	perWorker = 4 // with files that are prefetched: see system.MaxOpen
)

// Enough returns the number of free descriptors, at most want. If there are fewer than
// need, it returns an error.
func Enough(need, want int) (free int, err error) {
	if free = freeDescriptors(want); free < need {
		err = fmt.Errorf("too few file descriptors: %d are free, and %d are needed (ulimit -n)", free, need)
	}
	return free, err
}

// Fewer returns the number of workers for which there are enough descriptors, at most
// workers. If there are not enough for one worker, it returns an error.
func Fewer(workers int) (int, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	want := forOne + perWorker*workers
	free, err := Enough(forOne, want)
	if err != nil {
		return 0, err
	}
	// A pipe makes the runtime open its two descriptors now, before files use them.
	if r, w, err := os.Pipe(); err == nil {
		_, _ = r.Close(), w.Close()
	}
	if free < want {
		workers = max(1, (free-forOne)/perWorker)
	}
	return workers, nil
}
