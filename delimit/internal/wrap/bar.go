package wrap

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// Labels after a bar, or in brackets (rule 19), as byte patterns.

// bar returns where a wrapper with a label ends, after its ">". The wrapper holds the reference
// t[start:i], the bar t[i] and the label. The result is 0 if the bar belongs to the reference: to a
// drive, or to a value in a query that continues after it.
func bar(t []byte, start, i int, m *QuotePrefix, atEOF bool) (after int, v lex.Answer) {
	if lex.DriveLetter(t[start:i]) {
		return 0, lex.No
	}
	if bytes.IndexByte(t[start:i], '?') >= 0 {
		if v := fieldAhead(t[i:], atEOF); v != lex.No {
			if v == lex.Yes {
				return 0, lex.No
			}
			return len(t), v
		}
	}
	for i++; i < len(t); { // one step forward each time
		c := t[i]
		switch {
		case c == '>':
			return i + 1, lex.Yes
		case lex.Roles[c].Has(lex.White):
			next, _, v := Gap(t, i, m, atEOF)
			if v != lex.Yes {
				return len(t), v
			}
			i = next
		case c == '<', lex.Roles[c].Has(lex.Ends) && c != '"' && c != '`':
			return len(t), lex.No
		default:
			i++
		}
	}
	return len(t), lex.AtEnd(atEOF)
}

// fieldAhead reports whether t, up to a ">", has a field of a query, as in "|fr&ie=utf-8>". There
// must be no other reference in front of the ">", and white space only directly in front of it.
func fieldAhead(t []byte, atEOF bool) lex.Answer {
	found := lex.No
	for i, c := range t {
		switch {
		case c == '>':
			return found
		case lex.Roles[c].Has(lex.White):
			k := i + len(t[i:]) - len(bytes.TrimLeft(t[i:], " \t\r\n\v\f"))
			switch {
			case k == len(t):
				return lex.AtEnd(atEOF)
			case t[k] == '>':
				return found
			}
			return lex.No
		case lex.Roles[c].Has(lex.Ends), c == ':' && lex.HasSlashes(t[i:]):
			return lex.No
		case c == '&':
			k := i + 1
			for k < len(t) && (lex.Roles[t[k]].Has(lex.InScheme) || t[k] == '_') && k-i <= lex.MaxScheme {
				k++
			}
			if k > i+1 && k < len(t) && t[k] == '=' {
				found = lex.Yes
			}
		}
	}
	return lex.AtEnd(atEOF)
}

// SentenceMarks are the marks after which a group in brackets is no label. Paths of VMS
// have such groups, as in http://a/disk:[dir]file.
var SentenceMarks = []byte(".,;:!?'")

// LastPartner returns the index of the "[" that the last byte of ref closes, or -1.
func LastPartner(ref []byte) int {
	depth := 0
	for i := len(ref) - 1; i >= 0; i-- {
		switch ref[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// InKey reports whether group, which is in brackets, belongs to the name of a field in the
// query of ref: ?list[] or &list[0]. A label holds white space or follows a value.
func InKey(ref, group []byte) bool {
	q := bytes.IndexByte(ref, '?')
	if q < 0 || bytes.IndexByte(ref, '#') >= 0 {
		return false
	}
	name := ref[max(q, bytes.LastIndexByte(ref, '&'))+1:]
	for _, c := range group {
		if lex.Roles[c].Has(lex.White) {
			return false
		}
	}
	return len(name) > 0 && bytes.IndexByte(name, '=') < 0
}
