//go:build !unix

package files

import "time"

// waitReadable waits for most: package syscall cannot wait for a file here.
func waitReadable(_ int, most time.Duration) { time.Sleep(most) }
