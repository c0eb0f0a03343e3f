package delimit

import (
	"bytes"
	"unicode/utf8"
)

// Plan: what a wrapper (<…> or "…") contains is found in two steps. enclose looks for
// the closing mark and decides whether this is a wrapper; it writes nothing. join then
// removes line breaks and what else is no part of the reference (rules 8 to 10). Most
// wrappers contain nothing but the reference, and need no second step.
//
// enclose reads each byte once. It stops at the next "<", at a blank line, at a control
// character, at MaxBreaks, and after MaxLen bytes at the latest. It starts only at an
// opener directly in front of a reference. So all calls together read each byte of the
// text a bounded number of times.

// maxLead bounds the white space between an opener, or a prefix, and what it
// opens.
const maxLead = 64

// maxGaps is how many stretches of white space within a line a wrapper may hold.
// More are prose that stands in brackets: the reference is bare and ends at the first,
// and what the brackets hold is another reading (rule 10).
const maxGaps = 3

// A verdict is the result of a function that examines text.
type verdict uint8

const (
	no   verdict = iota // nothing here
	yes                 // found
	more                // it depends on bytes that were not read yet
)

// closerOf holds what closes each form of wrapper.
var closerOf = [...]byte{Angle: '>', Quote: '"'}

// An enclosure is what enclose found: offsets into the text it was given.
type enclosure struct {
	start, end int // of the reference as it stands, white space at its ends left out
	after      int // behind the closing mark
	breaks     int
	gaps       int  // of white space on one line
	hyphens    int  // breaks right behind a hyphen
	joined     bool // something must be taken out
	json       bool // the escapes of JSON are undone
	bar        bool // a bar and a label follow the reference
	data       bool // a bar belongs to its query
}

// enclose looks in t, which begins right behind an opener of form, for the end
// of the wrapper. atEOF says that nothing comes behind t.
func (s *Scanner) enclose(t []byte, form Form, m *quotePrefix, atEOF bool) (e enclosure, v verdict) {
	closer := closerOf[form]
	e.json = form == Quote
	i, _, v := gap(t, 0, m, atEOF)
	if v != yes {
		return e, v
	}
	if i > maxLead {
		return e, no
	}
	e.start = i
	if n := schemeLen(t[i:]); n > 0 && (bytes.HasPrefix(t[i+n:], jsonSlashes) || bytes.HasPrefix(t[i+n:], jsonSlashes[:len(`:\/`)]) && foldEqual(t[i:i+n], "file")) {
		e.json = true
	}
	for i < len(t) { // one step forward each time
		c := t[i]
		r := roles[c]
		switch {
		case !r.has(halts):
			i += untilHalt(t[i:])
		case c == closer:
			e.end, e.after = i, i+1
			return e, yes
		case c == '<':
			return e, no
		case c == '|' && form == Angle && !e.data:
			after, v := s.bar(t, e.start, i, m, atEOF)
			if after > 0 {
				e.end, e.after, e.bar = i, after, true
				return e, v
			}
			e.data = bytes.IndexByte(t[e.start:i], '?') >= 0 // then the next ones are data too
			i++
		case c == '\\':
			n, v := backslash(t[i:], form, e.json, atEOF)
			if v != yes {
				return e, v
			}
			e.joined = e.joined || n != 1
			if n != 0 {
				i += n
				continue
			}
			i++ // a line break follows: the gap takes the backslash along
			fallthrough
		case r.has(white), c >= 0x80 && spaceAt(t[i:]) > 0:
			last := i
			next, breaks, v := gap(t, i, m, atEOF)
			if v != yes {
				return e, v
			}
			if next == len(t) {
				return e, atEnd(atEOF)
			}
			if c == '\\' {
				last--
			}
			if bar := t[next] == '|' && form == Angle && !e.data; bar || t[next] == closer {
				if breaks > 0 && bytes.HasSuffix(t[:last], softHyphen) {
					last -= len(softHyphen)
				}
				if e.end, e.after, v = last, next+1, yes; bar {
					e.bar = true
					if e.after, v = s.bar(t, e.start, next, m, atEOF); e.after == 0 {
						return e, no // white space in front of a bar that is data
					}
				}
				return e, v
			}
			if breaks == 0 {
				if e.gaps++; form == Quote {
					return e, no
				}
			} else if last > 0 && t[last-1] == '-' && c != '\\' {
				e.hyphens++
			}
			if e.breaks += breaks; e.breaks > s.opts.MaxBreaks {
				return e, no
			}
			if startsAdjacent(t[next:]) && (breaks == 0 || last == 0 || bytes.IndexByte(joints, t[last-1]) < 0) {
				return e, no // another reference
			}
			e.joined = true
			i = next
		case r.has(ends) && c != '"' && c != '>' && c != '`': // a control
			return e, no
		default:
			i++
		}
	}
	return e, atEnd(atEOF)
}

// shortLine is how many bytes of a wrapper are looked at one by one.
const shortLine = 4

// untilHalt returns how many bytes of t, right behind an opener, stand before one
// that asks for a look. If that one is the closing mark, as mostly, there is
// nothing to take out, and the opener's line need not be known.
func untilHalt(t []byte) int {
	// Where a line is but a few bytes, the walk is not worth its call.
	for n := range min(len(t), shortLine) {
		if roles[t[n]].has(halts) {
			return n
		}
	}
	n, _ := scanUntil(t, min(len(t), shortLine), stopWrapped)
	return n
}

// atEnd is the verdict where the text ends in mid-wrapper.
func atEnd(atEOF bool) verdict {
	if atEOF {
		return no
	}
	return more
}

// backslash returns how many bytes a backslash and what belongs to it take: 0
// if it stands before a line break and goes with it. In quotes only the escapes
// of JSON are data; in brackets everything is, and these escapes are undone if
// the reference began with them.
func backslash(t []byte, form Form, json, atEOF bool) (n int, v verdict) {
	if len(t) == 1 {
		return 0, atEnd(atEOF)
	}
	if t[1] == '\n' || t[1] == '\r' {
		return 0, yes
	}
	if json {
		n, short := jsonEscape(t)
		switch {
		case n > 0:
			return n, yes
		case short && !atEOF:
			return 0, more
		}
	}
	if form == Angle {
		return 1, yes
	}
	return 0, no
}

// softHyphen is U+00AD. Before a line break it is never data.
var softHyphen = []byte("\u00ad")

var jsonSlashes = []byte(`:\/\/`)

// jsonEscape returns the length of the escape "\/" or "\u0026" that t begins
// with, or 0. short is true if t is the beginning of one.
func jsonEscape(t []byte) (n int, short bool) {
	const amp = `\u0026`
	if len(t) > 1 && t[1] == '/' {
		return 2, false
	}
	k := min(len(t), len(amp))
	if string(t[:k]) != amp[:k] {
		return 0, false
	}
	if k < len(amp) {
		return 0, true
	}
	return k, false
}

// gap returns the index behind the white space at t[i], with the line breaks in
// it and the quote prefixes behind these. The verdict is no if it holds a blank line or
// a line of another depth.
func gap(t []byte, i int, m *quotePrefix, atEOF bool) (next, breaks int, v verdict) {
	for i < len(t) { // one step forward each time
		c := t[i]
		if c == '\n' || c == '\r' {
			n := lineBreak(t[i:])
			if !atEOF && (i+n == len(t) || isCR(t[i:])) {
				return i, breaks, more
			}
			if breaks++; breaks > 1 {
				return i, breaks, no
			}
			i += n
			k, ok, short := m.strip(t[i:], atEOF)
			switch {
			case short:
				return i, breaks, more
			case !ok:
				return i, breaks, no
			}
			i += k
			continue
		}
		if c < utf8.RuneSelf {
			if !roles[c].has(white) {
				return i, breaks, yes
			}
			i++
			continue
		}
		n := spaceAt(t[i:])
		if n == 0 {
			if !atEOF && !utf8.FullRune(t[i:]) {
				return i, breaks, more
			}
			return i, breaks, yes
		}
		i += n
	}
	if !atEOF {
		return i, breaks, more
	}
	return i, breaks, yes
}

// isCR reports whether t, which may go on, is nothing but what a line break of several
// CR begins with.
func isCR(t []byte) bool {
	return len(t) <= 3 && len(bytes.Trim(t, "\r")) == 0
}

// lineBreak returns the length of the line break that t begins with: LF, CR LF,
// CR CR LF as some gateways wrote it, or a lone CR.
func lineBreak(t []byte) int {
	n := 0
	for n < len(t) && t[n] == '\r' && n < 3 {
		n++
	}
	if n < len(t) && t[n] == '\n' {
		return n + 1
	}
	return 1
}

// schemeLen returns the length of the scheme that t begins with, or 0 if no
// colon follows one.
func schemeLen(t []byte) int {
	if len(t) == 0 || !roles[t[0]].has(alpha) {
		return 0
	}
	for i := 1; i < len(t) && i <= maxScheme; i++ {
		if t[i] == ':' {
			return i
		}
		if !roles[t[i]].has(inScheme) {
			return 0
		}
	}
	return 0
}

// hasSlashes reports whether t begins with "://".
func hasSlashes(t []byte) bool {
	return len(t) > 2 && t[0] == ':' && t[1] == '/' && t[2] == '/'
}
