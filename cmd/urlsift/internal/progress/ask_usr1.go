//go:build unix && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package progress

import (
	"os"
	"syscall"
)

// askSignals are the signals that request a line of progress.
var askSignals = []os.Signal{syscall.SIGUSR1}
