//go:build unix

package uri_test

import (
	"syscall"
	"time"
)

// clock returns the processor time that this process has used. Tests of growth use it
// because it does not depend on the load of the machine.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
