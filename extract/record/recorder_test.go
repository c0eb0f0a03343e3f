package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// randomResult returns a result with random fields. Its strings are those of origin, or copies of
// these.
func randomResult(r *rand.Rand) *extract.Result {
	some := func(texts ...string) []byte { return []byte(texts[r.IntN(len(texts))]) }
	text := func() []byte {
		return append(some("http://example.org/", "http://a..b:1/", "https://u:p@h", "http://WWW.xn--mller-kva.de", "http://www.m%C3%BCller.de/x", "http://m%FCller.de/", "", "urn:x", "x", "+a:x", "-b://c.example/", "https://t.co", "http://b.example/?u=http%3A%2F%2Fc.example"), some(append(texts, "/abc?d", "/a,b", "%00")...)...)
	}
	rare := func() bool { return r.IntN(8) == 0 }
	name := func() string {
		if r.IntN(3) > 0 {
			return ""
		}
		return string(some("a", "b", "a\n", "news.group,other", strings.Repeat("x", 99)))
	}
	number := func() int64 {
		n := r.Int64() >> r.IntN(64)
		if rare() {
			n = -n
		}
		return n
	}
	c := new(extract.Result)
	c.Candidate = delimit.Candidate{
		Text: text(), Form: delimit.Form(r.IntN(6)), Prefixed: rare(), By: delimit.Extra(r.IntN(2) * r.IntN(16)),
	}
	c.Candidate.Ref, c.URL = c.Candidate.Text, c.Candidate.Text
	if rare() {
		c.URL = text()
	}
	if rare() {
		c.URL = bytes.Clone(c.URL)
	}
	if rare() {
		c.Candidate.Tail = some(".", "\"", ")", ").", "\x1b", strings.Repeat("!", 1000))
		c.Candidate.Others = delimit.WithTail
		if rare() {
			c.Candidate.Others |= delimit.Entity
		}
	}
	if rare() {
		c.Candidate.Breaks = int(number())
	}
	c.Parts = uri.Split(c.URL)
	c.Accepts, _ = uri.Accepts(c.URL, c.Parts, uri.Every)
	if c.Valid = c.Accepts&uri.Default != 0; !c.Valid && rare() {
		c.Err = errors.New(string(text()))
	}
	if rare() {
		c.Target, c.Base, c.BaseSource = text(), name(), extract.BaseSource(r.IntN(6))
	}
	c.Origin = extract.Origin{
		Source: name(), Member: name(), Message: r.IntN(2) * r.IntN(1000), Part: name(), Field: name(),
		Offset: number(), Length: number(), Line: number(), Column: number(), Exact: !rare(), Fields: extract.Fields{MessageID: name(), Date: name(), Newsgroups: name(), WARCTarget: name(), WARCType: name(), Subject: name(), From: name()},
	}
	return c
}

// randomOrder returns results in an order in which messages stay the same for a while.
func randomOrder(r *rand.Rand, n int) (some []*extract.Result) {
	var origin extract.Origin
	for range n {
		c := randomResult(r)
		if r.IntN(3) > 0 { // a result of the same message
			here := c.Origin
			c.Origin = origin
			c.Origin.Offset, c.Origin.Length, c.Origin.Line, c.Origin.Column, c.Origin.Exact = here.Offset, here.Length, here.Line, here.Column, here.Exact
		}
		if r.IntN(8) == 0 {
			c.Origin.Field = strings.Clone(origin.Field) // an equal string at another address
		}
		origin = c.Origin
		some = append(some, c)
	}
	return some
}

func (e *Encoder) recorders() []*recorder { return []*recorder{&e.json, &e.csv, &e.tsv} }

// byTable appends the record of r, made field by field: the slow twin of record.
func (w *recorder) byTable(dst []byte, v *view, r *extract.Result) []byte {
	v.of(r)
	start := len(dst)
	return w.finish(w.appendFields(append(dst, w.open...), v, w.columns), start)
}

// TestInstructions compares the cached encoding in instructions with the encoding by the table of fields, for random
// sequences of results: with all columns, and with any choice of columns in any order.
func TestInstructions(t *testing.T) {
	r := rand.New(rand.NewPCG(8259, 1))
	choices := 20
	if long {
		choices = 200
	}
	for choice := range choices {
		some, results := Fields(), 20*choices
		if choice >= 8 {
			r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
			if some = some[:1+r.IntN(len(some))]; choice%2 == 0 { // in the table's order, with gaps
				some = slices.DeleteFunc(Fields(), func(f Field) bool {
					return !slices.ContainsFunc(some, func(g Field) bool { return f.Name == g.Name })
				})
			}
			results = 200
		}
		o := Options{Fields: some, Redact: choice%5 == 1, Guard: choice%3 == 1, Visible: choice%7 == 1}
		e, twin := New(o), New(o)
		for _, c := range randomOrder(r, results) {
			before := bytes.Repeat([]byte("x"), r.IntN(3))
			for i, w := range e.recorders() {
				got := w.record(slices.Clip(bytes.Clone(before)), &e.view, c)
				want := twin.recorders()[i].byTable(bytes.Clone(before), &twin.view, c)
				if !bytes.Equal(got, want) {
					t.Fatalf("%s\n%s\nby the table\n%s", strings.Join(Names(some), " "), got, want)
				}
			}
		}
	}
}

// TestInstructionsUsed checks that the whole record consists of four instructions, and then fields that differ in
// each result. Otherwise encoding is slow.
func TestInstructionsUsed(t *testing.T) {
	for _, w := range New(Options{}).recorders() {
		var ops []op
		for _, s := range w.instructions {
			ops = append(ops, s.op)
		}
		if !w.whole {
			t.Errorf("the instructions are %d: a field among those of another instruction, without its promise (varies), divides it; give it one, or make it the last field", ops)
		}
	}
}

// TestInstructionsAfter checks that fields without varies may follow the four instructions, that they are in
// every record, and that they may not be elsewhere.
func TestInstructionsAfter(t *testing.T) {
	differs := Field{Name: "differs", integer: func(v *view) int64 { return v.r.Origin.Offset*2 + 1 }}
	scheme := Field{Name: "text again", bytes: (*view).text}
	columns := append(Fields(), differs, scheme)
	r := rand.New(rand.NewPCG(8259, 4))
	for _, o := range []Options{{}, {Redact: true}, {Guard: true}} {
		o.Fields = columns
		e, twin := New(o), New(o)
		if !e.json.whole {
			t.Fatal("the record is not made by fastAppend")
		}
		results := 1500
		if long {
			results = 20_000
		}
		for _, c := range randomOrder(r, results) {
			for i, w := range e.recorders() {
				got, want := w.record(nil, &e.view, c), twin.recorders()[i].byTable(nil, &twin.view, c)
				if !bytes.Equal(got, want) || !bytes.Contains(got, strconv.AppendInt(nil, differs.integer(&e.view), 10)) {
					t.Fatalf("%s\nby the table\n%s", got, want)
				}
			}
		}
	}
	for at := range Fields() {
		if at == 0 {
			continue // in front of all other fields
		}
		if divided := slices.Insert(Fields(), at, differs); New(Options{Fields: divided}).json.whole {
			t.Errorf("a field in front of %s divides no instruction", Fields()[at].Name)
		}
	}
}

// TestInstructionsAlloc checks that alternating kinds and messages allocate nothing.
func TestInstructionsAlloc(t *testing.T) {
	r := rand.New(rand.NewPCG(8259, 2))
	e := New(Options{})
	var some []*extract.Result
	for len(some) < 2000 {
		c := randomResult(r)
		v := view{r: c}
		host := v.reference().lower(uri.Host)
		international := beyondASCII(host) || bytes.Contains(host, []byte(acePrefix))
		if c.Err = nil; c.Origin.Date == "" && !international { // these texts are made only when they are needed
			some = append(some, c)
		}
	}
	line := make([]byte, 0, 64<<10)
	all := func() {
		for _, c := range some {
			e.AppendJSON(line, c)
			e.AppendCSV(line, c)
		}
	}
	all()
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Error(n)
	}
}

// TestUnescaped checks that no grammar in noQuotes accepts a byte that JSON escapes, or a space.
func TestUnescaped(t *testing.T) {
	for b := range 256 {
		for _, text := range []string{"http://h/%s", "http://h/?%s", "http://h/#%s", "http://%s/", "http://%s@h/", "http://h:%s/", "x:%s", "%s", "%s:x"} {
			s := strings.Replace(text, "%s", string([]byte{byte(b)}), 1)
			if got, _ := uri.Accepts(s, uri.Split(s), noQuotes); got != 0 && (!plain[b] || b == ' ') {
				t.Errorf("%q: %v", s, got)
			}
		}
	}
}

// TestDigits compares numbers with those of package fmt, around the powers of two and of ten.
func TestDigits(t *testing.T) {
	k := pieceOf(`,"line":`)
	check := func(n int64) {
		var to space
		for i := range to {
			to[i] = '#'
		}
		end := putNumber(&to, k.put(&to, 1), n)
		if got, want := string(to[:end]), fmt.Sprintf(`#,"line":%d`, n); got != want {
			t.Errorf("%d: %s, not %s", n, got, want)
		}
		if after := string(to[end+pieceSize:]); strings.Trim(after, "#") != "" {
			t.Errorf("%d: after it comes %q", n, after)
		}
	}
	for shift := range 64 {
		for d := range int64(3) {
			check(1<<shift + d - 1)
		}
	}
	for n := int64(1); n < math.MaxInt64/10; n *= 10 {
		for d := range int64(3) {
			check(n + d - 1)
			check(-n - d)
		}
	}
	for n := range int64(10_000) { // all groups of four digits, at each place of such a group
		check(n)
		check(n*1e4 + 9999 - n)
		check(n*1e8 + 1)
		check(n*1e12 + n*1e4)
	}
}
