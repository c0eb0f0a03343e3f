package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
)

// A reading is all that can be seen of one stage, or chain, over one input.
type reading struct {
	text  string
	attrs []string
	spans [][2]int64 // of attrs
	vals  []string
	err   string
	lo    []int64 // span of each byte of text
	hi    []int64
	exact []bool
}

// chunks gives its bytes in pieces of n.
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

// cut gives its bytes in two pieces.
func cut(b []byte, at int) io.Reader {
	return io.MultiReader(bytes.NewReader(b[:at]), bytes.NewReader(b[at:]))
}

// observe reads all of r through d into slices of size bytes.
func observe(r io.Reader, d Decoder, size int) reading {
	var got reading
	var s Stage
	if h, ok := d.(*HTML); ok {
		h.Sink = func(a Attr) error {
			got.attrs = append(got.attrs, fmt.Sprintf("%s %s %q", a.Tag, a.Name, a.Value))
			got.spans = append(got.spans, [2]int64{a.Start, a.End})
			got.vals = append(got.vals, string(a.Value))
			return nil
		}
	}
	s = NewStage(r, d)
	buf := make([]byte, size)
	for {
		n, err := s.Read(buf)
		got.text += string(buf[:n])
		if err != nil {
			if err != io.EOF {
				got.err = err.Error()
			}
			break
		}
	}
	for i := range int64(len(got.text)) {
		lo, hi, exact := s.Span(i, i+1)
		got.lo, got.hi, got.exact = append(got.lo, lo), append(got.hi, hi), append(got.exact, exact)
		if o, ex := s.Origin(i); o != lo || exact && !ex {
			got.err += fmt.Sprintf(" Origin(%d) = %d, Span %d", i, o, lo)
		}
	}
	return got
}

func (a reading) equal(b reading) error {
	switch {
	case a.text != b.text:
		return fmt.Errorf("text %q, want %q", a.text, b.text)
	case fmt.Sprint(a.attrs, a.spans) != fmt.Sprint(b.attrs, b.spans):
		return fmt.Errorf("attributes %q, want %q", a.attrs, b.attrs)
	case a.err != b.err:
		return fmt.Errorf("error %q, want %q", a.err, b.err)
	case fmt.Sprint(a.lo, a.hi, a.exact) != fmt.Sprint(b.lo, b.hi, b.exact):
		return fmt.Errorf("spans of %q\n%v\n%v\n%v, want\n%v\n%v\n%v", a.text, a.lo, a.hi, a.exact, b.lo, b.hi, b.exact)
	}
	return nil
}

// everyWay reads input whole, one byte at a time, cut at every place, and into
// slices of several sizes, and wants the same each time.
func everyWay(t *testing.T, input []byte, d Decoder) reading {
	t.Helper()
	want := observe(bytes.NewReader(input), d, 1<<16)
	try := func(name string, r io.Reader, size int) {
		t.Helper()
		if err := observe(r, d, size).equal(want); err != nil {
			t.Fatalf("%s, slices of %d: input %q: %v", name, size, input, err)
		}
	}
	for _, size := range []int{1, 2, 3, 7, 15, 16, 17, 19, 64, 1 << 16} {
		try("whole", bytes.NewReader(input), size)
		try("one byte", iotest.OneByteReader(bytes.NewReader(input)), size)
		try("three bytes", &chunks{input, 3}, size)
		try("data with error", iotest.DataErrReader(bytes.NewReader(input)), size)
	}
	for at := range min(len(input), 400) {
		try(fmt.Sprintf("cut at %d", at), cut(input, at), 1<<16)
	}
	return want
}

var errBroken = errors.New("broken")

// broken gives its bytes and then errBroken.
func broken(b []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(b), iotest.ErrReader(errBroken))
}
