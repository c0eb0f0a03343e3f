package bare

import (
	"bytes"
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit/internal/extras"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// Plan: a bare reference is found in two steps. EndOfBare scans from its colon to its end
// (rules 6, 11, 12, 14), with a small stack of brackets. Trim then searches back from the end
// over the punctuation of the sentence (rule 7). Both are linear. A scan without a result
// costs little, because it stops early (earlyreject.go) or continues where an earlier
// scan stopped (nest.go).

// EndOfBare returns the end of the bare reference whose scheme begins at b[start]. The scan begins
// at the body of the reference, b[body], with the state w. before is the byte in front of the
// reference: if before is an opening bracket, the reference ends at the partner of before. b is cut
// after MaxLen bytes. json says that the reference has escapes of JSON.
//
// The answer is More if b ends inside the reference and atEOF is not set, No if step
// ended the reference, otherwise Yes. If there is no reference, end is -1.
//
// A scan may continue where an earlier one stopped (nest.go), unless the parameter once is true. It
// must be true if atEOF is true although more text follows.
func (s *EndFinder) EndOfBare(b []byte, start, body int, w ScanState, before byte, atEOF, once bool) (end int, json bool, v lex.Answer) {
	w.nest = s.Nests.Spare
	w.nest.Depth, w.nest.lost = 0, false
	w.plain = before != '(' && !s.Defanged
	i, back, v := s.scan(b, start, body, &w, before, atEOF, once)
	switch end = i - back; {
	case i < 0: // there is no reference
		w.nest.Depth = 0
	case v != lex.More && w.nest.Depth > 0: // an open bracket ends the reference
		end = w.nest.brackets[0].at
	}
	if !once {
		s.Nests.keep(&w, i, before)
	}
	return end, w.JSON, v
}

// scan is the loop of EndOfBare, and returns the answer of EndOfBare. It stops at b[i]. If no
// bracket is open, the reference ends at b[i-back]. If there is no reference, i is -1. Most bytes
// take the first branch of the loop; rare ones are in functions of their own. scan is long because
// it is one loop, whose branches end it with different results.
func (s *EndFinder) scan(b []byte, start, body int, w *ScanState, before byte, atEOF, once bool) (i, back int, v lex.Answer) {
	// Brackets inside do not close the bracket in front of the reference:
	// (http://a/b_(c)) ends at the last one.
	partner := lex.PartnerOf(before)
	// A comma separates an abbreviated host from the next one.
	listed := start == body && w.Component == InAuthority
	for i = body; i < len(b); { // at least one byte in each iteration
		c := b[i]
		r := lex.Roles[c]
		if r&(lex.Ends|lex.Special) == 0 {
			if listed && (c == ',' || c == ';') {
				return i, 0, lex.Yes
			}
			i++
			continue
		}
		if r.Has(lex.Ends) {
			return i, 0, lex.Yes
		}
		if w.passes(b, i) {
			i++
			continue
		}
		open := w.open
		if partner != 0 {
			if c == before {
				open++
			} else if c == partner {
				if open--; open < 0 {
					return i, 0, lex.Yes
				}
			}
		}
		n, v := s.step(b, i, start, body, w, atEOF)
		switch v {
		case lex.More:
			return i, 0, lex.More
		case lex.No:
			return i, -n, lex.No
		}
		w.count(i, open)
		// In a reference that counts only in its refanged form, a defanged slash also
		// ends the authority.
		slash := n > 1 && w.Component == InAuthority && bytes.IndexByte(b[i:i+n], '/') >= 0
		if w.Component != InAuthority || slash && w.Refanged {
			if listed = false; w.authority == 0 {
				w.authority = i
			}
			if w.Host != noHost && s.hostless(b, body, w.authority, w) {
				return -1, 0, lex.No
			}
		} else if slash {
			listed = false
		}
		i += n
		if (c == '{' || c == '[') && !once {
			i = s.Nests.resume(w, i, before)
		}
	}
	if atEOF {
		return i, 0, lex.Yes
	}
	return i, 0, lex.More
}

// passes reports whether the special byte b[i] has no effect, so that step is not needed:
// a colon without a slash after it, a slash in the path, an ampersand that begins no
// entity, an apostrophe that ends no string of a program, a parenthesis if w.plain is set.
func (w *ScanState) passes(b []byte, i int) bool {
	switch b[i] {
	case '(', ')':
		return w.plain
	case '/':
		return w.Component != InAuthority
	case ':':
		return i+1 < len(b) && b[i+1] != '/' && b[i+1] != '\\'
	case '&':
		return i+1 < len(b) && !lex.StartsEntity(b[i+1])
	case '\'':
		return i+1 < len(b) && !lex.EndsString(b[i+1])
	}
	return false
}

// step returns the effect of the special byte b[i]. If the answer is Yes, the reference continues
// at b[i+n]. If it is No, the reference ends at b[i+n], and n is 0 or less. step is long because
// it is one switch, with a case for each special byte.
func (s *EndFinder) step(b []byte, i, start, body int, w *ScanState, atEOF bool) (n int, v lex.Answer) {
	if s.Defanged {
		if n, short := extras.Defanged(b[i:]); n > 0 {
			return n, lex.Yes
		} else if short && !atEOF {
			return 0, lex.More
		}
	}
	switch c := b[i]; c {
	case '/':
		if w.Component == InAuthority {
			w.Component = InPath
		}
	case '?':
		if w.Component < inQuery {
			w.Component = inQuery
		}
	case '#':
		if w.nest.closer() == ']' {
			return 0, lex.No // this ends the query and the bracket around it
		}
		w.Component = inFragment
	case '[', '{':
		return w.opens(b, i, body, atEOF)
	case '\'':
		if i+1 == len(b) && !atEOF {
			return 0, lex.More
		}
		if i+1 < len(b) && lex.EndsString(b[i+1]) {
			return 0, lex.No
		}
	case ']', '}':
		return w.nest.pop(c)
	case '|': // tables separate their cells with it
		if !lex.DriveLetter(b[start:i]) {
			return 0, lex.No
		}
		w.nest.forget() // the text in front of the bar decides, and a later scan begins after a part of that text
	case '\\':
		n, short := lex.JsonEscape(b[i:])
		switch {
		case n == 2 && w.Component == InAuthority:
			w.Component = InPath
		case n == 0 && short && !atEOF:
			return 0, lex.More
		case n == 0:
			return 0, lex.No
		}
		w.JSON = true
		return n, lex.Yes
	case '&':
		if k, short := lex.EndingEntity(b[i:]); k {
			return 0, lex.No
		} else if short && !atEOF {
			return 0, lex.More
		}
	case ':':
		return schemes.Adjacent(b, i, body, atEOF)
	}
	if b[i] < utf8.RuneSelf {
		return 1, lex.Yes
	}
	return s.character(b, i, w, atEOF)
}

// character is step for a character beyond ASCII.
func (s *EndFinder) character(b []byte, i int, w *ScanState, atEOF bool) (n int, v lex.Answer) {
	if !atEOF && !utf8.FullRune(b[i:]) {
		return 0, lex.More
	}
	r, n := utf8.DecodeRune(b[i:])
	switch m := s.effects.Of(r); {
	case m == lex.EndsIt,
		m == lex.UnspacedLetter && lex.Roles[b[i-1]].Has(lex.Alnum),
		m == lex.Symbol && w.Component == InAuthority:
		return 0, lex.No
	}
	return n, lex.Yes
}

// opens is step for the opening bracket b[i], '[' or '{'.
func (w *ScanState) opens(b []byte, i, body int, atEOF bool) (n int, v lex.Answer) {
	if b[i] == '{' {
		if i > body && b[i-1] == '$' { // ${name}, in the text of a program
			return -1, lex.No
		}
		return w.nest.push('}', i, w.Component)
	}
	// A host may be in brackets. Elsewhere brackets are data only in a query (?q[]=1); in
	// a path they are a footnote or a label.
	if w.Component == InAuthority && (i == body || b[i-1] == '@') {
		return literal(b[i:], atEOF)
	}
	if w.Component != inQuery {
		return 0, lex.No
	}
	return w.nest.push(']', i, w.Component)
}

// literal returns the length of the host in brackets at the beginning of b, brackets included.
// It checks only that the bracket is closed; a grammar checks the content.
func literal(b []byte, atEOF bool) (n int, v lex.Answer) {
	for n = 1; n < len(b); n++ {
		switch c := b[n]; {
		case c == ']':
			return n + 1, lex.Yes
		case c >= 0x80 || lex.Roles[c].Has(lex.Ends) || c == '/' || c == '?' || c == '#' || c == '\\' || c == '[':
			return 0, lex.No
		}
	}
	return 0, lex.AtEnd(atEOF)
}
