package delimit

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A stopper is a reader that ends a Read at one offset of its text, and calls a function in the
// next Read.
type stopper struct {
	text string
	at   int // offset of the next Read
	stop int
	then func()
}

func (s *stopper) Read(p []byte) (int, error) {
	if s.at == s.stop {
		s.then()
	}
	rest := s.text[s.at:]
	if s.at < s.stop {
		rest = s.text[s.at:s.stop]
	}
	if s.at == len(s.text) {
		return 0, io.EOF
	}
	n := copy(p, rest)
	s.at += n
	return n, nil
}

// stateAt returns the State of a Scanner that has read text from the line at from to stop, and the
// candidates after stop. lines is the number of lines in front of from.
func stateAt(t *testing.T, text string, from, stop int, lines int64, opts Options) (st State, found []slowCandidate) {
	t.Helper()
	s := newScanner(nil, opts, 2000)
	loud := false
	s.Reset(&stopper{text: text, at: from, stop: stop, then: func() { st, loud = s.State(), true }})
	var buf []byte
	var c Candidate
	for {
		err := s.Next(&c)
		if err == io.EOF {
			return st, found
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Line += lines
		for _, at := range []*int64{&c.Inner.Start, &c.Inner.End, &c.Outer.Start, &c.Outer.End} {
			*at += int64(from)
		}
		if loud {
			found = append(found, plain(&c, &buf))
		}
	}
}

// TestState starts Scanners at lines of random texts. Where their States agree, all later
// candidates must be equal.
func TestState(t *testing.T) {
	rounds := 4000
	if !long {
		rounds = 400
	}
	r := rand.New(rand.NewPCG(7, 8))
	equal := 0
	for round := range rounds {
		opts := Options{MaxLen: 300}
		if round%2 == 0 {
			opts.Extras = Abbreviated | Defanged | Rejoin | Address
		}
		text := randomText(r, 300+r.IntN(600))
		if round%3 == 0 {
			text = strings.ReplaceAll(text, "@", "@b.example>\nMessage-ID: <")
		}
		stop := len(text)/2 + r.IntN(len(text)/2)
		from := r.IntN(stop)
		from += strings.IndexByte(text[from:], '\n') + 1
		if from == 0 || from >= stop || text[from-1] != '\n' {
			continue
		}
		want, all := stateAt(t, text, 0, stop, 0, opts)
		got, found := stateAt(t, text, from, stop, int64(strings.Count(text[:from], "\n")), opts)
		if !got.Agrees(want) {
			continue
		}
		equal++
		if got.Offset+int64(from) != want.Offset || want.Offset != int64(stop) || got.Floor+int64(from) != want.Floor {
			t.Fatalf("%q\nfrom %d, at %d: %+v, %+v", text, from, stop, got, want)
		}
		if !slices.EqualFunc(found, all, func(a, b slowCandidate) bool { return a.String() == b.String() }) {
			t.Fatalf("%q\nfrom %d, at %d, %+v: %s", text, from, stop, got, differ(found, all))
		}
	}
	if equal < rounds/4 {
		t.Errorf("%d of %d are equal", equal, rounds)
	}
	t.Logf("%d of %d are equal", equal, rounds)
}

// TestReadWithinRune cuts text in two Reads at every byte.
func TestReadWithinRune(t *testing.T) {
	const text = "'http://t.example/'\u00fcword \u201chttp://a.example/\u201d\u00fc 'http://b.example/'\u3002 <http://c.example/\u00fc> http://d.example/\u4e2d \"http://e.example/\"\u00fc\n"
	want := scan(t, strings.NewReader(text), Options{})
	for i := range len(text) {
		if d := differ(scan(t, io.MultiReader(strings.NewReader(text[:i]), strings.NewReader(text[i:])), Options{}), want); d != "" {
			t.Errorf("cut at %d: %s", i, d)
		}
	}
}
