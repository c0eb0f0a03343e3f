package decodetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A Reading is the complete output of a decoder, or of a chain of them, for one input.
type Reading struct {
	Text  string
	Attrs []string
	Spans [][2]int64 // Spans[i] is the span of Attrs[i]
	Vals  []string   // Vals[i] is the value in Attrs[i]
	Err   string     // the error that ended reading; "" for io.EOF
	Lo    []int64    // [Lo[i], Hi[i]) is the span of Text[i]
	Hi    []int64
	exact []bool
}

// Chunks is a reader that returns B in pieces of N bytes.
type Chunks struct {
	B []byte
	N int
}

func (c *Chunks) Read(p []byte) (int, error) {
	if len(c.B) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.N)], c.B)
	c.B = c.B[n:]
	return n, nil
}

// Cut returns a reader of b in two pieces, divided at the offset at.
func Cut(b []byte, at int) io.Reader {
	return io.MultiReader(bytes.NewReader(b[:at]), bytes.NewReader(b[at:]))
}

// A Sinker is a Decoder that passes attributes to a sink.
type Sinker interface{ SetSink(func(decode.Attr) error) }

// Observe reads all of r through d into slices of size bytes.
func Observe(r io.Reader, d decode.Decoder, size int) Reading {
	var got Reading
	if s, ok := d.(Sinker); ok {
		s.SetSink(func(a decode.Attr) error {
			got.Attrs = append(got.Attrs, fmt.Sprintf("%s %s %q", a.Tag, a.Name, a.Value))
			got.Spans = append(got.Spans, [2]int64{a.Start, a.End})
			got.Vals = append(got.Vals, string(a.Value))
			return nil
		})
	}
	s := decode.NewLink(r, d)
	buf := make([]byte, size)
	for {
		n, err := s.Read(buf)
		got.Text += string(buf[:n])
		if err != nil {
			if err != io.EOF {
				got.Err = err.Error()
			}
			break
		}
	}
	for i := range int64(len(got.Text)) {
		lo, hi, exact := s.Span(i, i+1)
		got.Lo, got.Hi, got.exact = append(got.Lo, lo), append(got.Hi, hi), append(got.exact, exact)
		if o, ex := s.Origin(i); o != lo || exact && !ex {
			got.Err += fmt.Sprintf(" Origin(%d) = %d, Span %d", i, o, lo)
		}
	}
	return got
}

// Equal returns an error that says in what a and b differ, or nil.
func (a Reading) Equal(b Reading) error {
	switch {
	case a.Text != b.Text:
		return fmt.Errorf("text %q, want %q", a.Text, b.Text)
	case fmt.Sprint(a.Attrs, a.Spans) != fmt.Sprint(b.Attrs, b.Spans):
		return fmt.Errorf("attributes %q, want %q", a.Attrs, b.Attrs)
	case a.Err != b.Err:
		return fmt.Errorf("error %q, want %q", a.Err, b.Err)
	case fmt.Sprint(a.Lo, a.Hi, a.exact) != fmt.Sprint(b.Lo, b.Hi, b.exact):
		return fmt.Errorf("spans of %q\n%v\n%v\n%v, want\n%v\n%v\n%v", a.Text, a.Lo, a.Hi, a.exact, b.Lo, b.Hi, b.exact)
	}
	return nil
}

// EveryWay reads input whole, one byte at a time, cut in two at each of the first 400 offsets, and
// into slices of several sizes. It fails if the results differ, and returns the result.
func EveryWay(t *testing.T, input []byte, d decode.Decoder) Reading {
	t.Helper()
	want := Observe(bytes.NewReader(input), d, 1<<16)
	try := func(name string, r io.Reader, size int) {
		t.Helper()
		if err := Observe(r, d, size).Equal(want); err != nil {
			t.Fatalf("%s, slices of %d: input %q: %v", name, size, input, err)
		}
	}
	for _, size := range []int{1, 2, 3, 7, 15, 16, 17, 19, 64, 1 << 16} {
		try("whole", bytes.NewReader(input), size)
		try("one byte", iotest.OneByteReader(bytes.NewReader(input)), size)
		try("three bytes", &Chunks{input, 3}, size)
		try("data with error", iotest.DataErrReader(bytes.NewReader(input)), size)
	}
	for at := range min(len(input), 400) {
		try(fmt.Sprintf("cut at %d", at), Cut(input, at), 1<<16)
	}
	return want
}

// ErrBroken is the error of the readers that Broken returns.
var ErrBroken = errors.New("broken")

// Broken returns a reader of b that fails with ErrBroken at its end.
func Broken(b []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(b), iotest.ErrReader(ErrBroken))
}

// CheckValues reads raw with a decoder that finds values, first whole, and then in Reads of in
// bytes into slices of out bytes. It fails if the two results differ, if text is not in order,
// or if a value is empty or outside the input.
func CheckValues(t *testing.T, raw []byte, in, out int, d decode.Decoder) {
	t.Helper()
	want := Observe(bytes.NewReader(raw), d, 1<<16)
	if want.Err != "" {
		t.Fatalf("%q: %s", raw, want.Err)
	}
	if utf8.Valid(raw) {
		CheckOrder(t, want, len(raw))
	}
	for i, s := range want.Spans {
		if s[0] > s[1] || s[1] > int64(len(raw)) || len(want.Vals[i]) == 0 {
			t.Fatalf("%q: value %q at %v", raw, want.Vals[i], s)
		}
	}
	in, out = 1+(in&0x3F), 1+(out&0x3F)
	if err := Observe(&Chunks{B: raw, N: in}, d, out).Equal(want); err != nil {
		t.Fatalf("%q, reads of %d into %d: %v", raw, in, out, err)
	}
}

// CheckSniff fails unless sniff returns for each text, a key of texts, the value of that key. For a
// beginning of the text, sniff must return the same, or ask for more bytes.
func CheckSniff(t *testing.T, texts map[string]bool, sniff func(head []byte, whole bool) (is, wait bool)) {
	t.Helper()
	for text, want := range texts {
		if got, _ := sniff([]byte(text), true); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		for n := range len(text) {
			if got, wait := sniff([]byte(text[:n]), false); !wait && got != want {
				t.Errorf("%q: %v after %d bytes, want %v", text, got, n, want)
			}
		}
	}
}
