package mail

import (
	"bytes"
	"fmt"
	"testing"
	"testing/iotest"
)

// FuzzReader checks that reading ends, that bodies are correct and in order (see all), and that the
// results do not depend on the sizes of reads.
func FuzzReader(f *testing.F) {
	for _, c := range boxes {
		f.Add([]byte(c.raw), byte(c.f), byte(c.depth), byte(7))
	}
	f.Fuzz(func(t *testing.T, raw []byte, framing, depth, size byte) {
		if len(raw) > 1<<17 {
			return
		}
		fr, dp := Framing(framing%6), int(depth%12)
		want := all(t, raw, bytes.NewReader(raw), fr, dp, 1<<16)
		for n, got := range [][]found{
			all(t, raw, &chunks{raw, int(size) + 1}, fr, dp, int(size)+1),
			all(t, raw, cut(raw, len(raw)*int(size)/256), fr, dp, 1<<12),
			all(t, raw, iotest.DataErrReader(bytes.NewReader(raw)), fr, dp, 1<<16),
		} {
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%d: %q:\n%v\nwant\n%v", n, raw, show(got), show(want))
			}
		}
	})
}

// FuzzParam checks that finding a parameter does not panic, and that it is no longer than the
// value.
func FuzzParam(f *testing.F) {
	for _, c := range values {
		f.Add([]byte(c.value), c.name)
	}
	f.Fuzz(func(t *testing.T, value []byte, name string) {
		if got, _ := appendParam(nil, params(value), name); len(got) > len(value)*passes {
			t.Fatalf("%q of %q: %q", name, value, got)
		}
	})
}
