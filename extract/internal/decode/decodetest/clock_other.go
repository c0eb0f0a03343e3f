//go:build !unix

package decodetest

import "time"

var began = time.Now()

// Clock returns the time since the tests began, where the processor's is not told.
func Clock() time.Duration { return time.Since(began) }
