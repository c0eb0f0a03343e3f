package uri_test

import (
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// TestHeadAtPageEnd puts texts at the beginning and the end of a page between two pages
// that cannot be read, so that a read outside the text crashes the test.
func TestHeadAtPageEnd(t *testing.T) {
	withKernel(t)
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
	for n := 16; n < 200; n++ {
		text := "http://" + strings.Repeat("a/", 100)[:n-7]
		for _, b := range [][]byte{m[page:][:n], m[2*page-n:][:n]} {
			copy(b, text)
			checkHead(t, unsafe.String(&b[0], n), len("http://"))
		}
	}
}
