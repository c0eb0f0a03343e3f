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

// An index has where each rule begins in rules, and the end of the last one; and of the
// rules that begin with the byte c the numbers first[c] to first[c+1].
//
// Most of what a host could match is no rule, so that there is a filter in front of the
// search: a bit for the hash of each rule. The hash of a suffix is made from its end, so all
// suffixes of a host take one pass.
type index struct {
	at     []uint32
	first  [257]uint32
	filter [filterBits / 64]uint64
}

const (
	filterBits = 1 << 18 // 4 % of other texts pass
	wildcard   = 1       // what is added to the hash of a rule that begins with "*."
	exception  = 2       // and with "!"
)

var indexed = sync.OnceValue(func() *index {
	x := &index{at: make([]uint32, 0, strings.Count(rules, "\n")+1)}
	for i := 0; i < len(rules); { // a rule with each iteration
		end := i + strings.IndexByte(rules[i:], '\n')
		x.at = append(x.at, uint32(i))
		x.first[int(rules[i])+1]++
		rule, kind := rules[i:end], uint32(0)
		switch rule[0] {
		case '*':
			rule, kind = rule[2:], wildcard
		case '!':
			rule, kind = rule[1:], exception
		}
		h := uint32(0)
		for j := len(rule) - 1; j >= 0; j-- {
			h = extend(h, rule[j])
		}
		word, bit := place(h + kind)
		x.filter[word] |= bit
		i = end + 1
	}
	x.at = append(x.at, uint32(len(rules)))
	for c := range 256 {
		x.first[c+1] += x.first[c]
	}
	return x
})

// extend returns the hash of a text with b in front, whose own hash is h.
func extend(h uint32, b byte) uint32 { return h*0x01000193 ^ uint32(b)<<2 }

// place returns the bit of the filter for a hash.
func place(h uint32) (word uint32, bit uint64) {
	h = h * 0x9E3779B1 >> 14 // 18 bits
	return h / 64, 1 << (h % 64)
}

// maxHost bounds a host in bytes, as DNS does. A longer one has no domain.
const maxHost = 255

// Domain returns the registrable domain of host, which is in lower case and a name and no
// address: a slice of host, or nil where it has none.
func Domain(host []byte) []byte {
	host = bytes.TrimSuffix(host, []byte("."))
	if len(host) > maxHost || len(host) == 0 || host[0] == '.' {
		return nil
	}
	suffix := bytes.LastIndexByte(host, '.') + 1 // where the suffix begins: by default the last label
	if suffix == 0 || suffix == len(host) {
		return nil
	}
	x := indexed()
	next, nextHash := len(host), uint32(0) // of the suffix without its first label and the dot
	h := uint32(0)
	for at := len(host) - 1; at >= 0; at-- {
		// Of the rules that match, the longest is the one.
		if h = extend(h, host[at]); at > 0 && host[at-1] != '.' {
			continue
		}
		switch {
		case x.has(h+exception, "!", host[at:]):
			suffix = next
		case x.has(h, "", host[at:]), next < len(host) && x.has(nextHash+wildcard, "*.", host[next:]):
			suffix = at
		}
		if at > 0 {
			next, nextHash = at, h
			at-- // the dot
			h = extend(h, '.')
		}
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

// has reports whether there is the rule of sign, which may be empty, and text; hash is that
// of the rule.
func (x *index) has(hash uint32, sign string, text []byte) bool {
	word, bit := place(hash)
	return x.filter[word]&bit != 0 && x.search(sign, text)
}

// search is has without the filter. It halves the rules that begin with the same byte.
func (x *index) search(sign string, text []byte) bool {
	var b [maxHost + 2]byte
	rule := append(append(b[:0], sign...), text...)
	if len(rule) == 0 {
		return false
	}
	lo, hi := x.first[rule[0]], x.first[int(rule[0])+1]
	for lo < hi {
		mid := (lo + hi) / 2
		switch line := rules[x.at[mid] : x.at[mid+1]-1]; {
		case line == string(rule):
			return true
		case line < string(rule):
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return false
}
