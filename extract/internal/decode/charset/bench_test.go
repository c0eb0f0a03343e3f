package charset

import (
	"bytes"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func BenchmarkUTF16(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", decodetest.Sentence},
		{"french", "Voil\u00e0 une \u00e9tude: http://a.example/\u00e9t\u00e9 \u00e0 No\u00ebl. "},
		{"russian", "\u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 http://a.example/ \u0431\u0443\u043b\u043e\u043a. "},
		{"chinese", "\u4e2d\u6587\u7f51\u9875\u5728\u8fd9\u91cchttp://a.example/\u4e2d\u6587\u3002"},
	} {
		b.Run(c.name, func(b *testing.B) {
			decodetest.Benchmark(b, encode(UTF16LE, strings.Repeat(c.text, 5000)), NewUnicode(UTF16LE))
		})
	}
}

func BenchmarkUTF32(b *testing.B) {
	decodetest.Benchmark(b, encode(UTF32BE, strings.Repeat(decodetest.Sentence, 5000)), NewUnicode(UTF32BE))
}

func TestUnicodeAllocatesNothing(t *testing.T) {
	raw := encode(UTF16LE, strings.Repeat("http://a/ \u0416\u4e2d\n", 1000))
	src := bytes.NewReader(raw)
	d := NewUnicode(UTF16LE)
	var c decode.Chain
	buf := make([]byte, 32<<10)
	if n := testing.AllocsPerRun(20, func() {
		src.Reset(raw)
		c.Reset(src, 0)
		c.PushDecoder(d)
		for {
			if _, err := c.Read(buf); err != nil {
				break
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
