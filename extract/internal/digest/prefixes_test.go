package digest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPrefixes looks up digests by their fingerprints. Those of prefixes of the stream must be
// found, and no others.
func TestPrefixes(t *testing.T) {
	pick := rand.New(rand.NewPCG(3, 4))
	all := noise(2, 300000)
	other := bytes.Clone(all)
	other[4] ^= 1
	late := bytes.Clone(all)
	late[200000] ^= 1
	var known []Fingerprint
	var want []int64
	for range 300 {
		n := 1 + pick.IntN(len(all))
		if pick.IntN(2) == 0 {
			n = 1 + pick.IntN(9000)
		}
		from := [...][]byte{all, all, other, late}[pick.IntN(4)]
		var d Digest
		_, _ = d.Write(from[:n])
		known = append(known, d.Fingerprint())
		if bytes.Equal(from[:n], all[:n]) {
			want = append(want, int64(n))
		}
	}
	next := func(head uint64, after int64) (length int64, ok bool) {
		for _, p := range known {
			if p.Head == head && p.Length > after && (!ok || p.Length < length) {
				length, ok = p.Length, true
			}
		}
		return length, ok
	}
	slices.Sort(want)
	for _, n := range []int{len(all), 250000, 5000, 4096, 4095, 10, 0} {
		var got []int64
		Prefixes(bytes.NewReader(all[:n]), next, func(p Fingerprint) {
			if slices.Contains(known, p) {
				got = append(got, p.Length)
			}
		})
		fit := slices.DeleteFunc(slices.Compact(slices.Clone(want)), func(w int64) bool { return w > int64(n) })
		if !slices.Equal(got, fit) {
			t.Errorf("%d bytes: lengths %v, not %v", n, got, fit)
		}
	}
}
