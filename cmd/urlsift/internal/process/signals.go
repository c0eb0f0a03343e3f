package process

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

// grace is how long the work may take to stop when a signal ends the run. A goroutine
// that waits for input may be impossible to stop; it is abandoned.
const grace = 500 * time.Millisecond

// sameSignal is how long after the first signal another one has no effect. Several processes may
// report one event: timeout(1) sends its signal to the command and to the whole group, and if a
// terminal is closed, both the kernel and the shell send SIGHUP.
const sameSignal = 100 * time.Millisecond

// endSignals end a run.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// signaled returns the exit status of a run that sig ended: the one that a shell reports
// for a command killed by this signal.
func signaled(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 130
}

// Attend runs work, which writes to out. It returns 0 if work has ended by itself,
// otherwise the exit status for the signal that ended it. The first signal ends ctx. After
// sameSignal, signals have their default effect again, so a second one ends the command at once. A
// signal that is ignored when the command starts stays ignored: nohup, and shells for
// background commands, depend on that. SIGPIPE is not one of these signals: writing to a
// pipe without a reader returns an error.
func Attend(out *output.Output, work func(ctx context.Context)) (status int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	came := make(chan os.Signal, 1)
	for _, sig := range endSignals {
		if !signal.Ignored(sig) {
			signal.Notify(came, sig)
		}
	}
	output.IgnorePipe()

	// The work runs in a goroutine because it may wait for input that never comes, and
	// the first signal must still end the command.
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	select {
	case <-done:
		signal.Stop(came)
		return 0
	case sig := <-came:
		time.AfterFunc(sameSignal, func() { signal.Stop(came) })
		cancel()
		select {
		case <-done:
		case <-time.After(grace):
			out.Abandon()
		}
		return signaled(sig)
	}
}
