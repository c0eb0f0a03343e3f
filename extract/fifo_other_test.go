//go:build !unix

package extract_test

import "errors"

// makeFIFO returns an error: this system has no FIFOs in folders.
func makeFIFO(string) error { return errors.ErrUnsupported }
