package delimit

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

var slowPrefixAnyRE = regexp.MustCompile(`(?i)UR[LI]:`)

// TestMarked scans the marked texts whole, byte by byte, and across places where the window slides,
// and also with the slow twin.
func TestMarked(t *testing.T) {
	cases := markedCases(t)
	if len(cases) < 250 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, c := range cases {
		if d := differ(slowFind([]byte(c.text), c.opts), c.want); d != "" {
			t.Errorf("%s: twin: %q\n%s", c.where, c.text, d)
		}
		if d := differ(scan(t, strings.NewReader(c.text), c.opts), c.want); d != "" {
			t.Errorf("%s: whole: %q\n%s", c.where, c.text, d)
			continue // skip the variants after a failure
		}
		if d := differ(scan(t, iotest.OneByteReader(strings.NewReader(c.text)), c.opts), c.want); d != "" {
			t.Errorf("%s: byte by byte: %q\n%s", c.where, c.text, d)
		}
		if d := differ(scan(t, iotest.DataErrReader(strings.NewReader(c.text)), c.opts), c.want); d != "" {
			t.Errorf("%s: end with the data: %q\n%s", c.where, c.text, d)
		}
	}
}

// TestMarkedWindow puts filler in front of each text, so that the end of the
// smallest window is inside the text, at several places.
func TestMarkedWindow(t *testing.T) {
	for _, c := range markedCases(t) {
		opts := c.opts
		if len(c.text) < 600 {
			opts.MaxLen = 600
		}
		window := len(newScanner(nil, opts, 1).find.Buf) // the smallest
		for cut := 0; cut <= len(c.text); cut += 1 + len(c.text)/6 {
			// Lines of filler, and one shorter line that sets the place.
			n := window - cut
			pad := strings.Repeat(strings.Repeat("x", 63)+"\n", n/64) + strings.Repeat("y", n%64) + "\n"
			want := shifted(c.want, pad)
			r := io.MultiReader(strings.NewReader(pad), strings.NewReader(c.text))
			got, err := collect(newScanner(r, opts, 1))
			if err != io.EOF {
				t.Fatal(err)
			}
			if d := differ(got, want); d != "" {
				t.Errorf("%s: at %d: %q\n%s", c.where, len(pad), c.text, d)
				break
			}
		}
	}
}

// shifted returns want with positions after a text that ends in a line break.
func shifted(want []slowCandidate, by string) []slowCandidate {
	moved := make([]slowCandidate, 0, len(want))
	for _, c := range want {
		n := int64(len(by))
		c.Inner = Span{c.Inner.Start + n, c.Inner.End + n}
		c.Outer = Span{c.Outer.Start + n, c.Outer.End + n}
		c.Line += int64(strings.Count(by, "\n"))
		moved = append(moved, c)
	}
	return moved
}

// A pausing reader returns its text in one Read, and records when another Read begins.
type pausing struct {
	text  string
	asked bool
}

func (p *pausing) Read(b []byte) (int, error) {
	if p.text == "" {
		p.asked = true
		return 0, io.EOF
	}
	n := copy(b, p.text)
	p.text = p.text[n:]
	return n, nil
}

// TestPrompt checks that a complete candidate is returned before more is read: a closed wrapper, or
// a bare reference with a space after it.
func TestPrompt(t *testing.T) {
	asked := 0
	for _, c := range markedCases(t) {
		if c.opts.Extras&Rejoin != 0 {
			continue // the candidate depends on the next line
		}
		for i, w := range c.want {
			end := int(w.Outer.End)
			if w.Form == Angle && strings.HasSuffix(strings.TrimRight(c.text[:end-1], " \t"), "\n") {
				continue // whether that bracket closes the wrapper depends on the next byte
			}
			if w.Form == Angle && strings.HasPrefix(c.where, "mail-quote") && strings.HasSuffix(c.text[:end], "> >") {
				continue // the same after a quote prefix
			}
			if w.Form == Bare {
				end = int(w.Inner.End) + len(w.Tail)
				// Only later text shows that an opening bracket is never closed.
				if end == len(c.text) || !strings.Contains(" \n", c.text[end:end+1]) || strings.ContainsAny(c.text[:w.Outer.Start], "<\"'“„‘«»’”「『‹") {
					continue
				}
				end++
			}
			asked++
			p := &pausing{text: c.text[:end]}
			s := NewScanner(p, c.opts)
			for range i + 1 {
				if err := s.Next(new(Candidate)); err != nil {
					t.Errorf("%s: candidate %d of %q: %v", c.where, i, c.text[:end], err)
				}
			}
			if p.asked {
				t.Errorf("%s: candidate %d: more was read than %q", c.where, i, c.text[:end])
			}
		}
	}
	if asked < 100 {
		t.Errorf("asked only %d times", asked)
	}
}
