package delimit

import (
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// TestMaxLenAbsurd scans random texts with extreme limits. There must be no panic, and no candidate
// over the limit.
func TestMaxLenAbsurd(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, most := range []int{math.MinInt, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31, 63, 64, 65, 66, 67, 68, 71, 80, 127, 128, 129, 1 << 30, math.MaxInt} {
		opts := Options{MaxLen: most, MaxBreaks: []int{math.MinInt, 0, 1, math.MaxInt}[r.IntN(4)]}
		for _, opts.Extras = range []Extra{0, Abbreviated | Defanged | Rejoin | Address} {
			s := NewScanner(nil, opts)
			for range 400 {
				text := randomText(r, 1+r.IntN(40))
				for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
					s.Reset(in)
					found, err := collect(s)
					if err != io.EOF {
						t.Fatal(err)
					}
					for _, c := range found {
						if int64(most) > 0 && c.By != Address && c.Inner.Len() > int64(most) {
							t.Fatalf("MaxLen %d: %q gives %v", most, text, c)
						}
					}
				}
			}
		}
	}
}

// TestMaxLenClamped checks that a limit above the maximum has the same effect as the maximum.
func TestMaxLenClamped(t *testing.T) {
	for _, most := range []int{greatestLen + 1, 1 << 30, math.MaxInt} {
		s := NewScanner(nil, Options{MaxLen: most})
		if s.find.opts.MaxLen != greatestLen || len(s.find.Own) != 8*greatestLen {
			t.Errorf("MaxLen %d: %d, with a window of %d", most, s.find.opts.MaxLen, len(s.find.Own))
		}
	}
	for _, most := range []int{math.MinInt, -1, 0} {
		if s := NewScanner(nil, Options{MaxLen: most, MaxBreaks: most}); s.find.opts.MaxLen != 8192 || s.find.opts.MaxBreaks != 32 {
			t.Errorf("MaxLen and MaxBreaks %d: %d and %d", most, s.find.opts.MaxLen, s.find.opts.MaxBreaks)
		}
	}
}
