package uri_test

import (
	"net/url"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// bench63 is 63 bytes long, and all six grammars take it.
var bench63 = []byte("http://www.ics.uci.edu/pub/ietf/uri/rev-2002/issues.html?path+x")

func BenchmarkSplitAccepts(b *testing.B) {
	b.SetBytes(int64(len(bench63)))
	b.ReportAllocs()
	for b.Loop() {
		p := uri.Split(bench63)
		if got, _ := uri.Accepts(bench63, p, uri.Every); got != uri.Every {
			b.Fatal("refused")
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	b.SetBytes(int64(len(bench63)))
	for b.Loop() {
		uri.Split(bench63)
	}
}

// net/url beside it; it makes a value of its own, so the work is not the same.
func BenchmarkNetURLParse(b *testing.B) {
	s := string(bench63)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := url.Parse(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendTarget(b *testing.B) {
	ref := []byte("../../draft-fielding-uri/./rev-2002/../issues.html?q#f")
	for g := range (uri.URI2002 | uri.RFC3986).Each() {
		b.Run(g.String(), func(b *testing.B) {
			base, err := uri.NewBase(uri.MustParse("http://www.ics.uci.edu/pub/ietf/uri/x"), g)
			if err != nil {
				b.Fatal(err)
			}
			p := uri.Split(ref)
			room := make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := uri.AppendTarget(room, base, ref, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendEscaped(b *testing.B) {
	room := make([]byte, 0, 256)
	b.SetBytes(int64(len(bench63)))
	b.ReportAllocs()
	for b.Loop() {
		uri.AppendEscaped(room, bench63)
	}
}

func BenchmarkWarnings(b *testing.B) {
	p := uri.Split(bench63)
	b.ReportAllocs()
	for b.Loop() {
		uri.Warnings(bench63, p)
	}
}
