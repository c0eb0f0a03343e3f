package mail

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// chunks returns its bytes in pieces of n.
type chunks struct {
	b []byte
	n int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.n)], c.b)
	c.b = c.b[n:]
	return n, nil
}

// cut returns a reader of b in two pieces.
func cut(b []byte, at int) io.Reader {
	return io.MultiReader(bytes.NewReader(b[:at]), bytes.NewReader(b[at:]))
}

// A found is all that a caller gets of one part, or of damage.
type found struct {
	part   Part
	levels []BaseFields
	body   string
	raw    []int64 // offset of each byte of the body
	err    string
}

// again reads all streams, so that state left from one stream would change the next.
var again Reader

// all reads raw from src, with slices of size bytes. It checks that each byte of a body is the byte
// of raw at its offset.
func all(t testing.TB, raw []byte, src io.Reader, f Framing, depth, size int) (list []found) {
	t.Helper()
	r := &again
	r.Reset(src, 0, f, depth, "")
	buf := make([]byte, size)
	last := int64(-1)
	for n := 0; ; n++ {
		if n > 20*len(raw)+100 {
			t.Fatalf("no end: %q", raw)
		}
		p, err := r.Next()
		if err == io.EOF {
			nothingLost(t, raw, list, f)
			return list
		}
		if err != nil {
			list = append(list, found{err: err.Error()})
			if !strings.HasSuffix(err.Error(), "broken") {
				continue
			}
			return list
		}
		g := found{part: *p, levels: append([]BaseFields(nil), p.Bases...)}
		g.part.Body, g.part.Bases = nil, nil
		var body []byte
		for {
			n, err := p.Body.Read(buf)
			body = append(body, buf[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				g.err = err.Error()
				break
			}
		}
		g.body = string(body)
		for i := range body {
			lo, hi, exact := p.Body.Span(int64(i), int64(i)+1)
			o, ex := p.Body.Origin(int64(i))
			if hi != lo+1 || !exact || o != lo || !ex || lo <= last || lo >= int64(len(raw)) || raw[lo] != body[i] {
				t.Fatalf("%q: byte %d of %q in %s: span %d %d %v, origin %d %v, last %d", raw, i, body, g.part.Section, lo, hi, exact, o, ex, last)
			}
			g.raw = append(g.raw, lo)
			last = lo
		}
		list = append(list, g)
	}
}

// nothingLost examines, line by line, the text that is in no part. It must be of the kinds that the
// package comment lists.
func nothingLost(t testing.TB, raw []byte, list []found, f Framing) {
	joined := f == Mbox && bytes.Contains(bytes.ToLower(raw), []byte("message/partial"))
	if f == Babyl || f == Emlx || joined || bytes.Contains(raw, []byte("=ybegin ")) {
		return
	}
	in := make([]bool, len(raw))
	for _, g := range list {
		for _, off := range g.raw {
			in[off] = true
		}
	}
	for at := 0; at < len(raw); {
		line, n, _ := cutLine(raw[at:])
		out := 0
		for i, c := range line {
			if !in[at+i] && c > ' ' {
				out++
			}
		}
		known := f == Rnews && bytes.Contains(line, []byte(rnewsMark))
		for _, mark := range []string{"--", "From ", ">From ", mmdfLine, "begin ", "end"} {
			known = known || bytes.HasPrefix(line, []byte(mark))
		}
		if out > 0 && !known && !uuLine(line) && !(f == Mbox && out == 1 && line[0] == '>') {
			t.Fatalf("%q: line %q at %d was lost", raw, line, at)
		}
		at += n
	}
}

// everyWay reads raw in many ways. The results must be the same.
func everyWay(t *testing.T, raw []byte, f Framing, depth int) []found {
	t.Helper()
	want := all(t, raw, bytes.NewReader(raw), f, depth, 1<<16)
	try := func(name string, src io.Reader, size int) {
		t.Helper()
		if got := all(t, raw, src, f, depth, size); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s, slices of %d: %q:\n%v\nwant\n%v", name, size, raw, show(got), show(want))
		}
	}
	for _, size := range []int{1, 3, 64} {
		try("whole", bytes.NewReader(raw), size)
		try("one byte", iotest.OneByteReader(bytes.NewReader(raw)), size)
		try("three bytes", &chunks{raw, 3}, size)
		try("data with error", iotest.DataErrReader(bytes.NewReader(raw)), size)
	}
	for at := range min(len(raw), 2000) {
		try(fmt.Sprintf("cut at %d", at), cut(raw, at), 1<<16)
	}
	return want
}

// show describes each part by lines: ordinal, section, type, other properties, and the body.
func show(list []found) string {
	var b strings.Builder
	for _, g := range list {
		p := g.part
		if p.Section == "" {
			fmt.Fprintf(&b, "! %s\n", g.err)
			continue
		}
		fmt.Fprintf(&b, "%d %s", p.Message, p.Section)
		for _, s := range []string{p.Type, p.Encoding, p.Charset, p.Name} {
			if s != "" {
				fmt.Fprintf(&b, " %s", s)
			}
		}
		if p.Flowed {
			b.WriteString(" flowed")
		}
		if p.DelSp {
			b.WriteString(" delsp")
		}
		fmt.Fprintf(&b, " %q\n", g.body)
		if g.err != "" {
			fmt.Fprintf(&b, "! %s\n", g.err)
		}
	}
	return b.String()
}
