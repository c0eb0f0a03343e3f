package compress

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
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
		Lzma:  "\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00",
	} {
		got, _ := Match([]byte(head), true)
		recognised[got] = true
		if got != is {
			t.Errorf("%q is recognised as %v, want %v", head, got, is)
		}
	}
	recognised[Brotli] = sniff(bufio.NewReader(strings.NewReader("\x01")), "a.BR") == Brotli // by its name
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

// TestLzma checks which headers are those of an .lzma file.
func TestLzma(t *testing.T) {
	header := func(properties byte, dict uint32, size uint64) string {
		b := binary.LittleEndian.AppendUint32([]byte{properties}, dict)
		return string(binary.LittleEndian.AppendUint64(b, size)) + "\x00text"
	}
	for head, want := range map[string]Kind{
		header(0x5d, 1<<23, 1<<64-1):          Lzma,
		header(0x5d, 3<<22, 100):              Lzma,
		header(0, 1<<16, 100):                 Lzma,
		header(224, 1<<12, 0):                 Lzma,
		header(225, 1<<23, 100):               None,
		header(0x5d, 5<<22, 100):              None,
		header(0x5d, 1<<11, 100):              None,
		header(0x5d, 1<<23, 1<<40):            None,
		header(0x5d, 1<<23, 100)[:13]:         None,
		"h\x00t\x00t\x00p\x00:\x00/\x00/\x00": None,
		"http://a.example/":                   None,
	} {
		if is, wait := Match([]byte(head), true); is != want || wait {
			t.Errorf("%q: %v, %t; want %v", head, is, wait, want)
		}
		for n := range head {
			if is, wait := Match([]byte(head[:n]), false); !wait && is != want {
				t.Errorf("the first %d bytes of %q: %v; want %v, or to wait", n, head, is, want)
			}
		}
	}
}

// TestBrotli checks which streams are brotli, by their names and bytes.
func TestBrotli(t *testing.T) {
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	_, _ = w.Write([]byte("see http://a.example/"))
	_ = w.Close()
	for _, c := range []struct {
		name, data string
		want       Kind
	}{
		{"a.br", b.String(), Brotli},
		{"A.BR", b.String(), Brotli},
		{"a.txt", b.String(), None},
		{"a.br", "troc'h http://a.example/\n", None},
		{"a.br", "caf\xe9 http://a.example/\n", None},
		{"a.br", "", None},
		{"a.br", "\x01\x02 damaged", Brotli},
		{".br", b.String(), None},
	} {
		if is := sniff(bufio.NewReader(strings.NewReader(c.data)), c.name); is != c.want {
			t.Errorf("%s, %q: %v, want %v", c.name, c.data, is, c.want)
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
