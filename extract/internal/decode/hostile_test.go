package decode

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// hostile pages are what a lexer could take too long over, or keep.
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

func page(s string, n int) io.Reader {
	first, again, ok := strings.Cut(s, "|")
	if !ok {
		first, again = "", s
	}
	return io.MultiReader(strings.NewReader(first), io.LimitReader(&endless{unit: []byte(again)}, int64(n)))
}

// Twice the page takes no more than about twice the time, and no more memory.
func TestHostileHTML(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	const n = 1 << 18
	h := NewHTML(func(Attr) error { return nil })
	var c Chain
	c.Keep = 64 << 10
	buf := make([]byte, 64<<10)
	run := func(s string, n int) time.Duration {
		best := time.Hour
		for range 3 {
			lines := NewLines(page(s, n), UTF8)
			c.Reset(lines, 0)
			c.PushDecoder(h)
			start := clock()
			for {
				if _, err := c.Read(buf); err != nil {
					break
				}
			}
			best = min(best, clock()-start)
			if cap(lines.starts) > 4*defaultMax {
				t.Errorf("%q: room for %d lines", s, cap(lines.starts))
			}
		}
		return best
	}
	for name, s := range hostile {
		var one, two time.Duration
		for range 5 { // a busy machine is no proof
			one, two = run(s, n), run(s, 2*n)
			if two <= one*5/2+time.Millisecond {
				break
			}
		}
		if two > one*5/2+time.Millisecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
		if m := c.own[0].m; cap(m.marks) > 4*len(buf) || cap(h.raw) > 2*defaultMaxValue {
			t.Errorf("%s: room for %d marks, a value of %d", name, cap(m.marks), cap(h.raw))
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
		skipped [2]int64 // and of how many bytes
	}{
		{"<a href='" + long + "'>", 1, [2]int64{}},
		{"<a href='" + long + "y'><a href=z>", 1, [2]int64{1, int64(len(long + "y'"))}},
		{"<a href='z", 1, [2]int64{}},
		{"<a href=z>", 1, [2]int64{}},
	} {
		h := NewHTML(nil)
		got := observe(strings.NewReader(c.page), h, 100)
		if values, bytes := h.Skipped(); len(got.vals) != c.values || values != c.skipped[0] || bytes != c.skipped[1] {
			t.Errorf("%.20q: %d values, %d skipped of %d bytes", c.page, len(got.vals), values, bytes)
		}
	}
}

// What has been in use once is used again.
func TestHTMLAllocatesNothing(t *testing.T) {
	raw := strings.Repeat("<p class=x>a &eacute;&amp; <a href=' /x&amp;y'>b</a><img srcset='a 1x, b' alt='&lt;'><!-- c --><script>d</script>\n", 300)
	src := strings.NewReader(raw)
	lines := NewLines(src, UTF8)
	var c Chain
	h := NewHTML(func(Attr) error { return nil })
	buf := make([]byte, 32<<10)
	if n := testing.AllocsPerRun(20, func() {
		src.Reset(raw)
		lines.Reset(src, UTF8)
		c.Reset(lines, 0)
		c.PushDecoder(h)
		for {
			n, err := c.Read(buf)
			if err != nil {
				break
			}
			c.Forget(c.read - int64(n))
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestUnicodeAllocatesNothing(t *testing.T) {
	raw := encode(UTF16LE, strings.Repeat("http://a/ \u0416\u4e2d\n", 1000))
	src := bytes.NewReader(raw)
	d := NewUnicode(UTF16LE)
	var c Chain
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
