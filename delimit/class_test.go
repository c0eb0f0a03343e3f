package delimit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// checkClass compares what prefix says of b with what its twin does.
func checkClass(t *testing.T, k *class, b []byte) {
	t.Helper()
	if got, want := k.prefix(b), k.slowPrefix(b); got != want {
		t.Fatalf("%q: %d, want %d", b, got, want)
	}
}

// TestClassOf asks every byte, of some classes and of random ones.
func TestClassOf(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	random := func(byte) bool { return r.IntN(2) == 0 }
	for _, is := range []func(byte) bool{
		func(byte) bool { return false }, func(byte) bool { return true },
		func(c byte) bool { return !roles[c].has(halts) }, random, random, random,
	} {
		var in [256]bool
		k := classOf(func(c byte) bool { in[c] = is(c); return in[c] })
		for c := range 256 {
			for _, n := range []int{1, 31, 32, 33, 100} {
				b := bytes.Repeat([]byte{byte(c)}, n)
				want := 0
				if in[c] {
					want = n
				}
				if got := k.prefix(b); got != want {
					t.Fatalf("%d times %q: %d, want %d", n, c, got, want)
				}
				checkClass(t, k, b)
			}
		}
	}
}

// TestClassPrefix has one byte that is not in the class at each place of texts of
// all small lengths, and then none.
func TestClassPrefix(t *testing.T) {
	k := classOf(func(c byte) bool { return !roles[c].has(halts) })
	memory := bytes.Repeat([]byte{' '}, 400)
	for n := range 140 {
		b := memory[n%67:][:n:n]
		for i := range b {
			b[i] = "az09/._~"[i%8]
		}
		checkClass(t, k, b)
		for i := range b {
			c := b[i]
			b[i] = "> \xC3\x00\\"[i%5]
			checkClass(t, k, b)
			b[i] = c
		}
		for i := range b {
			b[i] = ' '
		}
	}
}

// FuzzClass compares prefix with its twin, for the class of the bytes in set.
func FuzzClass(f *testing.F) {
	f.Add([]byte("abc/."), []byte("a/b.c d"))
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz"), bytes.Repeat([]byte("abcxyz"), 20))
	f.Add([]byte("\x00\x7f:"), []byte("\x00\x7f:\x80"))
	f.Fuzz(func(t *testing.T, set, text []byte) {
		k := classOf(func(c byte) bool { return bytes.IndexByte(set, c) >= 0 })
		for i := range min(len(text), 40) {
			checkClass(t, k, text[i:])
		}
	})
}

func BenchmarkClassPrefix(b *testing.B) {
	k := classOf(func(c byte) bool { return !roles[c].has(halts) })
	for name, f := range map[string]func([]byte) int{"kernel": k.prefix, "twin": k.slowPrefix} {
		for _, n := range []int{8, 24, 50, 80} {
			text := append(bytes.Repeat([]byte("a"), n), "\" 200 1234 and what follows it in the window"...)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f(text)
				}
			})
		}
	}
}
