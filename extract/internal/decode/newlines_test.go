package decode

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowNewlines is the twin of newlines.
func slowNewlines(b []byte, off int64) (starts []int64) {
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, off+int64(i)+1)
		}
	}
	return starts
}

func checkNewlines(t *testing.T, b []byte) {
	t.Helper()
	defer func(was bool) { hasAVX2 = was }(hasAVX2)
	const off = 1 << 40
	want := slowNewlines(b, off)
	for _, kernel := range []bool{hasAVX2, false} {
		hasAVX2 = kernel
		out := make([]int64, len(b)+spare)
		if got := out[:newlines(b, off, out)]; !slices.Equal(got, want) {
			t.Fatalf("kernel %v: %q\n got %v\nwant %v", kernel, b, got, want)
		}
	}
}

func TestNewlines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	room := make([]byte, chunk+64)
	for _, every := range []int{1, 2, 3, 8, 17, 60, 500} {
		for range 300 {
			from := r.IntN(64)
			b := room[from : from+r.IntN(chunk+1)]
			for i := range b {
				b[i] = "\r\x0b\x8a\x00a\t"[r.IntN(6)]
				if r.IntN(every) == 0 {
					b[i] = '\n'
				}
			}
			checkNewlines(t, b)
		}
	}
	checkNewlines(t, bytes.Repeat([]byte{'\n'}, chunk))
}

func FuzzNewlines(f *testing.F) {
	f.Add([]byte("a\n\nb"))
	f.Add(bytes.Repeat([]byte{'\n'}, chunk))
	f.Add(bytes.Repeat([]byte("seven b\n"), chunk/8))
	f.Fuzz(func(t *testing.T, b []byte) { checkNewlines(t, b[:min(len(b), chunk)]) })
}

// TestLinesWithoutKernel runs the tests of Lines without the assembly kernel.
func TestLinesWithoutKernel(t *testing.T) {
	defer func(was bool) { hasAVX2 = was }(hasAVX2)
	raw := bytes.Repeat([]byte("one\n\ntwo lines\r\n of different length, and one that is longer than a block of the kernel is\n"), 50)
	for _, has := range []bool{hasAVX2, false} {
		hasAVX2 = has
		l := NewLines(bytes.NewReader(raw), []byte("\n"))
		buf := make([]byte, 777)
		for {
			if _, err := l.Read(buf); err != nil {
				break
			}
		}
		for off := range len(raw) {
			line, column, ok := l.Position(int64(off))
			wantLine := int64(bytes.Count(raw[:off], []byte("\n")) + 1)
			wantColumn := int64(off - bytes.LastIndexByte(raw[:off], '\n'))
			if line != wantLine || column != wantColumn || !ok {
				t.Fatalf("kernel %v: %d is %d:%d, %v, want %d:%d", has, off, line, column, ok, wantLine, wantColumn)
			}
		}
	}
}
