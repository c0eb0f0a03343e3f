package digest

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// noise returns n bytes in which no two blocks are equal.
func noise(seed uint64, n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(seed)})
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

// TestDigest stores and continues digests of streams of many lengths. It compares them with the
// same stream and with streams that differ.
func TestDigest(t *testing.T) {
	all := noise(1, 9<<20)
	pick := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 10, 4095, 4096, 4097, 65536, 70000, 1 << 20, 4<<20 + 100, 8<<20 + 5} {
		var d Digest
		for at := 0; at < n; {
			k := min(n-at, 1+pick.IntN(100000))
			if pick.IntN(3) == 0 {
				k = min(n-at, 1+pick.IntN(50))
			}
			_, _ = d.Write(all[at : at+k])
			if at += k; pick.IntN(4) == 0 { // store and parse the digest, like a later run
				b := append(d.Append(nil), "rest"...)
				again, rest, err := Parse(b)
				if err != nil || string(rest) != "rest" {
					t.Fatalf("%d bytes: Parse: %v, rest %q", at, err, rest)
				}
				if !again.Sampled(bytes.NewReader(all)) {
					t.Fatalf("%d of %d bytes: the stream does not have its own samples", at, n)
				}
				d = again
			}
		}
		whole := Digest{}
		_, _ = whole.Write(all[:n])
		if d.Len() != int64(n) || d.Sum() != whole.Sum() {
			t.Errorf("%d bytes in pieces: length %d, another sum", n, d.Len())
		}
		if ok, err := d.Begins(bytes.NewReader(all)); !ok || err != nil {
			t.Errorf("%d bytes: Begins = %t, %v for the same stream", n, ok, err)
		}
		if n == 0 {
			continue
		}
		for _, at := range []int{0, n / 2, n - 1} {
			other := bytes.Clone(all)
			other[at] ^= 1
			if ok, _ := d.Begins(bytes.NewReader(other)); ok {
				t.Errorf("%d bytes: Begins takes a stream that differs at %d", n, at)
			}
			if at != n/2 && d.Sampled(bytes.NewReader(other)) && (at >= n-4096 || at < 4096) {
				t.Errorf("%d bytes: Sampled takes a stream that differs at %d", n, at)
			}
		}
		if d.Sampled(bytes.NewReader(all[:n-1])) {
			t.Errorf("%d bytes: Sampled takes a stream of %d", n, n-1)
		}
	}
}

// TestReread adds the end of a stream a second time, and then continues.
func TestReread(t *testing.T) {
	all := noise(3, 200000)
	var d, want Digest
	_, _ = d.Write(all[:100000])
	d.Reread(60000, all[60000:90000])
	d.Reread(90000, all[90000:150000])
	_, _ = want.Write(all[:150000])
	if d.Sum() != want.Sum() || d.Len() != want.Len() || !d.Sampled(bytes.NewReader(all)) {
		t.Error("reading the end again changes the digest")
	}
}

// FuzzParse checks that damaged bytes are an error and cause no panic.
func FuzzParse(f *testing.F) {
	var d Digest
	_, _ = d.Write(noise(2, 300000))
	f.Add(d.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, _, err := Parse(b); err == nil {
			_, _ = d.Write([]byte("more"))
			d.Sampled(bytes.NewReader(b))
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	p := noise(4, 64<<10)
	b.SetBytes(int64(len(p)))
	var d Digest
	for b.Loop() {
		_, _ = d.Write(p)
	}
}
