package delimit

import (
	"math/rand/v2"
	"syscall"
	"testing"
)

// TestKernelsAtPageEnd puts texts at the beginning and the end of a page between two
// that cannot be read: whatever is looked at outside ends the test.
func TestKernelsAtPageEnd(t *testing.T) {
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
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 400 {
		text := randomColons(r, n)
		for _, b := range [][]byte{m[page:][:len(text)], m[2*page-len(text):][:len(text)]} {
			copy(b, text)
			checkKernels(t, b)
			for i := range min(len(b), 70) {
				checkStride(t, b, i, stopBare)
				checkStride(t, b[:len(b)-i], 0, stopWrapped)
			}
		}
	}
}
