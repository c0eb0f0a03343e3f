package delimit

import (
	"bytes"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
)

// TestKernelsAtPageEnd puts texts at the beginning and the end of a page, between two pages that
// cannot be read. A read outside the text crashes the test.
func TestKernelsAtPageEnd(t *testing.T) {
	m := openPages(t, 1)
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 400 {
		text := randomColons(r, n)
		for _, b := range [][]byte{m[:len(text)], m[len(m)-len(text):]} {
			copy(b, text)
			checkKernels(t, b)
			checkLines(t, b)
			for i := range min(len(b), 70) {
				checkScanUntil(t, b, i, stopBare)
				checkScanUntil(t, b[:len(b)-i], 0, stopWrapped)
			}
		}
	}
}

// openPages returns n pages of memory, between two pages that cannot be read.
func openPages(t *testing.T, n int) []byte {
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, (n+2)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	for _, shut := range [][]byte{m[:page], m[len(m)-page:]} {
		if err := syscall.Mprotect(shut, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	return m[page : len(m)-page]
}

// TestResetBytesReadOnly scans texts in read-only memory, up to its last byte.
func TestResetBytesReadOnly(t *testing.T) {
	m := openPages(t, 8)
	r := rand.New(rand.NewPCG(6, 5))
	s := NewScanner(nil, Options{Extras: Abbreviated | Defanged | Rejoin | Address})
	for _, fill := range []func() string{
		func() string { return randomText(r, 20000) },
		func() string { return string(randomColons(r, len(m))) },
		func() string { return allForms },
	} {
		if err := syscall.Mprotect(m, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			t.Skip(err)
		}
		all := fill()
		all = all[:min(len(all), len(m))]
		text := m[len(m)-len(all):]
		copy(text, all)
		if err := syscall.Mprotect(m, syscall.PROT_READ); err != nil {
			t.Skip(err)
		}
		s.ResetBytes(text)
		got, err := collect(s)
		if err != io.EOF {
			t.Fatal(err)
		}
		if d := differ(got, scan(t, bytes.NewReader(text), s.find.opts)); d != "" {
			t.Error(d)
		}
	}
}
