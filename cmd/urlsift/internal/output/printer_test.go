package output

import (
	"errors"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestText checks the beginning and the end of a line.
func TestText(t *testing.T) {
	r := new(extract.Result)
	r.URL = []byte("x")
	r.Target = []byte("http://example.org/x\x1b[1m\xff")
	r.Valid = true
	r.Origin = extract.Origin{Offset: 4, Line: 6, Column: 7}
	r.Origin.Member = "b.txt"
	r.Origin.Source = "a\n.tar"
	refused := new(extract.Result)
	refused.URL = []byte("http://[x]/")
	refused.Err = errors.New("bad\nhost")
	for _, c := range []struct {
		o    PrintOptions
		safe bool
		r    *extract.Result
		want string
	}{
		{PrintOptions{}, false, r, "http://example.org/x\x1b[1m\xff\n"},
		{PrintOptions{}, true, r, `http://example.org/x\x1b[1m\xff` + "\n"},
		{PrintOptions{Null: true}, false, r, "http://example.org/x\x1b[1m\xff\x00"},
		{PrintOptions{Prefix: WithName}, false, r, "a\n.tar!b.txt:http://example.org/x\x1b[1m\xff\n"},
		{PrintOptions{Prefix: WithName}, true, r, `a\x0a.tar!b.txt:http://example.org/x\x1b[1m\xff` + "\n"},
		{PrintOptions{Prefix: WithLine | WithColumn | WithOffset}, true, r, `6:7:4:http://example.org/x\x1b[1m\xff` + "\n"},
		{PrintOptions{}, false, refused, "http://[x]/\t" + `bad\x0ahost` + "\n"},
	} {
		if got := string(NewPrinter(&c.o, c.safe).Append(nil, c.r)); got != c.want {
			t.Errorf("%+v: %q, not %q", c.o, got, c.want)
		}
	}
}

// TestTextAlloc checks that printing a line allocates nothing after the first lines.
func TestTextAlloc(t *testing.T) {
	r := &extract.Result{URL: []byte("http://example.org/ä\x01"), Valid: true}
	line := make([]byte, 0, 4096)
	p := NewPrinter(&PrintOptions{Prefix: WithName | WithLine}, false)
	p.Append(line, r)
	if n := testing.AllocsPerRun(100, func() { p.Append(line, r) }); n != 0 {
		t.Error(n)
	}
}
