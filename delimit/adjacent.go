package delimit

import "bytes"

// Adjacent references (rule 14): a registered scheme with "://" begins a new reference,
// even without white space in front of it.

// startsAdjacent reports whether t begins with a registered scheme and "://". Then a new
// reference begins there, and white space in front of it is no line break within one.
func startsAdjacent(t []byte) bool {
	n := schemeLen(t)
	return n > 1 && hasSlashes(t[n:]) && registered(t[:n])
}

// adjacent decides whether the colon at b[i] belongs to the current reference. If it
// belongs to the scheme of a new one, n is the (negative) distance to that scheme.
func adjacent(b []byte, i, body int, atEOF bool) (n int, v verdict) {
	slashes := "//"
	if i+1 < len(b) && b[i+1] == '\\' {
		slashes = `\/\/`
	}
	k := min(len(slashes), len(b)-i-1)
	switch {
	case string(b[i+1:i+1+k]) != slashes[:k]:
		return 1, yes
	case k < len(slashes):
		if atEOF {
			return 1, yes
		}
		return 0, more
	}
	if at := adjacentStart(b[:i], body); at >= 0 {
		return at - i, no
	}
	return 1, yes
}

// adjacentStart returns where the registered scheme begins that b ends with, if a new
// reference begins there, otherwise -1. body is where the current reference continues
// after its own scheme. It searches back at most maxScheme bytes.
func adjacentStart(b []byte, body int) int {
	lo := max(body, len(b)-maxScheme)
	k := len(b)
	for k > lo && roles[b[k-1]].has(inScheme) {
		k--
	}
	escaped := -1 // the end of an escape whose letters look like part of the scheme
	if k > lo && b[k-1] == '%' && k+1 < len(b) && isHex(b[k]) && isHex(b[k+1]) {
		k += 2
		lo, escaped = k, k
	} else if k > lo && b[k-1] == '\\' && bytes.HasPrefix(b[k:], escapedAmp) { // "&" in JSON
		k += len(escapedAmp)
		lo, escaped = k, k
	}
	at := -1
	for first := true; k < len(b) && at < 0; k++ {
		switch r := roles[b[k]]; {
		case !r.has(alnum):
			first = true // a part begins after + - and .
		case first && r.has(alpha):
			first = false
			if registered(b[k:]) {
				at = k
			}
		}
	}
	if at < 0 {
		at = schemeAfterWord(b, lo)
	}
	if at <= body || at == escaped || bytes.IndexByte(joints, b[at-1]) >= 0 {
		return -1
	}
	return at
}

// joints are the characters after which a scheme continues the same reference, as in
// http://archive.example/2001/http://a/. A "%" represents any escape.
var joints = []byte("/?=&:%#([*")

// schemeAfterWord returns where http, https or ftp begins at the end of b[lo:], directly
// after a word with which it forms no scheme; or -1.
func schemeAfterWord(b []byte, lo int) int {
	if len(b) == 0 {
		return -1
	}
	last := lower(b[len(b)-1])
	for _, name := range [...]string{"https", "http", "ftp"} {
		if at := len(b) - len(name); last == name[len(name)-1] && at >= lo && foldSuffix(b, name) {
			return at
		}
	}
	return -1
}
