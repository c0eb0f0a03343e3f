package compress

import (
	"bufio"
	"strings"
	"testing"
)

// TestKinds fails if a Kind has only a constant. Each needs a name, which is also the stage of its
// errors, a magic number by which it is recognised, and a decompressor.
func TestKinds(t *testing.T) {
	names, recognised := map[string]Kind{}, map[Kind]bool{}
	for _, m := range numbers {
		recognised[m.Is] = true
	}
	// The table of magic numbers has no Is for these Kinds: Decide functions recognise them.
	for is, head := range map[Kind]string{
		Zlib:  "\x78\x9c\x03\x00\x00\x00\x00\x01",
		Bzip2: "BZh9\x17\x72\x45\x38\x50\x90",
	} {
		got, _ := Match([]byte(head), true)
		recognised[got] = true
		if got != is {
			t.Errorf("%q is recognised as %v, want %v", head, got, is)
		}
	}
	for k := range numKinds {
		name := k.String()
		if name == "" {
			t.Errorf("Kind %d has no name: add a row to kinds", k)
		}
		if other, ok := names[name]; ok {
			t.Errorf("Kinds %d and %d are both called %q", other, k, name)
		}
		names[name] = k
		if k == None { // no layer has this kind
			continue
		}
		begin(t, k)
		if !recognised[k] {
			t.Errorf("Kind %d (%s) has no magic number: add it to numbers", k, name)
		}
	}
}

// begin fails if start has no case for k, or leaves the decompressor of the stream before it.
func begin(t *testing.T, k Kind) {
	t.Helper()
	before := strings.NewReader("the stream before")
	d := decompressor{r: before}
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("Kind %d: %v", k, v)
		}
	}()
	if _ = d.start(bufio.NewReader(strings.NewReader("no header\n")), k); d.r == nil || d.r == before {
		t.Errorf("Kind %d (%s) has no decompressor: decompressor.start has to set r", k, k)
	}
}

// TestNoDecompressor checks that a Kind without a case in start is not read with the decompressor of
// the stream before it.
func TestNoDecompressor(t *testing.T) {
	d := decompressor{r: strings.NewReader("the stream before")}
	defer func() {
		if v, _ := recover().(string); !strings.Contains(v, "decompressor for read:") || d.r != nil {
			t.Errorf("panic %q, and r is %v", v, d.r)
		}
	}()
	_ = d.start(bufio.NewReader(strings.NewReader("no header\n")), None)
}
