//go:build unix

package sequence

import (
	"syscall"
	"time"
)

// clock returns the processor time that this process has used. Tests of growth use it because
// elapsed time depends on the load of the machine.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
