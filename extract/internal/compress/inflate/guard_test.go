//go:build linux

package inflate

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n bytes of whole memory pages, between two pages without access.
func guarded(t *testing.T, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	b, err := syscall.Mmap(-1, 0, n+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	check(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	check(t, syscall.Mprotect(b[:page], syscall.PROT_NONE))
	check(t, syscall.Mprotect(b[page+n:], syscall.PROT_NONE))
	return b[page : page+n]
}

// TestGuarded puts pages without access after the window, and in front of and after the input.
// Reading or writing them ends the process. The input is one page at a time.
func TestGuarded(t *testing.T) {
	page := os.Getpagesize()
	size := int(unsafe.Sizeof(Reader{}))
	pages := (size + page - 1) / page * page
	d := (*Reader)(unsafe.Pointer(&guarded(t, pages)[pages-size]))
	if end := int(unsafe.Offsetof(d.dec)+unsafe.Offsetof(d.dec.win)+unsafe.Offsetof(d.dec.win.text)) + winSize; size-end >= 8 {
		t.Fatalf("the window ends %d bytes before the Reader", size-end)
	}
	in := bufio.NewReaderSize(nil, page)
	buffer := (*[]byte)(unsafe.Pointer(in)) // the buffer is the first field of in
	if len(*buffer) != page || cap(*buffer) != page {
		t.Fatalf("a bufio.Reader does not begin with its buffer any more: %d bytes", len(*buffer))
	}
	*buffer = guarded(t, page)
	rounds := 5
	if long {
		rounds = 100
	}
	rnd := rand.New(rand.NewPCG(4, 5))
	text := append(sample(200_000), bytes.Repeat([]byte("ab"), 200_000)...)
	for _, level := range []int{-2, 0, 1, 6, 9} {
		whole := deflate(t, text, level)
		for i := range rounds {
			data := bytes.Clone(whole)
			if i > 0 {
				data[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			}
			want, _, _ := reference(data)
			in.Reset(bytes.NewReader(data))
			d.Reset(in)
			if got, err := io.ReadAll(d); !bytes.HasPrefix(got, want) || i == 0 && (err != nil || len(got) != len(text)) {
				t.Errorf("level %d, round %d: %d bytes, %v; want %d", level, i, len(got), err, len(want))
			}
		}
	}
	// Matches of 258 bytes at all distances fill the whole window.
	w := new(bitWriter)
	for i := range 2 * window / 258 {
		w.put(0, 1).put(1, 2)
		for range 3 + i%7 {
			w.put(uint64(reverse(0x30+'x', 8)), 8)
		}
		w.put(uint64(reverse(0xc5, 8)), 8).put(uint64(reverse(uint(i%4), 5)), 5) // 258 bytes, a distance up to 4
		w.put(0, 7)
	}
	data := w.put(1, 1).put(1, 2).put(0, 7).bytes()
	want, _, err := reference(data)
	if err != io.EOF {
		t.Fatal(err)
	}
	in.Reset(bytes.NewReader(data))
	d.Reset(in)
	if got, err := io.ReadAll(d); !bytes.Equal(got, want) || err != nil {
		t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
	}
	_ = d.in.err // the garbage collector does not know d, so keep alive what d refers to
}
