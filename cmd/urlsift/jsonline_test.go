package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// randomResult returns a result with the fields that r chooses. Its strings are
// those of origin, or others of the same text.
func randomResult(r *rand.Rand) *extract.Result {
	some := func(texts ...string) []byte { return []byte(texts[r.IntN(len(texts))]) }
	text := func() []byte {
		return append(some("http://example.org/", "http://a..b:1/", "https://u:p@h", "", "urn:x", "x"), some(append(texts, "/abc?d", "%00")...)...)
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
	c.Found = delimit.Candidate{
		Text: text(), Form: delimit.Form(r.IntN(6)), Prefixed: rare(), By: delimit.Extra(r.IntN(2) * r.IntN(16)),
	}
	c.Found.Ref, c.URL = c.Found.Text, c.Found.Text
	if rare() {
		c.URL = text()
	}
	if rare() {
		c.URL = bytes.Clone(c.URL)
	}
	if rare() {
		c.Found.Tail = some(".", "\"", ")", ").", "\x1b", strings.Repeat("!", 1000))
		c.Found.Others = delimit.WithTail
		if rare() {
			c.Found.Others |= delimit.Entity
		}
	}
	if rare() {
		c.Found.Breaks = int(number())
	}
	c.Parts = uri.Split(c.URL)
	c.Accepts, _ = uri.Accepts(c.URL, c.Parts, uri.Every)
	if c.Valid = c.Accepts&uri.Default != 0; !c.Valid && rare() {
		c.Err = errors.New(string(text()))
	}
	if rare() {
		c.Target, c.Base, c.BaseFrom = text(), name(), extract.BaseFrom(r.IntN(6))
	}
	c.Origin = extract.Origin{
		Source: name(), Member: name(), Message: r.IntN(2) * r.IntN(1000), Part: name(), MessageID: name(), Date: name(), Newsgroups: name(), Field: name(),
		Offset: number(), Length: number(), Line: number(), Column: number(), Exact: !rare(),
	}
	return c
}

// TestLine holds that the hot path makes of any result, behind any other, what the
// table makes of it.
func TestLine(t *testing.T) {
	r := rand.New(rand.NewPCG(8259, 1))
	p := newPrinter(&options{format: asJSON}, false).(*jsonPrinter)
	twin := newPrinter(&options{format: asJSON}, false).(*jsonPrinter)
	var origin extract.Origin
	for range 20_000 {
		c := randomResult(r)
		if r.IntN(3) > 0 { // of the same message
			here := c.Origin
			c.Origin = origin
			c.Origin.Offset, c.Origin.Length, c.Origin.Line, c.Origin.Column, c.Origin.Exact = here.Offset, here.Length, here.Line, here.Column, here.Exact
		}
		if r.IntN(8) == 0 {
			c.Origin.Field = strings.Clone(origin.Field) // the same elsewhere
		}
		origin = c.Origin
		before := bytes.Repeat([]byte("x"), r.IntN(3))
		got := p.append(slices.Clip(bytes.Clone(before)), c)
		want := twin.appendByTable(bytes.Clone(before), c)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\nby the table\n%s", got, want)
		}
	}
}

// TestLineAlloc holds that kinds and places that come and go allocate nothing.
func TestLineAlloc(t *testing.T) {
	r := rand.New(rand.NewPCG(8259, 2))
	p := newPrinter(&options{format: asJSON}, false)
	var some []*extract.Result
	for len(some) < 2000 {
		c := randomResult(r)
		c.Err, c.Found.Others = nil, 0 // the text of which is made when it is asked for
		if len(c.Found.Text) < 8<<10 { // what most readings fit in
			some = append(some, c)
		}
	}
	line := make([]byte, 0, 64<<10)
	all := func() {
		for _, c := range some {
			p.append(line, c)
		}
	}
	all()
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Error(n)
	}
}

// FuzzString holds that a text is copied and escaped as the plain way has it, and
// that nothing else is written.
func FuzzString(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	for b := range 256 { // each byte in each place of a word
		for at := range 8 {
			text := []byte("abcdefgh")
			text[at] = byte(b)
			f.Add(text)
			f.Add(append(text, '!'))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, want := appendString([]byte("a"), text), appendEscaped([]byte("a"), text)
		if !bytes.Equal(got, want) {
			t.Errorf("%q is %q, by the plain way %q", text, got, want)
		}
		room := bytes.Repeat([]byte("#"), len(want)+64)
		got = appendString(room[:1], text)
		if &got[0] == &room[0] && bytes.Count(room[len(got):], []byte("#")) != len(room)-len(got) {
			t.Errorf("%q: something is behind the end", text)
		}
	})
}

// TestStrict holds that no grammar of strict takes what JSON escapes.
func TestStrict(t *testing.T) {
	for b := range 256 {
		for _, text := range []string{"http://h/%s", "http://h/?%s", "http://h/#%s", "http://%s/", "http://%s@h/", "http://h:%s/", "x:%s", "%s", "%s:x"} {
			s := strings.Replace(text, "%s", string([]byte{byte(b)}), 1)
			if got, _ := uri.Accepts(s, uri.Split(s), uri.Grammar(strict)); got != 0 && !plain[b] {
				t.Errorf("%q: %v", s, got)
			}
		}
	}
}

// TestDigits holds numbers to fmt, around the powers of two and of ten.
func TestDigits(t *testing.T) {
	k := lineKey
	check := func(n int64) {
		to := append(bytes.Repeat([]byte("#"), 1+numberRoom), "behind"...)
		base := unsafe.Pointer(&to[0])
		end := uintptr(putNumber(k.put(unsafe.Add(base, 1)), n)) - uintptr(base)
		if got, want := string(to[:end]), fmt.Sprintf(`#,"line":%d`, n); got != want {
			t.Errorf("%d: %s, not %s", n, got, want)
		}
		if string(to[1+numberRoom:]) != "behind" {
			t.Errorf("%d: what is behind is %q", n, to)
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
	for n := range int64(10_000) { // all of four digits, in each place where four stand
		check(n)
		check(n*1e4 + 9999 - n)
		check(n*1e8 + 1)
		check(n*1e12 + n*1e4)
	}
}

// BenchmarkRecord is what a result costs in each format.
func BenchmarkRecord(b *testing.B) {
	text := []byte("http://www.example.org/presentations/images/kibana-search.png")
	c := &extract.Result{URL: text, Parts: uri.Split(text), Accepts: uri.Every, Valid: true}
	c.Found = delimit.Candidate{Text: text, Ref: text, Raw: text, Form: delimit.Quote}
	c.Origin = extract.Origin{Source: "access.log", Line: 12345, Column: 139, Length: int64(len(text)), Exact: true}
	line := make([]byte, 0, 4096)
	for f, name := range formatNames {
		b.Run(name, func(b *testing.B) {
			p := newPrinter(&options{format: format(f)}, false)
			b.ReportAllocs()
			for b.Loop() {
				c.Origin.Offset += 321
				p.append(line, c)
			}
		})
	}
}
