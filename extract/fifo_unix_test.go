//go:build unix

package extract_test

import "syscall"

// makeFIFO makes a FIFO of that path.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }
