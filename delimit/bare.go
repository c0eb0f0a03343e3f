package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Bare references: where one ends (rules 6, 11, 12, 14) and what behind it is
// the sentence's (rule 7). run walks a reference once, from its colon to its
// end, with a small stack of brackets; tail then goes back from the end over
// punctuation. Both are linear. A reference that holds other pivots is not walked to
// be given up, or each of them would have the same bytes walked again (barren.go).

// maxNest is how deep brackets in a reference may nest. A deeper one ends it.
const maxNest = 16

// A walk is the state of run.
type walk struct {
	part  part
	stack [maxNest]byte // closers that are waited for
	at    [maxNest]int  // where their openers stand
	depth int
	json  bool // an escape of JSON was met

	host      hostAsk
	fanged    bool // it counts only as refang has it
	authority int  // where that ends, once the walk is behind it
}

// A part is where in a reference run stands.
type part uint8

const (
	inPath part = iota
	inAuthority
	inQuery
	inFragment
)

// bodyOf returns where the matter of a reference begins whose scheme ends at the
// colon b[colon], and the state to walk it from there.
func bodyOf(b []byte, colon int) (from int, w walk) {
	switch {
	case len(b) > colon+2 && b[colon+1] == '/' && b[colon+2] == '/':
		return colon + 3, walk{part: inAuthority}
	case len(b) > colon+4 && string(b[colon+1:colon+5]) == `\/\/`:
		return colon + 5, walk{part: inAuthority, json: true}
	}
	return colon + 1, walk{}
}

// run returns where the bare reference ends that begins at b[start], whose body
// begins at b[body] and is walked from there with the state w. before is the
// character in front of the reference: if it is an opening bracket, the reference
// ends at its partner. b is cut behind MaxLen bytes; if it ends in mid-reference
// and atEOF is not set, the verdict is more. If there turns out to be no reference, end
// is -1.
func (s *Scanner) run(b []byte, start, body int, w walk, before byte, atEOF bool) (end int, json bool, v verdict) {
	i := body
	// The partner of a bracket in front is waited for apart from the brackets
	// within: (http://a/b_(c)) ends at the last one.
	partner, opener, open := partnerOf(before), before, 0
	// A comma parts an abbreviated host from another one.
	listed := start == body && w.part == inAuthority
	for i < len(b) { // one step forward each time
		c := b[i]
		r := roles[c]
		if r&(ends|special) == 0 {
			if listed && (c == ',' || c == ';') {
				return w.unnest(i), w.json, yes
			}
			i++
			continue
		}
		if r.has(ends) {
			return w.unnest(i), w.json, yes
		}
		if c == ':' && i+1 < len(b) && b[i+1] != '/' && b[i+1] != '\\' { // no other reference begins before it
			i++
			continue
		}
		if partner != 0 {
			if c == opener {
				open++
			} else if c == partner {
				if open--; open < 0 {
					return w.unnest(i), w.json, yes
				}
			}
		}
		n, v := s.step(b, i, start, body, &w, atEOF)
		if v != yes {
			return w.unnest(i + n), w.json, v
		}
		// A fang with a slash ends the authority too, of what counts only as refang has it.
		slash := n > 1 && w.part == inAuthority && bytes.IndexByte(b[i:i+n], '/') >= 0
		if w.part != inAuthority || slash && w.fanged {
			if listed = false; w.authority == 0 {
				w.authority = i
			}
			if w.host != noHost && s.hostless(b, body, w.authority, &w) {
				return -1, false, no
			}
		} else if slash {
			listed = false
		}
		i += n
	}
	if atEOF {
		return w.unnest(i), w.json, yes
	}
	return i, w.json, more
}

// step says what the special byte b[i] does. With yes, it returns how many bytes
// belong with it; with no, how far from it the reference ends, 0 or less.
func (s *Scanner) step(b []byte, i, start, body int, w *walk, atEOF bool) (n int, v verdict) {
	if s.opts.Extras&Defanged != 0 {
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
		if w.depth > 0 && w.stack[w.depth-1] == ']' {
			return 0, no // the query ends, and its bracket with it
		}
		w.part = inFragment
	case '[':
		// A host in brackets is a piece of its own. Elsewhere brackets are data
		// only in a query (?q[]=1); in a path they are a footnote or a label.
		if w.part == inAuthority && (i == body || b[i-1] == '@') {
			return literal(b[i:], atEOF)
		}
		if w.part != inQuery {
			return 0, no
		}
		return w.push(']', i)
	case '{':
		return w.push('}', i)
	case ']', '}':
		return w.pop(c)
	case '|': // tables part their cells with it
		if !driveLetter(b[start:i]) {
			return 0, no
		}
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
		return glued(b, i, body, atEOF)
	}
	if b[i] < utf8.RuneSelf {
		return 1, yes
	}
	if !atEOF && !utf8.FullRune(b[i:]) {
		return 0, more
	}
	r, n := utf8.DecodeRune(b[i:])
	switch m := matterOf(r); {
	case m == foreign,
		m == solid && roles[b[i-1]].has(alnum),
		m == symbol && w.part == inAuthority:
		return 0, no
	}
	return n, yes
}

func (w *walk) push(closer byte, i int) (n int, v verdict) {
	if w.depth == maxNest {
		return 0, no
	}
	w.stack[w.depth], w.at[w.depth] = closer, i
	w.depth++
	return 1, yes
}

func (w *walk) pop(closer byte) (n int, v verdict) {
	if w.depth == 0 || w.stack[w.depth-1] != closer {
		return 0, no
	}
	w.depth--
	return 1, yes
}

// unnest returns where a reference ends that runs up to end: before a bracket
// that is still open, if there is one.
func (w *walk) unnest(end int) int {
	if w.depth > 0 {
		return w.at[0]
	}
	return end
}

// partnerOf returns what closes the bracket c, or 0 if c opens none.
func partnerOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}

// literal returns the length of the host in brackets that b begins with. What
// it holds is the grammar's business; here it must only be closed.
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

// driveLetter reports whether ref is a file URL up to its drive: "file:", a host
// or none, and one letter for a path.
func driveLetter(ref []byte) bool {
	n := len(ref) - 2
	if n < len("file:") || !foldEqual(ref[:5], "file:") || ref[n] != '/' || !roles[ref[n+1]].has(alpha) {
		return false
	}
	host := ref[5:n]
	return len(host) == 0 || len(host) > 1 && host[0] == '/' && host[1] == '/' && bytes.IndexByte(host[2:], '/') < 0
}

// entities that end a bare reference, without "&" and ";": they stand for
// delimiters in text that was written for HTML.
var endingEntities = [...]string{
	"lt", "gt", "quot", "nbsp", "#60", "#62", "#34", "#160", "#x3c", "#x3e", "#x22", "#xa0",
}

// endingEntity reports whether b begins with an entity that ends a reference.
// short is true if more of b could make one.
func endingEntity(b []byte) (is, short bool) {
	for _, name := range endingEntities {
		k := min(len(b)-1, len(name))
		if !foldEqual(b[1:1+k], name[:k]) {
			continue
		}
		switch {
		case len(b) < len(name)+2:
			short = true
		case b[len(name)+1] == ';':
			return true, false
		}
	}
	return false, short
}
