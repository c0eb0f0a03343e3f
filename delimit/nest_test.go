package delimit

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// nestPieces are pieces of text that decide where a scan over nested brackets ends.
var nestPieces = []string{
	"{", "{", "{", "{", "[", "[", "(", "(", "}", "]", ")", "/", "?", "#", "&", "a", "://", "http://", "foo://", "urn:", "file://", "file://{/C|{", "/C|", "|",
	`\/`, `\u0026`, `\`, "&lt;", "&l", "@", "[:]", "(.)", "[/]", "[.", "é", "中", "。", " ", "\xe4",
}

// TestNestResumed compares scans over brackets that may continue earlier scans with scans from the
// beginning. They start at each offset of random texts, in order, as in a Scanner.
func TestNestResumed(t *testing.T) {
	rounds := 3000
	if !long {
		rounds = 500
	}
	r := rand.New(rand.NewPCG(11, 12))
	resumed := 0
	for range rounds {
		var text strings.Builder
		few := 2 + r.IntN(8) // few different pieces, so that brackets nest deeply
		for some := r.Perm(len(nestPieces))[:few]; text.Len() < 150; {
			text.WriteString(nestPieces[some[r.IntN(few)]])
			if r.IntN(3) == 0 {
				text.WriteString("{")
			}
		}
		b := []byte(text.String())
		s := NewScanner(nil, Options{Extras: Extra(r.IntN(2)) * Defanged})
		s.ResetBytes(b)
		befores := []byte{'(', '[', '{', 'a'}[:1+r.IntN(4)]
		hi := 0 // as in a Scanner, a later scan has at least the bytes of an earlier one
		for at := 1; at < len(b); at += 1 + r.IntN(4) {
			w := scanState{Component: component(r.IntN(4))}
			if r.IntN(2) == 0 {
				w.Component = inPath
			}
			if w.Component == inAuthority {
				w.Host = hostCheck(r.IntN(2))
			}
			start := max(0, at-7*r.IntN(2))
			hi = max(hi, at+r.IntN(len(b)-at+1))
			if r.IntN(2) == 0 {
				hi = len(b)
			}
			before, atEOF := befores[r.IntN(len(befores))], hi == len(b)
			spare := s.find.Nests.Spare
			end, _, v := s.find.endOfBare(b[:hi], start, at, w, before, atEOF, false)
			if s.find.Nests.Spare == spare && (*s.find.Nests.of(before)).Depth > 0 {
				resumed++
			}
			wantEnd, _, want := s.find.endOfBare(b[:hi], start, at, w, before, atEOF, true)
			if end != wantEnd && want != more || v != want {
				t.Fatalf("%q from %d (%d) to %d after %q, part %d: %d, %v; want %d, %v", b, at, start, hi, before, w.Component, end, v, wantEnd, want)
			}
		}
	}
	if resumed < rounds {
		t.Errorf("%d walks went on from earlier ones: too few to tell", resumed)
	}
}
