package uri_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// checkHead compares the kernel with PlainHead, and Split with and without the kernel.
func checkHead(t *testing.T, s string, lo int) {
	t.Helper()
	at, path, marks := uri.HeadMarks(s, lo)
	if wantAt, wantPath, want := uri.PlainHead(s, lo); at != wantAt || path != wantPath || marks != want {
		t.Fatalf("%q from %d: %d, %d, %b; want %d, %d, %b", s, lo, at, path, marks, wantAt, wantPath, want)
	}
	p := uri.Split(s)
	uri.ByKernel(false)
	q := uri.Split(s)
	uri.ByKernel(true)
	if p != q {
		t.Fatalf("%q: %v with the kernel, %v without", s, p, q)
	}
}

// withKernel skips the test if there is no kernel for the processor.
func withKernel(t *testing.T) {
	t.Helper()
	if was := uri.ByKernel(true); !was {
		uri.ByKernel(false)
		t.Skip("there is no kernel")
	}
}

// TestHeadBytes puts each byte at each place of texts of all lengths, up to 16 bytes more
// than the kernel scans.
func TestHeadBytes(t *testing.T) {
	withKernel(t)
	for n := 16; n <= 80; n++ {
		if !long && n%3 > 0 {
			continue
		}
		for _, start := range []string{"http://", "https://"} {
			text := []byte(start + strings.Repeat("a", n-len(start)))
			for at := len(start) + 1; at < n; at++ {
				for b := range 256 {
					text[at] = byte(b)
					checkHead(t, string(text), len(start))
				}
				text[at] = 'a'
			}
		}
	}
}

// TestHeadRandom is TestHeadBytes for texts with many slashes.
func TestHeadRandom(t *testing.T) {
	withKernel(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		text := []byte("http://a")
		for range 8 + r.IntN(80) {
			text = append(text, "aZ09-._//////////////a/a/b?#%:@\x80"[r.IntN(32-r.IntN(14))])
		}
		checkHead(t, string(text), len("http://"))
	}
}
