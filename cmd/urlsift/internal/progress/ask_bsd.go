//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package progress

import (
	"os"
	"syscall"
)

// askSignals are those that ask for a line of progress; a terminal sends SIGINFO
// when ^T is typed.
var askSignals = []os.Signal{syscall.SIGUSR1, syscall.SIGINFO}
