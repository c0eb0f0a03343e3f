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
	// These are not in the table of magic numbers: look functions recognise them.
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
			t.Errorf("Kind %d has no name: add it to kindStages", k)
		}
		if other, ok := names[name]; ok {
			t.Errorf("Kinds %d and %d are both called %q", other, k, name)
		}
		names[name] = k
		var d decompressor
		if _ = d.start(bufio.NewReader(strings.NewReader("no header\n")), k); k != None && d.r == nil {
			t.Errorf("Kind %d (%s) has no decompressor: add a case to decompressor.start", k, name)
		}
		if k != None && !recognised[k] {
			t.Errorf("Kind %d (%s) has no magic number: add it to numbers", k, name)
		}
	}
}
