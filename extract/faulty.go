package extract

import (
	"io"

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
