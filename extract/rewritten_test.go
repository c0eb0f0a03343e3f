package extract_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// A letter is a message of a mailbox that programs rewrite.
type letter struct {
	text   string // without the From_ line
	fields string // which programs change
	from   string
}

// A rewriter changes a mailbox as programs do.
type rewriter struct {
	next    func(n int) int // a number less than n
	most    int             // a text has fewer lines
	letters []letter
	number  int
}

// add makes a message, perhaps one without references, or one with a line that looks like another message.
func (w *rewriter) add() letter {
	w.number++
	var b strings.Builder
	fmt.Fprintf(&b, "Subject: http://s.example/%d\nFrom: a@b.example\n", w.number)
	switch w.next(6) {
	case 0:
		b.WriteString("Content-Type: multipart/mixed; boundary=x\n\nhttp://before.example/\n--x\n\nhttp://part.example/\n--x--\n")
	case 1:
		b.WriteString("\n\n\nFrom here on\nhttp://m.example/x\n>From there\n")
	case 2:
		b.WriteString("Content-Transfer-Encoding: base64\n\naHR0cDovL2I2NC5leGFtcGxlLw==\n")
	default:
		b.WriteString("\n")
	}
	for range w.next(4) {
		if strings.HasSuffix(b.String(), "=\n") {
			break // of base64
		}
		fmt.Fprintf(&b, "http://m.example/%d\n%s", w.number, strings.Repeat("more\n", w.next(w.most)))
	}
	return letter{text: b.String(), from: "From a@b.example Mon Nov 23 00:10:00 2026"}
}

// change changes the mailbox once.
func (w *rewriter) change() {
	at := func() int { return w.next(len(w.letters)) }
	kind := w.next(9)
	if len(w.letters) == 0 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		w.letters = append(w.letters, w.add())
	case 2:
		w.letters = slices.Insert(w.letters, at(), w.add())
	case 3:
		i := at()
		w.letters = slices.Delete(w.letters, i, i+1)
	case 4:
		w.letters = append(w.letters, w.letters[at()]) // a duplicate
	case 5:
		i, k := at(), at()
		w.letters[i], w.letters[k] = w.letters[k], w.letters[i]
	case 6:
		w.letters[at()].from = "From - Tue Nov 24 00:10:00 2026"
	default:
		l := &w.letters[at()]
		l.fields = fmt.Sprintf("X-UID: %d\nStatus: %s\n", w.next(1000), []string{"O", "RO", "R"}[w.next(3)])
		if w.next(2) == 0 {
			l.fields += "X-Keywords: \n $label\nX-Mozilla-Status: 0001\nContent-Length: " + fmt.Sprint(len(l.text)-strings.Index(l.text, "\n\n")-2) + "\n"
		}
	}
}

// bytes returns the mailbox.
func (w *rewriter) bytes(packed bool) []byte {
	var b bytes.Buffer
	for _, l := range w.letters {
		fmt.Fprintf(&b, "%s\n%s%s\n", l.from, l.fields, l.text)
	}
	if !packed {
		return b.Bytes()
	}
	var z bytes.Buffer
	in := gzip.NewWriter(&z)
	_, _ = in.Write(b.Bytes())
	_ = in.Close()
	return z.Bytes()
}

// resumeRewritten is resume for mailboxes that are rewritten. All bytes are compared, since letters have equal lengths.
func (b notebook) resumeRewritten(t *testing.T, growing bool) *extract.Resume {
	resume := b.resume(t, growing)
	begin := resume.Begin
	resume.Begin = func(f *extract.File) extract.Place {
		p := begin(f)
		if !f.HasAll(&p) {
			p = extract.Place{}
		}
		var was extract.Place
		if kept := b[f.Name]; p.Text == 0 && kept != nil && was.UnmarshalBinary(kept) == nil {
			p.Remember(&was, b.identities(f.Name))
		}
		return p
	}
	return resume
}

// rewrite changes a mailbox, and reads it after some changes, often in runs that end early. What they
// yield must be what a run that reads everything yields of the new messages.
func rewrite(t *testing.T, next func(n int) int, most int, packed bool, changes int) {
	w := &rewriter{next: next, most: most}
	file := filepath.Join(t.TempDir(), "box")
	b := notebook{}
	known := map[string]int{}
	seen := 0 // results of the current run
	run := func(resume *extract.Resume, most int) (got []string) {
		x, err := extract.New(extract.Options{Resume: resume})
		if err != nil {
			t.Fatal(err)
		}
		seen = 0
		for r, err := range x.Run(context.Background(), extract.Walk(file)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%d:%s @%d %d %s", r.Origin.Message, r.Origin.Part, r.Origin.Offset, r.Origin.Line, r.URL))
			if seen++; seen == most {
				break
			}
		}
		return got
	}
	for n := range changes {
		for range 1 + next(4) {
			w.change()
		}
		if err := os.WriteFile(file, w.bytes(packed), 0o666); err != nil {
			t.Fatal(err)
		}
		all := run(nil, -1)
		var got []string
		cut, ended := 0, false
		for ; !ended; cut++ {
			growing := cut == 0 && next(3) == 0
			resume := b.resumeRewritten(t, growing)
			note, kept := resume.Reached, 0
			resume.Reached = func(f *extract.File, p *extract.Place) {
				note(f, p)
				kept = seen
			}
			most := 1 + next(40)
			if next(2) == 0 || cut > 20 {
				most = 1 << 30
			}
			some := run(resume, most)
			ended = len(some) < most && !growing
			got = append(got, some[:kept]...)
		}
		left := map[string]int{}
		for k, v := range known {
			left[k] = v
		}
		clear(known)
		isNew := map[string]bool{}
		for i, l := range w.letters {
			known[l.text]++
			if left[l.text] > 0 {
				left[l.text]--
				continue
			}
			isNew[fmt.Sprint(i+1)] = true
		}
		var want []string
		for _, line := range all {
			if number, _, _ := strings.Cut(line, ":"); isNew[number] {
				want = append(want, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("after %d changes, %d messages: yielded\n%s\nnot\n%s", n, len(w.letters), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestRewritten rewrites mailboxes at random.
func TestRewritten(t *testing.T) {
	defer extract.SetResume(0, 64<<10)()
	rounds := 3
	switch {
	case full:
		rounds = 100
	case long:
		rounds = 20
	}
	for seed := range rounds {
		for _, packed := range []bool{false, true} {
			rewrite(t, rand.New(rand.NewPCG(uint64(seed), 5)).IntN, 3000, packed, 30)
		}
	}
}

// FuzzRewritten is TestRewritten with changes that the input decides.
func FuzzRewritten(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), false)
	f.Fuzz(func(t *testing.T, choices []byte, packed bool) {
		defer extract.SetResume(0, 64<<10)()
		next := func(n int) int {
			if len(choices) == 0 {
				return n - 1
			}
			c := int(choices[0])
			choices = choices[1:]
			return c % n
		}
		rewrite(t, next, 40, packed, min(20, 1+len(choices)/10))
	})
}
