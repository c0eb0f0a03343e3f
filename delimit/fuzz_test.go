package delimit

import (
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// addSeeds adds seeds to a fuzz target: the marked texts, the public table and the texts with all
// forms.
func addSeeds(f *testing.F, add func(text []byte, extras byte)) {
	for _, c := range markedCases(f) {
		add([]byte(c.text), byte(c.opts.Extras))
	}
	for _, row := range publicCases(f) {
		if len(row.Text) < 500 {
			add([]byte(row.Text), byte(row.options(f).Extras))
		}
	}
	add([]byte(allForms), 0xFF)
	for _, row := range ruleTexts {
		add([]byte(row.text), byte(Abbreviated|Defanged|Address))
	}
}

// FuzzTwin compares the Scanner with slowFind. The extras are off: the specification describes them
// only by examples, and the marked texts contain these.
func FuzzTwin(f *testing.F) {
	addSeeds(f, func(text []byte, _ byte) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1000 || open(string(text)) {
			return
		}
		found := scan(t, bytes.NewReader(text), Options{})
		if d := differ(found, slowFind(text, Options{})); d != "" {
			t.Errorf("%q\n%s", text, d)
		}
		if err := sound(text, found); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// A choppy reader returns its text in pieces. It uses the given sizes in turn.
type choppy struct {
	text  []byte
	sizes []byte
	turn  int
}

func (c *choppy) Read(b []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	n := 1
	if len(c.sizes) > 0 {
		n = 1 + int(c.sizes[c.turn%len(c.sizes)])
		c.turn++
	}
	n = copy(b, c.text[:min(n, len(c.text))])
	c.text = c.text[n:]
	return n, nil
}

// FuzzChunks checks that candidates do not depend on the ends of reads, also with all extras and
// small limits, and that they are sound.
func FuzzChunks(f *testing.F) {
	addSeeds(f, func(text []byte, extras byte) { f.Add(text, extras, []byte{0, 3, 17}, byte(0)) })
	f.Add([]byte("http://a/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b"), byte(0), []byte{5}, byte(1))
	f.Add([]byte(`http:/a.example/ https;//b.example http.//c.example. http:////d.example/e http:\\f.example\g http://[::1 ftp//h.example`), byte(0), []byte{0, 3}, byte(2))
	f.Fuzz(func(t *testing.T, text []byte, extras byte, sizes []byte, limit byte) {
		opts := Options{Extras: Extra(extras) & (Abbreviated | Defanged | Rejoin | Address), Malformed: limit&2 != 0}
		if limit&1 != 0 {
			opts.MaxLen, opts.MaxBreaks = 16+int(limit), 1+int(limit)/16
		}
		whole := scan(t, bytes.NewReader(text), opts)
		chunks := scan(t, &choppy{text: text, sizes: sizes}, opts)
		if !slices.EqualFunc(whole, chunks, func(a, b slowCandidate) bool { return a.String() == b.String() }) {
			t.Errorf("%q in chunks of %v: %s", text, sizes, differ(chunks, whole))
		}
		if err := sound(text, whole); err != nil && !opts.Malformed {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestReaderErrors checks that the candidates that are complete before an error of the reader come
// first. Then each call returns the error. A candidate at the error is not complete, because it
// might continue.
func TestReaderErrors(t *testing.T) {
	text := "see http://example.org/a and <http://example.org/b> and <http://example.org/d is cut, as is http://example.org/c"
	r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(iotest.ErrTimeout))
	s := NewScanner(r, Options{})
	found, err := collect(s)
	if len(found) != 3 || err != iotest.ErrTimeout {
		t.Errorf("%v, %v", found, err)
	}
	if err := s.Next(new(Candidate)); err != iotest.ErrTimeout {
		t.Errorf("the next time: %v", err)
	}
}

// TestAll checks that All yields the same candidates as Next, whatever was in its Candidate, which
// an error makes zero.
func TestAll(t *testing.T) {
	var all, next, into []slowCandidate
	var buf []byte
	for c, err := range NewScanner(strings.NewReader(allForms), Options{}).All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, plain(&c, &buf))
	}
	next = scan(t, strings.NewReader(allForms), Options{})
	if d := differ(all, next); d != "" || len(all) < 10 {
		t.Errorf("%d candidates, %s", len(all), d)
	}
	var c Candidate
	s := NewScanner(strings.NewReader(allForms), Options{})
	for s.Next(&c) == nil {
		into = append(into, plain(&c, &buf))
		c = Candidate{Tail: []byte("x"), Breaks: 7, Prefixed: true, By: Address, Others: WithTail,
			otherReadings: otherReadings{next: []byte("y"), hyphens: 2, json: true}}
	}
	if d := differ(into, next); d != "" || !reflect.DeepEqual(c, Candidate{}) {
		t.Errorf("at the end %+v, %s", c, d)
	}
}

// TestTooLong checks that a run beyond the limit is skipped whole, and counted.
func TestTooLong(t *testing.T) {
	for _, n := range []int{8192, 8193, 9000, 100_000, 1_000_000} {
		long := "http://example.org/"
		long += strings.Repeat("y", n-len(long))
		s := NewScanner(strings.NewReader("http://a.example/ "+long+" http://b.example/"), Options{})
		found, _ := collect(s)
		want, skipped := 2, int64(1)
		if n <= 8192 {
			want, skipped = 3, 0
		}
		if runs, bytes := s.Skipped(); len(found) != want || runs != skipped || bytes != skipped*int64(n) {
			t.Errorf("%d bytes: %d found, %d skipped of %d bytes", n, len(found), runs, bytes)
		}
	}
}
