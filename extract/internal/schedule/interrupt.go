package schedule

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// An Interrupt ends work from another goroutine: at the next call of [Interrupt.Is], or at
// once where a way out of waiting was entered. The zero Interrupt is ready.
type Interrupt struct {
	done atomic.Bool
	mu   sync.Mutex
	wake func() // makes the call return that the worker waits in; or nil
}

// Is reports whether the work should end.
func (i *Interrupt) Is() bool { return i.done.Load() }

// Enter says that the worker may wait until wake is called. wake must not wait.
func (i *Interrupt) Enter(wake func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.wake = wake
	if wake != nil && i.Is() {
		wake()
	}
}

// Leave says that the worker no longer waits. After it, wake is not called.
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

// EndWith ends the work of stop when ctx ends. What it returns is called when the work
// has ended.
func EndWith(ctx context.Context, stop ...*Interrupt) (release func()) {
	over, done := make(chan struct{}), make(chan struct{})
	undo := context.AfterFunc(ctx, func() {
		defer close(done)
		for {
			for _, s := range stop {
				s.End()
			}
			// Once is enough, except for a worker that was just about to wait, in the
			// system, for the writer of a FIFO.
			select {
			case <-over:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() {
		close(over)
		if !undo() {
			<-done
		}
	}
}
