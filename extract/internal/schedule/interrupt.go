package schedule

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// An Interrupt lets another goroutine end a worker's work. The worker notices at its next
// call of [Interrupt.Is], or at once if it waits in a call that [Interrupt.Enter]
// announced. The zero Interrupt is ready to use.
type Interrupt struct {
	done atomic.Bool
	mu   sync.Mutex
	wake func() // makes the call return in which the worker waits; or nil
}

// Is reports whether the work should end.
func (i *Interrupt) Is() bool { return i.done.Load() }

// Enter announces that the worker is about to make a call that may wait, and that wake ends that
// wait. wake itself must not wait.
func (i *Interrupt) Enter(wake func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.wake = wake
	if wake != nil && i.Is() {
		wake()
	}
}

// Leave announces that the call has returned. wake is not called after that.
func (i *Interrupt) Leave() { i.Enter(nil) }

// End ends the work.
func (i *Interrupt) End() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.done.Store(true)
	if i.wake != nil {
		i.wake()
	}
}

// EndWith ends the work of each stop when ctx ends. The caller calls release when the
// work is finished.
func EndWith(ctx context.Context, stop ...*Interrupt) (release func()) {
	if ctx.Err() != nil { // AfterFunc does not wait, and a result could come first
		for _, s := range stop {
			s.End()
		}
	}
	released, done := make(chan struct{}), make(chan struct{})
	undo := context.AfterFunc(ctx, func() {
		defer close(done)
		for {
			for _, s := range stop {
				s.End()
			}
			// wake is repeated, because it has no effect on a worker that is just about to wait in
			// the kernel for the writer of a FIFO.
			select {
			case <-released:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() {
		close(released)
		if !undo() {
			<-done
		}
	}
}
