// Package suffix finds the registrable domain of a host by the public suffix list
// (publicsuffix.org), private entries included:
//
//	suffix.Domain([]byte("www.example.co.uk")) // "example.co.uk"
//
// A public suffix is a domain under which anybody can register names, as "com" and "co.uk".
// The registrable domain is one label more.
//
// golang.org/x/net/publicsuffix has the same list, but imports net/http: that doubles the
// time in which a command starts. It is the oracle of the tests.
//
// The list is data under the Mozilla Public License 2.0 (mozilla.org/MPL/2.0). Its rules are
// in rules.txt, which gen makes from the list: sorted, a line each, without
// comments, in the form that DNS has (punycode). They are read when the first host comes.
package suffix

import (
	"bytes"
	_ "embed"
	"strings"
	"sync"
)

//go:generate sh -c "go run ./gen <public_suffix_list.dat"

// rules is sorted by bytes. A rule is a domain, or "*." and a domain, or "!" and a domain,
// which is an exception.
//
//go:embed rules.txt
var rules string

// lines has where each rule begins in rules.
var lines = sync.OnceValue(func() []uint32 {
	at := make([]uint32, 0, strings.Count(rules, "\n"))
	for i := 0; i < len(rules); i += strings.IndexByte(rules[i:], '\n') + 1 {
		at = append(at, uint32(i))
	}
	return at
})

// maxHost bounds a host in bytes, as DNS does. A longer one has no domain.
const maxHost = 255

// Domain returns the registrable domain of host, which is in lower case and a name and no
// address: a slice of host, or nil where it has none. Each iteration takes a label.
func Domain(host []byte) []byte {
	host = bytes.TrimSuffix(host, []byte("."))
	if len(host) > maxHost || len(host) == 0 || host[0] == '.' {
		return nil
	}
	suffix := bytes.LastIndexByte(host, '.') + 1 // where the suffix begins: by default the last label
	if suffix == 0 || suffix == len(host) {
		return nil
	}
	// From the longest suffix to the shortest: the first rule that matches is the one.
	var b [maxHost + 2]byte
	for at := 0; ; {
		next := bytes.IndexByte(host[at:], '.')
		if has(append(append(b[:0], '!'), host[at:]...)) {
			suffix = at + next + 1
			break
		}
		if has(host[at:]) {
			suffix = at
			break
		}
		if next < 0 {
			break
		}
		if has(append(append(b[:0], "*."...), host[at+next+1:]...)) {
			suffix = at
			break
		}
		at += next + 1
	}
	if suffix == 0 {
		return nil
	}
	domain := bytes.LastIndexByte(host[:suffix-1], '.') + 1
	if domain == suffix-1 { // an empty label
		return nil
	}
	return host[domain:]
}

// has reports whether there is such a rule, by halves.
func has(rule []byte) bool {
	at := lines()
	lo, hi := 0, len(at)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		line := rules[at[mid]:]
		line = line[:strings.IndexByte(line, '\n')]
		switch c := compare(line, rule); {
		case c == 0:
			return true
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return false
}

// compare is bytes.Compare of a string and a slice.
func compare(line string, rule []byte) int {
	for i := range min(len(line), len(rule)) {
		if c := int(line[i]) - int(rule[i]); c != 0 {
			return c
		}
	}
	return len(line) - len(rule)
}
