package delimit

import "bytes"

// Adjacent references (rule 14): a registered scheme with "://" begins a new one,
// wherever it stands.

// startsAdjacent reports whether t begins with a registered scheme and "://", so
// that a new reference begins here and the white space before it is no break.
func startsAdjacent(t []byte) bool {
	n := schemeLen(t)
	return n > 1 && hasSlashes(t[n:]) && registered(t[:n])
}

// adjacent says whether the colon at b[i] belongs to the running reference. If it
// is that of a scheme with which a new one begins, n leads back to that scheme.
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

// adjacentStart returns where the registered scheme begins that b ends with, if a
// new reference begins there, or -1. body is where the running reference's own
// matter begins. The way back is bounded by maxScheme.
func adjacentStart(b []byte, body int) int {
	lo := max(body, len(b)-maxScheme)
	k := len(b)
	for k > lo && roles[b[k-1]].has(inScheme) {
		k--
	}
	escaped := -1 // where an escape ends that the run of scheme characters begins with
	if k > lo && b[k-1] == '%' && k+1 < len(b) && isHex(b[k]) && isHex(b[k+1]) {
		k += 2
		lo, escaped = k, k
	} else if k > lo && b[k-1] == '\\' && bytes.HasPrefix(b[k:], escapedAmp) { // "&", as JSON writes it
		k += len(escapedAmp)
		lo, escaped = k, k
	}
	at := -1
	for first := true; k < len(b) && at < 0; k++ {
		switch r := roles[b[k]]; {
		case !r.has(alnum):
			first = true // a part begins behind + - and .
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

// joints are the characters behind which a scheme goes on the same reference,
// as in http://archive.example/2001/http://a/. A "%" stands for its escape.
var joints = []byte("/?=&:%#([*")

// schemeAfterWord returns where http, https or ftp begins at the end of b[lo:], glued
// to a word that is no scheme together with it, or -1.
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
