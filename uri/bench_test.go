package uri_test

import (
	"bytes"
	"net/url"
	"testing"

	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// bench63 is 63 bytes long, and all grammars accept it.
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

// For comparison. net/url returns a value with copies, so it does more work.
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

// BenchmarkKinds measures other references of running text. Most do not take the fast path.
func BenchmarkKinds(b *testing.B) {
	for _, s := range []string{
		"https://www.ics.uci.edu/pub/ietf/uri/rev-2002/issues.html?path=x", "http://www.ics.uci.edu/~fielding/pub/ietf/uri/rev-2002/issues.html",
		"http://www.ics.uci.edu/pub/a%20b/ietf/uri/rev-2002/issues.html#x", "ftp://joe:secret@ftp.ics.uci.edu:2121/pub/ietf/uri/rev-2002;type=I",
		"mailto:fielding-and-others@ics.uci.example", "../../pub/ietf/uri/rev-2002/issues.html?path+x",
	} {
		b.Run("uri/"+s[:10], func(b *testing.B) {
			text := []byte(s)
			for b.Loop() {
				uri.Accepts(text, uri.Split(text), uri.Every)
			}
		})
		b.Run("net-url/"+s[:10], func(b *testing.B) {
			for b.Loop() {
				if _, err := url.Parse(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendNormal(b *testing.B) {
	room := make([]byte, 0, 256)
	p := uri.Split(bench63)
	for g := range (uri.URI2002 | uri.RFC3986).Each() {
		b.Run(g.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				uri.AppendNormal(room, bench63, p, g)
			}
		})
	}
}

func BenchmarkEqual(b *testing.B) {
	other := bytes.ToUpper(bench63)
	b.ReportAllocs()
	for b.Loop() {
		if equal, known, err := uri.Equal(bench63, other, uri.URI2002); equal || !known || err != nil {
			b.Fatal(equal, known, err)
		}
	}
}

func BenchmarkFields(b *testing.B) {
	p := uri.Split(bench63)
	b.ReportAllocs()
	for b.Loop() {
		scheme.Fields(bench63, p, uri.URL1994)
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
		uri.AppendEscaped(room, bench63, uri.Default)
	}
}

func BenchmarkWarnings(b *testing.B) {
	p := uri.Split(bench63)
	b.ReportAllocs()
	for b.Loop() {
		uri.Warnings(bench63, p)
	}
}
