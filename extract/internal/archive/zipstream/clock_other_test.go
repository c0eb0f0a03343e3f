//go:build !unix

package zipstream

import "time"

var began = time.Now()

// clock returns the time since the tests began, where the processor's is not told.
func clock() time.Duration { return time.Since(began) }
