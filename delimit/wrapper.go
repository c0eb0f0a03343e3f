package delimit

import (
	"bytes"
)

// Plan: what a wrapper (<…> or "…") contains is found in two steps. enclose looks for
// the closing mark and decides whether this is a wrapper; it writes nothing. Join then
// removes line breaks and what else is no part of the reference (rules 8 to 10). Most
// wrappers contain nothing but the reference, and need no second step.
//
// enclose reads each byte once. It stops at the next "<", at a blank line, at a control
// character, at MaxBreaks, and after MaxLen bytes at the latest. It starts only at an
// opener directly in front of a reference. So all calls together read each byte of the
// text a bounded number of times.

// maxGaps is how many stretches of white space within a line a wrapper may contain. With
// more, it is prose in brackets: the reference is bare and ends at the first gap, and the
// content of the brackets is another reading (rule 10).
const maxGaps = 3

// closerOf returns the byte that closes a wrapper which mark opens: '<' or '"'.
func closerOf(mark byte) byte {
	if mark == '<' {
		return '>'
	}
	return mark
}

// An enclosure is the result of enclose: offsets in the text it was given.
type enclosure struct {
	Start, End int // of the raw reference, without white space at its ends
	After      int // after the closing mark
	Breaks     int
	Gaps       int  // stretches of white space on one line
	Spaced     bool // these belong to the reference, and are escaped
	Hyphens    int  // line breaks directly after a hyphen
	Joined     bool // something must be removed
	JSON       bool // escapes of JSON are decoded
	Bar        bool // a bar and a label follow the reference
	data       bool // a bar belongs to its query
}

// enclose searches t, which begins directly after the opener mark, for the end of
// the wrapper. atEOF says that nothing follows t.
func enclose(t []byte, mark byte, m *quotePrefix, maxBreaks int, atEOF bool) (e enclosure, v answer) {
	closer := closerOf(mark)
	e.JSON = mark == '"'
	i, _, v := gap(t, 0, m, atEOF)
	if v != yes {
		return e, v
	}
	if i > maxLead {
		return e, no
	}
	e.Start = i
	if n := schemeLen(t[i:]); n > 0 && (bytes.HasPrefix(t[i+n:], jsonSlashes) || bytes.HasPrefix(t[i+n:], jsonSlashes[:len(`:\/`)]) && foldEqual(t[i:i+n], "file")) {
		e.JSON = true
	}
	for i < len(t) {
		c := t[i]
		r := roles[c]
		switch {
		case !r.has(halts):
			i += untilHalt(t[i:])
		case c == closer:
			e.End, e.After = i, i+1
			return e, yes
		case c == '<':
			return e, no
		case c == '|' && mark == '<' && !e.data:
			after, v := bar(t, e.Start, i, m, atEOF)
			if after > 0 {
				e.End, e.After, e.Bar = i, after, true
				return e, v
			}
			e.data = bytes.IndexByte(t[e.Start:i], '?') >= 0 // then the next ones are data too
			i++
		case c == '\\':
			n, v := backslash(t[i:], mark, e.JSON, atEOF)
			if v != yes {
				return e, v
			}
			e.Joined = e.Joined || n != 1
			if n != 0 {
				i += n
				continue
			}
			i++ // a line break follows: the gap includes the backslash
			fallthrough
		case r.has(white), c >= 0x80 && spaceAt(t[i:]) > 0:
			n, v := e.space(t, i, c == '\\', mark, m, maxBreaks, atEOF)
			if n == 0 {
				return e, v
			}
			i = n
		case r.has(ends) && c != '"' && c != '>' && c != '`': // a control
			return e, no
		default:
			i++
		}
	}
	return e, atEnd(atEOF)
}

// space examines the white space at t[i]. slashed says that a backslash is in front of the white
// space; it is removed together with a line break. space returns where the reference continues
// after the white space. If the reference does not continue, next is 0, and v is the answer of
// enclose.
func (e *enclosure) space(t []byte, i int, slashed bool, mark byte, m *quotePrefix, maxBreaks int, atEOF bool) (next int, v answer) {
	last := i // where the text in front of it ends
	next, breaks, v := gap(t, i, m, atEOF)
	switch {
	case v != yes:
		return 0, v
	case next == len(t):
		return 0, atEnd(atEOF)
	}
	if slashed {
		last--
	}
	if barred := t[next] == '|' && mark == '<' && !e.data; barred || t[next] == closerOf(mark) {
		if breaks > 0 && bytes.HasSuffix(t[:last], softHyphen) {
			last -= len(softHyphen)
		}
		if e.End, e.After, v = last, next+1, yes; barred {
			e.Bar = true
			if e.After, v = bar(t, e.Start, next, m, atEOF); e.After == 0 {
				return 0, no // white space in front of a bar that is data
			}
		}
		return 0, v
	}
	if breaks == 0 {
		if e.Gaps++; mark == '"' && !inDrive(t[e.Start:i]) {
			return 0, no
		}
	} else if last > 0 && t[last-1] == '-' && !slashed {
		e.Hyphens++
	}
	if e.Breaks += breaks; e.Breaks > maxBreaks {
		return 0, no
	}
	if startsAdjacent(t[next:]) && (breaks == 0 || last == 0 || bytes.IndexByte(continues, t[last-1]) < 0) {
		return 0, no // another reference
	}
	e.Joined = true
	return next, yes
}

// shortLine is how many bytes untilHalt examines one by one before it calls the general search.
const shortLine = 4

// untilHalt returns the index in t of the first byte that needs a closer look inside a wrapper,
// or len(t). Directly after an opener, that byte is usually the closing mark. Then there is nothing
// to remove, and the quote prefix of the opener's line is not needed.
func untilHalt(t []byte) int {
	// For lines of a few bytes, a call of the general search costs more than it saves.
	for n := range min(len(t), shortLine) {
		if roles[t[n]].has(halts) {
			return n
		}
	}
	n, _ := scanUntil(t, min(len(t), shortLine), stopWrapped)
	return n
}

// backslash returns how many bytes a backslash and its escape take, or 0 if the backslash
// is in front of a line break and removed with it. In quotation marks only escapes of
// JSON are data. In angle brackets every backslash is data, and if json is set, escapes
// of JSON are decoded.
func backslash(t []byte, mark byte, json, atEOF bool) (n int, v answer) {
	if len(t) == 1 {
		return 0, atEnd(atEOF)
	}
	if t[1] == '\n' || t[1] == '\r' {
		return 0, yes
	}
	if json {
		switch e, v := backslashAt(t, 0, atEOF); v {
		case yes:
			return e.n, yes
		case more:
			return 0, more
		}
	}
	if mark == '<' {
		return 1, yes
	}
	return 0, no
}

// Labels after a bar, or in brackets (rule 19), as byte patterns.

// bar returns where a wrapper with a label ends, after its ">". The wrapper holds the reference
// t[start:i], the bar t[i] and the label. The result is 0 if the bar belongs to the reference: to a
// drive, or to a value in a query that continues after it.
func bar(t []byte, start, i int, m *quotePrefix, atEOF bool) (after int, v answer) {
	if driveLetter(t[start:i]) {
		return 0, no
	}
	if bytes.IndexByte(t[start:i], '?') >= 0 {
		if v := fieldAhead(t[i:], atEOF); v != no {
			if v == yes {
				return 0, no
			}
			return len(t), v
		}
	}
	for i++; i < len(t); { // one step forward each time
		c := t[i]
		switch {
		case c == '>':
			return i + 1, yes
		case roles[c].has(white):
			next, _, v := gap(t, i, m, atEOF)
			if v != yes {
				return len(t), v
			}
			i = next
		case c == '<', roles[c].has(ends) && c != '"' && c != '`':
			return len(t), no
		default:
			i++
		}
	}
	return len(t), atEnd(atEOF)
}

// fieldAhead reports whether t, up to a ">", has a field of a query, as in "|fr&ie=utf-8>". There
// must be no other reference in front of the ">", and white space only directly in front of it.
func fieldAhead(t []byte, atEOF bool) answer {
	found := no
	for i, c := range t {
		switch {
		case c == '>':
			return found
		case roles[c].has(white):
			k := i + len(t[i:]) - len(bytes.TrimLeft(t[i:], " \t\r\n\v\f"))
			switch {
			case k == len(t):
				return atEnd(atEOF)
			case t[k] == '>':
				return found
			}
			return no
		case roles[c].has(ends), c == ':' && hasSlashes(t[i:]):
			return no
		case c == '&':
			k := i + 1
			for k < len(t) && (roles[t[k]].has(inScheme) || t[k] == '_') && k-i <= maxScheme {
				k++
			}
			if k > i+1 && k < len(t) && t[k] == '=' {
				found = yes
			}
		}
	}
	return atEnd(atEOF)
}

// sentenceMarks are the marks after which a group in brackets is no label. Paths of VMS
// have such groups, as in http://a/disk:[dir]file.
var sentenceMarks = []byte(".,;:!?'")

// lastPartner returns the index of the "[" that the last byte of ref closes, or -1.
func lastPartner(ref []byte) int {
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

// inKey reports whether group, which is in brackets, belongs to the name of a field in the
// query of ref: ?list[] or &list[0]. A label holds white space or follows a value.
func inKey(ref, group []byte) bool {
	q := bytes.IndexByte(ref, '?')
	if q < 0 || bytes.IndexByte(ref, '#') >= 0 {
		return false
	}
	name := ref[max(q, bytes.LastIndexByte(ref, '&'))+1:]
	for _, c := range group {
		if roles[c].has(white) {
			return false
		}
	}
	return len(name) > 0 && bytes.IndexByte(name, '=') < 0
}

// A joiner says how join reads a reference.
type joiner struct {
	JSON   bool  // decode the escapes of JSON
	Escape bool  // white space within a line becomes %20
	Cut    bool  // stop at white space within a line
	Drop   uint8 // bit k: drop the hyphen at the k-th line break that has one, from 0
}

// join appends the text of raw, the reference in a wrapper, to dst. It removes line
// breaks, the white space around them, quote prefixes, and a backslash or soft hyphen in
// front of a break. dst has room for all of raw, or for three times as much if how.Escape
// is set.
func join(dst, raw []byte, m *quotePrefix, how joiner) []byte {
	hyphens := 0
	for i := 0; i < len(raw); {
		if n := untilHalt(raw[i:]); n > 0 {
			dst = append(dst, raw[i:i+n]...)
			i += n
			continue
		}
		c := raw[i]
		at := i
		if c == '\\' {
			if i+1 < len(raw) && (raw[i+1] == '\n' || raw[i+1] == '\r') {
				at++
			} else if e, v := backslashAt(raw, i, true); how.JSON && v == yes {
				dst = e.appendTo(dst)
				i += e.n
				continue
			}
		}
		if at == i && !roles[c].has(white) && (c < 0x80 || spaceAt(raw[i:]) == 0) {
			dst = append(dst, c)
			i++
			continue
		}
		next, breaks, _ := gap(raw, at, m, true)
		switch {
		case breaks == 0 && how.Cut:
			return dst
		case breaks == 0 && how.Escape:
			for i < next {
				dst = append(dst, "%20"...)
				i += spaceAt(raw[i:])
			}
		case breaks > 0:
			n := len(dst)
			switch {
			case n == 0:
			case dst[n-1] == softHyphen[1] && bytes.HasSuffix(dst, softHyphen):
				dst = dst[:n-len(softHyphen)]
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
