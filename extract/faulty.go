package extract

import (
	"fmt"
	"io"
	"iter"
	"runtime"
)

// What the caller gave may panic, or break the rules of an io.Reader. A source that
// does costs itself: that is an Error of it. A panic in a goroutine of a worker would end
// the program. A sequence of sources that panics, and a loop body, is the caller's: there
// the panic goes on in the caller's goroutine.

// A panicError is what a library, or a source, gave up with.
type panicError struct{ value any }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// Unwrap returns the value if that is an error.
func (e *panicError) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

// caught sets *err if there is a panic. It is to be deferred.
func caught(err *error) {
	if v := recover(); v != nil {
		*err = &panicError{v}
	}
}

// openSource calls open.
func openSource(open func() (io.ReadCloser, error)) (r io.ReadCloser, err error) {
	defer caught(&err)
	return open()
}

// readSource reads from r, and makes an error of a count that cannot be.
func readSource(r io.Reader, p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, &panicError{v}
		}
	}()
	if n, err = r.Read(p); n < 0 || n > len(p) {
		return 0, plainError(fmt.Sprintf("Read of %d bytes returned %d", len(p), n))
	}
	return n, err
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
