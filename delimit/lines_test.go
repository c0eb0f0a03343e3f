package delimit

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// checkLines compares the marks for the newlines in b with those found byte by byte. b has at most
// the size of a piece.
func checkLines(t *testing.T, b []byte) {
	t.Helper()
	b = b[:min(len(b), pieceLen)]
	var l lineBlocks
	for i := range l { // old marks of another piece must be ignored
		l[i] = lineBlock{Mask: ^uint64(0), Before: ^uint32(0), Start: ^uint32(0)}
	}
	l.markNewlines(b)
	for i := range len(b) {
		want, wantStart := bytes.Count(b[:i], newline), bytes.LastIndexByte(b[:i], '\n')+1
		if n, start := l.of(i); n != want || start != wantStart {
			t.Fatalf("%q: before byte %d are %d lines, and its own begins at %d; want %d, %d", b, i, n, start, want, wantStart)
		}
	}
}

// TestLines marks newlines in pieces of many lengths, with few and many newlines.
func TestLines(t *testing.T) {
	if !hasAVX2 {
		t.Skip("there are no kernels")
	}
	r := rand.New(rand.NewPCG(11, 12))
	check := func(n, rare int) {
		b := make([]byte, n)
		for i := range b {
			if b[i] = 'a'; r.IntN(rare) == 0 {
				b[i] = '\n'
			}
		}
		checkLines(t, b)
	}
	for n := range 300 {
		for rare := 1; rare < 500; rare *= 3 {
			check(n, rare)
		}
	}
	for n := pieceLen - 70; n <= pieceLen; n += 23 {
		check(n, 100)
	}
	check(pieceLen, 100)
	check(pieceLen, 20000)
}
