package decode

import (
	"bytes"
	"syscall"
	"testing"
)

// TestNewlinesAtPageEnd checks that the assembly kernel reads no byte outside of its argument,
// which begins after or ends before a page of memory without access.
func TestNewlinesAtPageEnd(t *testing.T) {
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	}()
	for _, shut := range [][]byte{m[:page], m[2*page:]} {
		if err := syscall.Mprotect(shut, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	open := m[page : 2*page]
	copy(open, bytes.Repeat([]byte("ab\ncdefg\n"), page/9+1))
	for n := range chunk + 1 {
		checkNewlines(t, open[:n])
		checkNewlines(t, open[page-n:])
	}
}
