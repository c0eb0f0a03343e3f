package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Plan: a bare reference is found in two steps. run walks from its colon to its end
// (rules 6, 11, 12, 14), with a small stack of brackets. trim then searches back from the end
// over the punctuation of the sentence (rule 7). Both are linear. A walk without a result
// costs little, because it stops early (earlyreject.go) or continues where an earlier
// walk stopped (nest.go).

// A walk is the state of run.
type walk struct {
	part  part
	json  bool  // an escape of JSON was found
	nest  *nest // the open brackets; set by run
	plain bool  // parentheses have no special meaning
	open  int32 // how many brackets like the one in front of the reference are open

	host      hostAsk
	fanged    bool // it counts only in its refanged form
	authority int  // end of the authority, once the walk has passed it
	scheme    int  // where the scheme begins, if another scheme wraps the reference
}

// A part is the part of a reference in which a walk is.
type part uint8

const (
	inPath part = iota
	inAuthority
	inQuery
	inFragment
)

// bodyOf returns where the body of a reference begins whose scheme ends at the colon
// b[colon]: after the colon, and after "//" if it is there. It also returns the state to
// walk from there.
func bodyOf(b []byte, colon int) (from int, w walk) {
	switch {
	case len(b) > colon+2 && b[colon+1] == '/' && b[colon+2] == '/':
		return colon + 3, walk{part: inAuthority}
	case len(b) > colon+4 && string(b[colon+1:colon+5]) == `\/\/`:
		return colon + 5, walk{part: inAuthority, json: true}
	}
	return colon + 1, walk{}
}

// A walker walks bare references.
type walker struct {
	rules   Rules
	fangs   bool  // with the extra Defanged
	nests   nests // open brackets of earlier walks
	effects effects

	text []byte // buffer for joined text
	ref  []byte // buffer for Ref
}

// run returns the end of the bare reference whose scheme begins at b[start]. It walks
// from its body, b[body], with the state w. before is the byte in front of the reference:
// if that is an opening bracket, the reference ends at its partner. b is cut after MaxLen
// bytes.
//
// The verdict is more if b ends inside the reference and atEOF is not set, no if step
// ended the reference, otherwise yes. If there is no reference, end is -1.
//
// A walk may continue where an earlier one stopped (nest.go), unless once is set. once
// must be set if atEOF is set although more text follows.
func (s *walker) run(b []byte, start, body int, w walk, before byte, atEOF, once bool) (end int, json bool, v verdict) {
	w.nest = s.nests.spare
	w.nest.depth, w.nest.lost = 0, false
	w.plain = before != '(' && !s.fangs
	i, back, v := s.walk(b, start, body, &w, before, atEOF, once)
	switch end = i - back; {
	case i < 0: // there is no reference
		w.nest.depth = 0
	case v != more && w.nest.depth > 0: // an open bracket ends the reference
		end = w.nest.brackets[0].at
	}
	if !once {
		s.nests.keep(&w, i, before)
	}
	return end, w.json, v
}

// walk is the loop of run. It stops at b[i]. If no bracket is open, the reference ends
// back bytes before that. The verdict is that of run. If there is no reference, i is -1.
func (s *walker) walk(b []byte, start, body int, w *walk, before byte, atEOF, once bool) (i, back int, v verdict) {
	// Brackets inside do not close the bracket in front of the reference:
	// (http://a/b_(c)) ends at the last one.
	partner := partnerOf(before)
	// A comma separates an abbreviated host from the next one.
	listed := start == body && w.part == inAuthority
	for i = body; i < len(b); { // at least one byte in each iteration
		c := b[i]
		r := roles[c]
		if r&(ends|special) == 0 {
			if listed && (c == ',' || c == ';') {
				return i, 0, yes
			}
			i++
			continue
		}
		if r.has(ends) {
			return i, 0, yes
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
					return i, 0, yes
				}
			}
		}
		n, v := s.step(b, i, start, body, w, atEOF)
		switch v {
		case more:
			return i, 0, more
		case no:
			return i, -n, no
		}
		w.count(i, open)
		// In a reference that counts only in its refanged form, a fang with a slash also
		// ends the authority.
		slash := n > 1 && w.part == inAuthority && bytes.IndexByte(b[i:i+n], '/') >= 0
		if w.part != inAuthority || slash && w.fanged {
			if listed = false; w.authority == 0 {
				w.authority = i
			}
			if w.host != noHost && s.hostless(b, body, w.authority, w) {
				return -1, 0, no
			}
		} else if slash {
			listed = false
		}
		i += n
		if (c == '{' || c == '[') && !once {
			i = s.nests.resume(w, i, before)
		}
	}
	if atEOF {
		return i, 0, yes
	}
	return i, 0, more
}

// passes reports whether the special byte b[i] has no effect, so that step is not needed:
// a colon without a slash after it, a slash in the path, an ampersand that begins no
// entity, a parenthesis.
func (w *walk) passes(b []byte, i int) bool {
	switch b[i] {
	case '(', ')':
		return w.plain
	case '/':
		return w.part != inAuthority
	case ':':
		return i+1 < len(b) && b[i+1] != '/' && b[i+1] != '\\'
	case '&':
		return i+1 < len(b) && !startsEntity(b[i+1])
	case '\'':
		return i+1 < len(b) && !endsString(b[i+1])
	}
	return false
}

// step returns the effect of the special byte b[i]. With yes, it returns how many bytes
// belong to it. With no, it returns where the reference ends relative to it, 0 or less.
func (s *walker) step(b []byte, i, start, body int, w *walk, atEOF bool) (n int, v verdict) {
	if s.fangs {
		if n, short := fanged(b[i:]); n > 0 {
			return n, yes
		} else if short && !atEOF {
			return 0, more
		}
	}
	switch c := b[i]; c {
	case '/':
		if w.part == inAuthority {
			w.part = inPath
		}
	case '?':
		if w.part < inQuery {
			w.part = inQuery
		}
	case '#':
		if w.nest.closer() == ']' {
			return 0, no // this ends the query and the bracket around it
		}
		w.part = inFragment
	case '[':
		// A host may be in brackets. Elsewhere brackets are data only in a query
		// (?q[]=1); in a path they are a footnote or a label.
		if w.part == inAuthority && (i == body || b[i-1] == '@') {
			return literal(b[i:], atEOF)
		}
		if w.part != inQuery {
			return 0, no
		}
		return w.nest.push(']', i, w.part)
	case '{':
		if i > body && b[i-1] == '$' { // ${name}, in the text of a program
			return -1, no
		}
		return w.nest.push('}', i, w.part)
	case '\'':
		if i+1 == len(b) && !atEOF {
			return 0, more
		}
		if i+1 < len(b) && endsString(b[i+1]) {
			return 0, no
		}
	case ']', '}':
		return w.nest.pop(c)
	case '|': // tables separate their cells with it
		if !driveLetter(b[start:i]) {
			return 0, no
		}
		w.nest.forget() // text in front of the bar decides, and a later walk sees less of it
	case '\\':
		n, short := jsonEscape(b[i:])
		switch {
		case n == 2 && w.part == inAuthority:
			w.part = inPath
		case n == 0 && short && !atEOF:
			return 0, more
		case n == 0:
			return 0, no
		}
		w.json = true
		return n, yes
	case '&':
		if k, short := endingEntity(b[i:]); k {
			return 0, no
		} else if short && !atEOF {
			return 0, more
		}
	case ':':
		return adjacent(b, i, body, atEOF)
	}
	if b[i] < utf8.RuneSelf {
		return 1, yes
	}
	if !atEOF && !utf8.FullRune(b[i:]) {
		return 0, more
	}
	r, n := utf8.DecodeRune(b[i:])
	switch m := s.effects.of(r); {
	case m == endsIt,
		m == unspacedLetter && roles[b[i-1]].has(alnum),
		m == symbol && w.part == inAuthority:
		return 0, no
	}
	return n, yes
}

// literal returns the length of the host in brackets at the beginning of b. It only needs
// to be closed; its content is checked by a grammar.
func literal(b []byte, atEOF bool) (n int, v verdict) {
	for n = 1; n < len(b); n++ {
		switch c := b[n]; {
		case c == ']':
			return n + 1, yes
		case c >= 0x80 || roles[c].has(ends) || c == '/' || c == '?' || c == '#' || c == '\\' || c == '[':
			return 0, no
		}
	}
	return 0, atEnd(atEOF)
}
