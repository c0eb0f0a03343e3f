package decode

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

const sentence = "The quick brown fox, see http://www.example.org/animals?fox=1 for more of it, jumps over\nthe lazy dog. "

func benchmark(b *testing.B, raw []byte, d Decoder) {
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	src := bytes.NewReader(raw)
	lines := NewLines(src, UTF8)
	c := Chain{Keep: 64 << 10}
	buf := make([]byte, 64<<10)
	best := time.Hour
	for b.Loop() {
		start := clock()
		src.Reset(raw)
		lines.Reset(src, UTF8)
		c.Reset(lines, 0)
		if d != nil {
			c.PushDecoder(d)
		}
		for {
			if _, err := c.Read(buf); err != nil {
				break
			}
		}
		best = min(best, clock()-start)
	}
	// Of the processor's time, the best turn: a busy machine is no measure.
	b.ReportMetric(float64(len(raw))/1e6/best.Seconds(), "best-MB/s")
}

func BenchmarkLines(b *testing.B) {
	benchmark(b, []byte(strings.Repeat(sentence, 10000)), nil)
}

func BenchmarkUTF16(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", sentence},
		{"french", "Voil\u00e0 une \u00e9tude: http://a.example/\u00e9t\u00e9 \u00e0 No\u00ebl. "},
		{"russian", "\u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 http://a.example/ \u0431\u0443\u043b\u043e\u043a. "},
		{"chinese", "\u4e2d\u6587\u7f51\u9875\u5728\u8fd9\u91cchttp://a.example/\u4e2d\u6587\u3002"},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmark(b, encode(UTF16LE, strings.Repeat(c.text, 5000)), NewUnicode(UTF16LE))
		})
	}
}

func BenchmarkUTF32(b *testing.B) {
	benchmark(b, encode(UTF32BE, strings.Repeat(sentence, 5000)), NewUnicode(UTF32BE))
}

func BenchmarkHTML(b *testing.B) {
	for _, c := range []struct{ name, page string }{
		{"text", "<p>" + strings.Repeat(sentence, 20) + "</p>"},
		{"menu", "<li class=\"item\"><a href=\"/a/b.html?c&amp;d\" title='Go to b'>b</a></li>\n"},
		{"script", "<script>" + strings.Repeat("if (a < b) { c('/d'); }\n", 20) + "</script>"},
		{"archive", "<pre>\n" + strings.Repeat("&gt; On Monday, &lt;<a href=\"mailto:a%40b.c\">a@b.c</a>&gt; wrote of it:\n", 10) + "</pre>"},
	} {
		b.Run(c.name, func(b *testing.B) {
			raw := []byte(strings.Repeat(c.page, 1+1<<20/len(c.page)))
			benchmark(b, raw, NewHTML(func(Attr) error { return nil }))
		})
	}
}
