package html

import (
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// hostile has pages that could take a lexer too much time or memory.
var hostile = map[string]string{
	"opening":     "<",
	"ampersand":   "&",
	"number":      "&#1",
	"name":        "&a",
	"tags":        "<a",
	"ends":        "</",
	"comments":    "<!-",
	"dashes":      "-",
	"in comment":  "<!--|-",
	"in dashes":   "<!--|--!",
	"script":      "<script>|</script",
	"script ends": "<script>|</",
	"tag name":    "<|a",
	"attributes":  "<a |href=x ",
	"nameless":    "<a |= ",
	"name of one": "<a |b",
	"value":       "<a href=\"|x",
	"bare value":  "<a href=|x",
	"words":       "<a title='|&amp",
	"spaces":      "<a href= |\n",
	"refresh":     "<meta content='|1",
	"refreshes":   "|<meta content=1;url=",
	"srcset":      "<img srcset='| ,a",
	"styles":      "|<p style='url(url(url('>",
	"references":  "<a href='|&#38;",
	"slashes":     "<a |/",
}

// TestHostileHTML doubles the length of hostile pages. The time may about double.
func TestHostileHTML(t *testing.T) {
	if decodetest.RaceEnabled {
		t.Skip("measures time")
	}
	const n = 1 << 18
	h := New(func(decode.Attr) error { return nil })
	var c decode.Chain
	c.Keep = 64 << 10
	buf := make([]byte, 64<<10)
	run := func(s string, n int) time.Duration {
		best := time.Hour
		for range decodetest.Rounds {
			lines := decode.NewLines(decodetest.Page(s, n), []byte("\n"))
			c.Reset(lines, 0)
			c.PushDecoder(h)
			start := decodetest.Clock()
			for {
				if _, err := c.Read(buf); err != nil {
					break
				}
			}
			best = min(best, decodetest.Clock()-start)
		}
		return best
	}
	for name, s := range hostile {
		var one, two time.Duration
		for range 15 / decodetest.Rounds { // try again, because the machine may be busy
			one, two = run(s, n), run(s, 2*n)
			if two <= one*5/2+time.Millisecond {
				break
			}
		}
		if two > one*5/2+time.Millisecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
		if _, room := c.Mappings(); room > 4*len(buf) || cap(h.value.raw) > 2*defaultMaxValue {
			t.Errorf("%s: room for %d marks, a value of %d", name, room, cap(h.value.raw))
		}
		if one > n*500*time.Nanosecond {
			t.Errorf("%s: %v for %d bytes", name, one, n)
		}
	}
}

func TestLongValues(t *testing.T) {
	long := strings.Repeat("x", defaultMaxValue)
	for _, c := range []struct {
		page    string
		values  int
		skipped [2]int64 // number and bytes of skipped attributes
	}{
		{"<a href='" + long + "'>", 1, [2]int64{}},
		{"<a href='" + long + "y'><a href=z>", 1, [2]int64{1, int64(len(long + "y'"))}},
		{"<a href='z", 1, [2]int64{}},
		{"<a href=z>", 1, [2]int64{}},
	} {
		h := New(nil)
		got := observeHTML(strings.NewReader(c.page), h, 100)
		if values, bytes := h.Skipped(); len(got.Vals) != c.values || values != c.skipped[0] || bytes != c.skipped[1] {
			t.Errorf("%.20q: %d values, %d skipped of %d bytes", c.page, len(got.Vals), values, bytes)
		}
	}
}

// TestHTMLAllocatesNothing checks that memory is reused.
func TestHTMLAllocatesNothing(t *testing.T) {
	newline := []byte("\n")
	raw := strings.Repeat("<p class=x>a &eacute;&amp; <a href=' /x&amp;y'>b</a><img srcset='a 1x, b' alt='&lt;'><!-- c --><script>d</script>\n", 300)
	src := strings.NewReader(raw)
	lines := decode.NewLines(src, []byte("\n"))
	var c decode.Chain
	h := New(func(decode.Attr) error { return nil })
	buf := make([]byte, 32<<10)
	if n := testing.AllocsPerRun(20, func() {
		src.Reset(raw)
		lines.Reset(src, newline)
		c.Reset(lines, 0)
		c.PushDecoder(h)
		for read := int64(0); ; {
			n, err := c.Read(buf)
			if err != nil {
				break
			}
			c.Forget(read)
			read += int64(n)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkHTML(b *testing.B) {
	for _, c := range []struct{ name, page string }{
		{"text", "<p>" + strings.Repeat(decodetest.Sentence, 20) + "</p>"},
		{"menu", "<li class=\"item\"><a href=\"/a/b.html?c&amp;d\" title='Go to b'>b</a></li>\n"},
		{"script", "<script>" + strings.Repeat("if (a < b) { c('/d'); }\n", 20) + "</script>"},
		{"archive", "<pre>\n" + strings.Repeat("&gt; On Monday, &lt;<a href=\"mailto:a%40b.c\">a@b.c</a>&gt; wrote of it:\n", 10) + "</pre>"},
	} {
		b.Run(c.name, func(b *testing.B) {
			raw := []byte(strings.Repeat(c.page, 1+1<<20/len(c.page)))
			decodetest.Benchmark(b, raw, New(func(decode.Attr) error { return nil }))
		})
	}
}
