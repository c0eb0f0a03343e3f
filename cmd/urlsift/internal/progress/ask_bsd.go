//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package progress

import (
	"os"
	"syscall"
)

// askSignals are the signals that request a line of progress. A terminal sends SIGINFO
// for ^T.
var askSignals = []os.Signal{syscall.SIGUSR1, syscall.SIGINFO}
