//go:build linux

package lzma

import (
	"bufio"
	stdbytes "bytes"
	"io"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"unsafe"

	library "github.com/ulikunitz/xz/lzma"
)

// guarded returns n bytes that end at a page without access. A page without access is in front of the page
// in which they begin.
func guarded(t *testing.T, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	size := (n + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err == nil {
		t.Cleanup(func() { _ = syscall.Munmap(b) })
		err = syscall.Mprotect(b[:page], syscall.PROT_NONE)
	}
	if err == nil {
		err = syscall.Mprotect(b[page+size:], syscall.PROT_NONE)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b[page+size-n:][:n:n]
}

// TestGuarded puts pages without access around the window, the probabilities and the input. Reading or writing
// them ends the process. The streams are damaged in many places.
func TestGuarded(t *testing.T) {
	page := os.Getpagesize()
	in := bufio.NewReaderSize(nil, page)
	buffer := (*[]byte)(unsafe.Pointer(in)) // the buffer is the first field of in
	if len(*buffer) != page || cap(*buffer) != page {
		t.Fatalf("a bufio.Reader does not begin with its buffer any more: %d bytes", len(*buffer))
	}
	*buffer = guarded(t, page)
	const ring = (block + slack + 15) &^ 15 // of the smallest dictionaries
	window := guarded(t, front+ring+room)
	rnd := rand.New(rand.NewPCG(4, 5))
	var text []byte
	for len(text) < 3*ring {
		switch n := 1 + rnd.IntN(300); {
		case rnd.IntN(4) > 0 && len(text) > n:
			back := 1 + rnd.IntN(min(len(text), 1<<(1+rnd.IntN(16))))
			for range n {
				text = append(text, text[len(text)-back])
			}
		default:
			for range n {
				text = append(text, byte(rnd.UintN(256)))
			}
		}
	}
	rounds := 40
	if long {
		rounds = 1000
	}
	for _, p := range []library.Properties{{LC: 3, PB: 2}, {LC: 0, LP: 4, PB: 4}} {
		var b stdbytes.Buffer
		w, err := library.WriterConfig{Properties: &p, DictCap: block, EOSMarker: true}.NewWriter(&b)
		if err == nil {
			_, err = w.Write(text)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		size := (atLiteral + 0x300<<(p.LC+p.LP))
		probs := unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(guarded(t, 2*size)))), size)
		for i := range rounds {
			data := stdbytes.Clone(b.Bytes()[13:])
			if i > 0 {
				data[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			}
			var r Reader
			r.probs, r.win.text = probs, window
			in.Reset(stdbytes.NewReader(data))
			r.Reset(in, Params{LC: p.LC, LP: p.LP, PB: p.PB, Dict: block, Size: -1})
			got, err := io.ReadAll(&r)
			if i == 0 && (err != nil || !stdbytes.Equal(got, text)) {
				t.Errorf("%+v: %d bytes, %v", p, len(got), err)
			}
			if unsafe.SliceData(r.win.text) != unsafe.SliceData(window) || unsafe.SliceData(r.probs) != unsafe.SliceData(probs) {
				t.Fatal("other memory was used")
			}
		}
	}
}
