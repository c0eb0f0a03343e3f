package uri

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// isOddIPv4 reports whether host is an IPv4 address for inet_aton, and is not written with four
// decimal numbers (RFC 3986, section 7.4): one to four numbers, of which the last has all octets
// that are left, each decimal, octal after "0", or hexadecimal after "0x".
func isOddIPv4(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if host == "" || !isDigit(host[0]) || ip4(host) < 0 {
		return false
	}
	left := strings.Count(host, ".") + 1 // numbers
	if left > 4 {
		return false
	}
	octets := 4 // that are left
	for part := range strings.SplitSeq(host, ".") {
		limit := uint64(255)
		if left--; left == 0 {
			limit = 1<<(8*octets) - 1
		}
		octets--
		if v, ok := inetNumber(part); !ok || v > limit {
			return false
		}
	}
	return true
}

// inetNumber returns the value of a number as inet_aton reads it.
func inetNumber(s string) (v uint64, ok bool) {
	base := uint64(10)
	switch {
	case len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	for i := range len(s) {
		d := uint64(16)
		switch c := s[i]; {
		case isDigit(c):
			d = uint64(c - '0')
		case isHex(c):
			d = uint64(c|0x20-'a') + 10
		}
		if d >= base || v > 1<<32 {
			return 0, false
		}
		v = v*base + d
	}
	return v, s != ""
}

// mixesScripts reports whether a label of host, which may have escapes and A-labels, mixes scripts.
func mixesScripts(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		var runes [maxLabel]rune
		var room [maxLabel * utf8.UTFMax]byte
		switch {
		case len(label) > 3*len(room):
		case isALabel(label):
			text := room[:0]
			for _, r := range runes[:decodePunycode(&runes, label[4:])] {
				text = utf8.AppendRune(text, r)
			}
			if mixed(text) {
				return true
			}
		case strings.IndexFunc(label, func(r rune) bool { return r == '%' || r >= utf8.RuneSelf }) >= 0:
			if mixed(AppendUnescaped(room[:0], label)) {
				return true
			}
		}
	}
	return false
}

// isALabel reports whether label has the form of an A-label (RFC 5890, section 2.3.2.1).
func isALabel(label string) bool {
	return len(label) > len("xn--") && strings.EqualFold(label[:len("xn--")], "xn--")
}

// maxLabel is the longest label that is decoded, in characters. The DNS has none that is longer.
const maxLabel = 63

// decodePunycode writes the characters that s encodes to runes and returns their number, 0 if s is
// malformed or has more (RFC 3492, section 6.2). Package idna would allocate for each reference.
func decodePunycode(runes *[maxLabel]rune, s string) (n int) {
	const base, tMin, tMax, skew, damp = 36, 1, 26, 38, 700
	if basic := strings.LastIndexByte(s, '-'); basic >= 0 {
		if basic > maxLabel {
			return 0
		}
		for i := range basic {
			if runes[i] = rune(s[i]); s[i] >= utf8.RuneSelf {
				return 0
			}
		}
		n, s = basic, s[basic+1:]
	}
	bias := 72
	for char, i := 128, 0; s != ""; i++ {
		before, weight := i, 1
		for k := base; ; k += base {
			if s == "" {
				return 0
			}
			digit := 36
			switch c := s[0]; {
			case isAlpha(c):
				digit = int(c | 0x20 - 'a')
			case isDigit(c):
				digit = int(c-'0') + 26
			}
			s = s[1:]
			if i += digit * weight; digit == 36 || i > 1<<26 {
				return 0
			}
			t := min(max(k-bias, tMin), tMax)
			if digit < t {
				break
			}
			weight = min(weight*(base-t), 1<<26)
		}
		if n == maxLabel {
			return 0
		}
		delta := (i - before) / 2 // the new bias
		if before == 0 {
			delta = (i - before) / damp
		}
		n++
		delta += delta / n
		for bias = 0; delta > (base-tMin)*tMax/2; bias += base {
			delta /= base - tMin
		}
		bias += (base - tMin + 1) * delta / (delta + skew)
		char += i / n
		i %= n
		if char > unicode.MaxRune {
			return 0
		}
		copy(runes[i+1:n], runes[i:n-1])
		runes[i] = rune(char)
	}
	return n
}

// mixed reports whether text has letters of scripts that are not written together. UTS 39 calls labels
// of which this is false highly restrictive (section 5.2). A text that is not UTF-8 mixes nothing.
func mixed(text []byte) bool {
	var seen [4]*unicode.RangeTable
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if text = text[size:]; r == utf8.RuneError {
			return false
		}
		if slices.ContainsFunc(seen[:n], func(t *unicode.RangeTable) bool { return unicode.Is(t, r) }) || unicode.In(r, unicode.Common, unicode.Inherited) {
			continue
		}
		at := slices.IndexFunc(scripts(), func(t *unicode.RangeTable) bool { return unicode.Is(t, r) })
		if at < 0 {
			continue // no script yet has it
		}
		if n == len(seen) {
			return true
		}
		seen[n] = scripts()[at]
		n++
	}
	return n > 1 && !slices.ContainsFunc(together, func(set []*unicode.RangeTable) bool {
		for _, t := range seen[:n] {
			if !slices.Contains(set, t) {
				return false
			}
		}
		return true
	})
}

// together are the scripts that one language mixes.
var together = [][]*unicode.RangeTable{
	{unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Latin, unicode.Han, unicode.Bopomofo},
	{unicode.Latin, unicode.Han, unicode.Hangul},
}

// scripts are all scripts, the usual ones first.
var scripts = sync.OnceValue(func() (list []*unicode.RangeTable) {
	list = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han, unicode.Arabic, unicode.Hiragana, unicode.Katakana, unicode.Hangul}
	for _, t := range unicode.Scripts {
		if t != unicode.Common && t != unicode.Inherited && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
})
