package delimit

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// scan runs a Scanner over r and returns what it found as plain values.
func scan(t testing.TB, r io.Reader, opts Options) []slowCandidate {
	t.Helper()
	found, err := collect(NewScanner(r, opts))
	if err != io.EOF {
		t.Fatalf("Next: %v", err)
	}
	return found
}

func collect(s *Scanner) (found []slowCandidate, err error) {
	var buf []byte
	for {
		var c Candidate
		err := s.Next(&c)
		if err != nil {
			return found, err
		}
		found = append(found, plain(&c, &buf))
	}
}

// plain copies c with all its readings. buf is spare memory for those.
func plain(c *Candidate, buf *[]byte) slowCandidate {
	p := slowCandidate{Text: string(c.Text), Ref: string(c.Ref), Raw: string(c.Raw), Tail: string(c.Tail),
		Inner: c.Inner, Outer: c.Outer, Line: c.Line, Column: c.Column, Breaks: c.Breaks,
		Form: c.Form, Prefixed: c.Prefixed, By: c.By}
	for reason, text := range c.Readings(*buf) {
		p.Readings = append(p.Readings, slowReading{reason, string(text)})
		*buf = text
	}
	return p
}

// normal removes from c what the specification leaves open: the order of the readings, and which
// eight are given if there are more than eight ways to read hyphens.
func normal(c slowCandidate) slowCandidate {
	c.Readings = slices.Clone(c.Readings)
	slices.SortFunc(c.Readings, func(a, b slowReading) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	hyphens := 0
	for _, r := range c.Readings {
		if r.Reason == NoHyphen {
			hyphens++
		}
	}
	if hyphens >= 7 {
		c.Readings = slices.DeleteFunc(c.Readings, func(r slowReading) bool { return r.Reason == NoHyphen })
	}
	if len(c.Readings) == 0 {
		c.Readings = nil
	}
	return c
}

// differ describes the first difference of two lists of candidates, or returns "".
func differ(got, want []slowCandidate) string {
	var b strings.Builder
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = normal(got[i]).String()
		}
		if i < len(want) {
			w = normal(want[i]).String()
		}
		if g != w {
			fmt.Fprintf(&b, "candidate %d:\n   got %s\n  want %s\n", i, g, w)
		}
	}
	return b.String()
}

// sound checks properties that every list of candidates in text must have.
func sound(text []byte, found []slowCandidate) error {
	last := int64(0)
	for _, c := range found {
		switch {
		case c.Outer.Start < last || c.Outer.End > int64(len(text)):
			return fmt.Errorf("out of order or outside: %v", c)
		case c.Inner.Start < c.Outer.Start || c.Inner.End > c.Outer.End || c.Inner.Len() <= 0:
			return fmt.Errorf("outer does not hold inner: %v", c)
		case c.Raw != string(text[c.Inner.Start:c.Inner.End]):
			return fmt.Errorf("raw is not what stands at inner: %v", c)
		case !bytes.HasPrefix(text[c.Inner.End:], []byte(c.Tail)):
			return fmt.Errorf("tail is not the text after inner: %v", c)
		}
		last = c.Outer.End
	}
	return nil
}
