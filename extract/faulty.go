package extract

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Code of the caller may panic, or break the rules of io.Reader. If a source does, that
// is an Error of this source; a panic in a worker's goroutine would end the program. If a
// sequence of sources or a loop body panics, the panic continues in the caller's
// goroutine.

// caught sets *err if there is a panic. It is for defer.
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

// closeSource closes r, which was only read. It returns an error only for a panic.
func closeSource(r io.Closer) (err error) {
	defer caught(&err)
	_ = r.Close()
	return nil
}
