package process

import (
	"fmt"
	"os"
	"runtime"
)

// With few descriptors. Go's runtime wants two when it first waits for a file or a time,
// and ends the program with a stack dump if it does not get them. A walk has a directory
// open, and a worker one more and a file. So a job asks first how many there are.
// ForRuntime is how many descriptors the runtime of Go takes.
const ForRuntime = 2

// What a job takes.
const (
	forOne    = 5 // with one worker
	perWorker = 4 // files read ahead included: see heldOpen of package extract
)

// Enough returns how many descriptors are free, at most want. If these are less than
// need, that is an error.
func Enough(need, want int) (free int, err error) {
	if free = freeDescriptors(want); free < need {
		err = fmt.Errorf("too few file descriptors: %d are free, and %d are needed (ulimit -n)", free, need)
	}
	return free, err
}

// Fewer returns how many workers there are descriptors for, at most as many as are asked
// for. The error says that there are too few for one.
func Fewer(workers int) (int, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	want := forOne + perWorker*workers
	free, err := Enough(forOne, want)
	if err != nil {
		return 0, err
	}
	// A pipe is waited for, and so the runtime takes its descriptors now, before files do.
	if r, w, err := os.Pipe(); err == nil {
		_, _ = r.Close(), w.Close()
	}
	if free < want {
		workers = max(1, (free-forOne)/perWorker)
	}
	return workers, nil
}
