//go:build !unix

package decodetest

import "time"

var began = time.Now()

// Clock returns the time since the tests began, where processor time is not available.
func Clock() time.Duration { return time.Since(began) }
