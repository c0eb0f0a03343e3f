//go:build !unix

package sequence

import "time"

var began = time.Now()

// clock returns the time since the tests began, on systems that do not report processor time.
func clock() time.Duration { return time.Since(began) }
