//go:build !unix

package uri_test

import "time"

var began = time.Now()

// clock returns the time since the tests began. This system has no processor time.
func clock() time.Duration { return time.Since(began) }
