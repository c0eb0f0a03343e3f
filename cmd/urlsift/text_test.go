package main

import (
	"errors"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// sample returns a result with something in every field that a text can fill.
func sample(text string) *extract.Result {
	r := new(extract.Result)
	r.Candidate.Text = []byte(text)
	r.Candidate.Ref = r.Candidate.Text
	r.URL = []byte(text)
	r.Target = []byte("http://example.org/" + text)
	r.Base = text
	r.BaseSource = extract.FromOption
	r.Accepts = 0b110000
	r.Valid = true
	r.Candidate.Form = 2
	r.Candidate.Prefixed = true
	r.Candidate.Breaks = 2
	r.Candidate.Tail = []byte(text)
	r.Candidate.By = 0b11
	r.Err = errors.New(text)
	r.Origin = extract.Origin{Source: text, Member: text, Message: 3, MessageID: text, Part: "1.2", Offset: 4, Length: 5, Line: 6, Column: 7, Exact: true}
	return r
}

// TestText holds how a line begins and ends.
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
		o    options
		safe bool
		r    *extract.Result
		want string
	}{
		{options{}, false, r, "http://example.org/x\x1b[1m\xff\n"},
		{options{}, true, r, `http://example.org/x\x1b[1m\xff` + "\n"},
		{options{null: true}, false, r, "http://example.org/x\x1b[1m\xff\x00"},
		{options{place: withName}, false, r, "a\n.tar!b.txt:http://example.org/x\x1b[1m\xff\n"},
		{options{place: withName}, true, r, `a\x0a.tar!b.txt:http://example.org/x\x1b[1m\xff` + "\n"},
		{options{place: withLine | withColumn | withOffset}, true, r, `6:7:4:http://example.org/x\x1b[1m\xff` + "\n"},
		{options{}, false, refused, "http://[x]/\t" + `bad\x0ahost` + "\n"},
	} {
		if got := string(newPrinter(&c.o, c.safe).append(nil, c.r)); got != c.want {
			t.Errorf("%+v: %q, not %q", c.o, got, c.want)
		}
	}
}

// TestTextAlloc holds that a line allocates nothing once the printer is warm.
func TestTextAlloc(t *testing.T) {
	r := &extract.Result{URL: []byte("http://example.org/ä\x01"), Valid: true}
	line := make([]byte, 0, 4096)
	p := newPrinter(&options{place: withName | withLine}, false)
	p.append(line, r)
	if n := testing.AllocsPerRun(100, func() { p.append(line, r) }); n != 0 {
		t.Error(n)
	}
}
