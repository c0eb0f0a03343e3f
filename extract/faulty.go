package extract

import (
	"io"
	"iter"
	"runtime"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// What the caller gave may panic, or break the rules of an io.Reader. A source that
// does costs itself: that is an Error of it. A panic in a goroutine of a worker would end
// the program. A sequence of sources that panics, and a loop body, is the caller's: there
// the panic goes on in the caller's goroutine.

// caught sets *err if there is a panic. It is to be deferred.
func caught(err *error) {
	if v := recover(); v != nil {
		*err = &damage.PanicError{Value: v}
	}
}

// openSource calls open.
func openSource(open func() (io.ReadCloser, error)) (r io.ReadCloser, err error) {
	defer caught(&err)
	return open()
}

// closeSource closes r, of which nothing was written. What it returns is a panic or nil.
func closeSource(r io.Closer) (err error) {
	defer caught(&err)
	_ = r.Close()
	return nil
}

// A lister is the goroutine that ranges over sources.
type lister struct {
	done   bool // the sequence has returned
	closed bool // it was told to
	value  any  // of the panic that ended it
}

// each gives sources to take, as gather does, and notes how that ended.
func (l *lister) each(sources iter.Seq[Source], take func([]Source) bool) {
	defer func() {
		if !l.done {
			l.value = recover()
		}
	}()
	gather(sources, func(some []Source) bool {
		l.closed = !take(some)
		return !l.closed
	})
	l.done = true
}

// passOn ends the caller's goroutine as the sequence ended its own. A caller that left
// the loop before has no part in what was ahead of it, as with one worker.
func (l *lister) passOn(left bool) {
	switch {
	case l.done, left && !l.closed:
	case l.value != nil:
		panic(l.value)
	default: // a test that failed
		runtime.Goexit()
	}
}
