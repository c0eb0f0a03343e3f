package delimit

import (
	"syscall"
	"testing"
)

// TestStridePage walks in texts behind which no memory is to be read.
func TestStridePage(t *testing.T) {
	size := syscall.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(b)
	if err := syscall.Mprotect(b[size:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	for n := range 100 {
		text := b[size-n : size]
		for i := range text {
			text[i] = 'a'
		}
		for from := range n {
			checkStride(t, text, from, stopWrapped)
		}
		if n > 0 {
			text[n-1] = '>'
			checkStride(t, text, 0, stopBare)
		}
	}
}
