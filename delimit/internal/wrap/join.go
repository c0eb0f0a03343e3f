package wrap

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// A Joiner says how Join reads a reference.
type Joiner struct {
	JSON   bool  // decode the escapes of JSON
	Escape bool  // white space within a line becomes %20
	Cut    bool  // stop at white space within a line
	Drop   uint8 // bit k: drop the hyphen at the k-th line break that has one, from 0
}

// Join appends the text of raw, the reference in a wrapper, to dst. It removes line
// breaks, the white space around them, quote prefixes, and a backslash or soft hyphen in
// front of a break. dst has room for all of raw, or for three times as much if how.Escape
// is set.
func Join(dst, raw []byte, m *QuotePrefix, how Joiner) []byte {
	hyphens := 0
	for i := 0; i < len(raw); { // at least one byte in each iteration
		if n := UntilHalt(raw[i:]); n > 0 {
			dst = append(dst, raw[i:i+n]...)
			i += n
			continue
		}
		c := raw[i]
		at := i
		if c == '\\' {
			if i+1 < len(raw) && (raw[i+1] == '\n' || raw[i+1] == '\r') {
				at++
			} else if n, _ := lex.JsonEscape(raw[i:]); how.JSON && n > 0 {
				dst = append(dst, "/&"[n/6]) // lengths are 2 and 6
				i += n
				continue
			}
		}
		if at == i && !lex.Roles[c].Has(lex.White) && (c < 0x80 || lex.SpaceAt(raw[i:]) == 0) {
			dst = append(dst, c)
			i++
			continue
		}
		next, breaks, _ := Gap(raw, at, m, true)
		switch {
		case breaks == 0 && how.Cut:
			return dst
		case breaks == 0 && how.Escape:
			for i < next { // one character in each iteration
				dst = append(dst, "%20"...)
				i += lex.SpaceAt(raw[i:])
			}
		case breaks > 0:
			n := len(dst)
			switch {
			case n == 0:
			case dst[n-1] == lex.SoftHyphen[1] && bytes.HasSuffix(dst, lex.SoftHyphen):
				dst = dst[:n-len(lex.SoftHyphen)]
			case dst[n-1] == '-' && at == i:
				if hyphens < 8 && how.Drop&(1<<hyphens) != 0 {
					dst = dst[:n-1]
				}
				hyphens++
			}
		}
		i = next
	}
	return dst
}
