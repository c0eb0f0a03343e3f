package delimit

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestResetBytes compares a Scanner over text in memory with one that reads the same text byte by
// byte through the smallest window. Then it reuses the Scanner with a reader.
func TestResetBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 12))
	texts := 40
	if long {
		texts = 200
	}
	for i := range texts {
		text := []byte(randomText(rnd, 1+rnd.IntN(3000)) + strings.Repeat(allForms, i%7))
		opts := Options{MaxLen: 300}
		if i%2 == 0 {
			opts.Extras = Abbreviated | Defanged | Rejoin | Address
		}
		want, _ := collect(newScanner(iotest.OneByteReader(bytes.NewReader(text)), opts, 0))
		given := slices.Concat([]byte("http"), text, []byte("/more"))
		s := newScanner(bytes.NewReader(text), opts, 0)
		for _, reset := range []func(){
			func() { s.ResetBytes(given[4:][:len(text)]) },
			func() { s.Reset(bytes.NewReader(text)) },
			func() { s.ResetBytes(text) },
		} {
			reset()
			got, err := collect(s)
			if err != io.EOF {
				t.Fatal(err)
			}
			if d := differ(got, want); d != "" {
				t.Fatalf("%q:\n%s", text, d)
			}
			if runs, n := s.Skipped(); runs > n {
				t.Errorf("%d runs of %d bytes", runs, n)
			}
		}
		if !bytes.Equal(given[4:][:len(text)], text) {
			t.Fatal("the text has changed")
		}
	}
}

// TestResetBytesMarked runs the marked texts in memory.
func TestResetBytesMarked(t *testing.T) {
	for _, c := range markedCases(t) {
		s := NewScanner(nil, c.opts)
		s.ResetBytes([]byte(c.text))
		if got, _ := collect(s); differ(got, c.want) != "" {
			t.Errorf("%s: %q\n%s", c.where, c.text, differ(got, c.want))
		}
	}
}

// TestResetBytesAllocates checks that scanning a text in memory allocates nothing, and that
// returned slices are parts of the text and are not spoiled.
func TestResetBytesAllocates(t *testing.T) {
	text := []byte("see http://example.org/a, and <mailto:jo@example.org>")
	s := NewScanner(nil, Options{})
	var c Candidate
	if n := testing.AllocsPerRun(100, func() {
		s.ResetBytes(text)
		for s.Next(&c) == nil {
			if &c.Text[0] != &text[c.Inner.Start] {
				t.Fatalf("%s was copied", c.Text)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !strings.HasPrefix(string(text), "see http://example.org/a, and <mailto:") {
		t.Errorf("%s", text)
	}
}
