package extract

import (
	"sync"
	"sync/atomic"
)

// An interrupt ends work from another goroutine: at the next look at [interrupt.is],
// or at once where a way out of waiting was entered. The zero interrupt is ready.
type interrupt struct {
	done atomic.Bool
	mu   sync.Mutex
	wake func() // makes the call return that the worker waits in; or nil
}

// is reports whether the work is to end.
func (i *interrupt) is() bool { return i.done.Load() }

// enter says that the worker may wait until wake is called. wake must not wait.
func (i *interrupt) enter(wake func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.wake = wake
	if wake != nil && i.is() {
		wake()
	}
}

// leave says that it no longer does. Behind it, wake is not called.
func (i *interrupt) leave() { i.enter(nil) }

// end ends the work.
func (i *interrupt) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.done.Store(true)
	if i.wake != nil {
		i.wake()
	}
}
