package schemes

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// Adjacent references (rule 14): a registered scheme with "://" begins a new reference,
// even without white space in front of it.

// StartsAdjacent reports whether t begins with a registered scheme and "://". Then a new
// reference begins there, and white space in front of it is not a line break within a
// reference.
func StartsAdjacent(t []byte) bool {
	n := lex.SchemeLen(t)
	return n > 1 && lex.HasSlashes(t[n:]) && Registered(t[:n])
}

// Adjacent decides whether the colon at b[i] belongs to the current reference, whose body is
// b[body:]. If the answer is Yes, the colon does, and n is 1. If the answer is No, the colon
// belongs to the scheme of a new reference, which begins at b[i+n]; n is negative.
func Adjacent(b []byte, i, body int, atEOF bool) (n int, v lex.Answer) {
	slashes := "//"
	if i+1 < len(b) && b[i+1] == '\\' {
		slashes = `\/\/`
	}
	k := min(len(slashes), len(b)-i-1)
	switch {
	case string(b[i+1:i+1+k]) != slashes[:k]:
		return 1, lex.Yes
	case k < len(slashes):
		if atEOF {
			return 1, lex.Yes
		}
		return 0, lex.More
	}
	if at := adjacentStart(b[:i], body); at >= 0 {
		return at - i, lex.No
	}
	return 1, lex.Yes
}

// adjacentStart returns where the registered scheme begins that b ends with, if a new
// reference begins there, otherwise -1. body is where the current reference continues
// after its own scheme. It searches back at most lex.MaxScheme bytes.
func adjacentStart(b []byte, body int) int {
	lo := max(body, len(b)-lex.MaxScheme)
	k := len(b)
	for k > lo && lex.Roles[b[k-1]].Has(lex.InScheme) {
		k--
	}
	escaped := -1 // the end of an escape whose letters look like part of the scheme
	if k > lo && b[k-1] == '%' && k+1 < len(b) && lex.IsHex(b[k]) && lex.IsHex(b[k+1]) {
		k += 2
		lo, escaped = k, k
	} else if k > lo && b[k-1] == '\\' && bytes.HasPrefix(b[k:], lex.EscapedAmp) { // "&" in JSON
		k += len(lex.EscapedAmp)
		lo, escaped = k, k
	}
	at := -1
	for first := true; k < len(b) && at < 0; k++ {
		switch r := lex.Roles[b[k]]; {
		case !r.Has(lex.Alnum):
			first = true // a part begins after + - and .
		case first && r.Has(lex.Alpha):
			first = false
			if Registered(b[k:]) {
				at = k
			}
		}
	}
	if at < 0 {
		at = SchemeAfterWord(b, lo)
	}
	if at <= body || at == escaped || bytes.IndexByte(Continues, b[at-1]) >= 0 {
		return -1
	}
	return at
}

// Continues has the characters after which a scheme continues the same reference, as in
// http://archive.example/2001/http://a/. A "%" represents any escape.
var Continues = []byte("/?=&:%#([*")

// SchemeAfterWord returns where http, https or ftp begins, if b[lo:] ends with one of them, as in
// "fromhttp"; otherwise -1. The caller has found that b ends with no registered scheme longer than
// these.
func SchemeAfterWord(b []byte, lo int) int {
	if len(b) == 0 {
		return -1
	}
	last := lex.Lower(b[len(b)-1])
	for _, name := range [...]string{"https", "http", "ftp"} {
		if at := len(b) - len(name); last == name[len(name)-1] && at >= lo && lex.FoldSuffix(b, name) {
			return at
		}
	}
	return -1
}
