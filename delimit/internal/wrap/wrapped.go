package wrap

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/window"
)

// Plan: what a wrapper (<…> or "…") contains is found in two steps. Enclose looks for
// the closing mark and decides whether this is a wrapper; it writes nothing. Join then
// removes line breaks and what else is no part of the reference (rules 8 to 10). Most
// wrappers contain nothing but the reference, and need no second step.
//
// Enclose reads each byte once. It stops at the next "<", at a blank line, at a control
// character, at MaxBreaks, and after MaxLen bytes at the latest. It starts only at an
// opener directly in front of a reference. So all calls together read each byte of the
// text a bounded number of times.

// MaxGaps is how many stretches of white space within a line a wrapper may contain. With
// more, it is prose in brackets: the reference is bare and ends at the first gap, and the
// content of the brackets is another reading (rule 10).
const MaxGaps = 3

// CloserOf returns the byte that closes a wrapper which mark opens: '<' or '"'.
func CloserOf(mark byte) byte {
	if mark == '<' {
		return '>'
	}
	return mark
}

// An Enclosure is the result of Enclose: offsets in the text it was given.
type Enclosure struct {
	Start, End int // of the raw reference, without white space at its ends
	After      int // after the closing mark
	Breaks     int
	Gaps       int  // stretches of white space on one line
	Hyphens    int  // line breaks directly after a hyphen
	Joined     bool // something must be removed
	JSON       bool // escapes of JSON are decoded
	Bar        bool // a bar and a label follow the reference
	data       bool // a bar belongs to its query
}

// Enclose searches t, which begins directly after the opener mark, for the end of
// the wrapper. atEOF says that nothing follows t.
func Enclose(t []byte, mark byte, m *QuotePrefix, maxBreaks int, atEOF bool) (e Enclosure, v lex.Answer) {
	closer := CloserOf(mark)
	e.JSON = mark == '"'
	i, _, v := Gap(t, 0, m, atEOF)
	if v != lex.Yes {
		return e, v
	}
	if i > lex.MaxLead {
		return e, lex.No
	}
	e.Start = i
	if n := lex.SchemeLen(t[i:]); n > 0 && (bytes.HasPrefix(t[i+n:], lex.JsonSlashes) || bytes.HasPrefix(t[i+n:], lex.JsonSlashes[:len(`:\/`)]) && lex.FoldEqual(t[i:i+n], "file")) {
		e.JSON = true
	}
	for i < len(t) { // at least one byte in each iteration
		c := t[i]
		r := lex.Roles[c]
		switch {
		case !r.Has(lex.Halts):
			i += UntilHalt(t[i:])
		case c == closer:
			e.End, e.After = i, i+1
			return e, lex.Yes
		case c == '<':
			return e, lex.No
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
			if v != lex.Yes {
				return e, v
			}
			e.Joined = e.Joined || n != 1
			if n != 0 {
				i += n
				continue
			}
			i++ // a line break follows: the gap includes the backslash
			fallthrough
		case r.Has(lex.White), c >= 0x80 && lex.SpaceAt(t[i:]) > 0:
			n, v := e.space(t, i, c == '\\', mark, m, maxBreaks, atEOF)
			if n == 0 {
				return e, v
			}
			i = n
		case r.Has(lex.Ends) && c != '"' && c != '>' && c != '`': // a control
			return e, lex.No
		default:
			i++
		}
	}
	return e, lex.AtEnd(atEOF)
}

// space examines the white space at t[i]. slashed says that a backslash is in front of the white
// space; it is removed together with a line break. space returns where the reference continues
// after the white space. If the reference does not continue, next is 0, and v is the answer of
// Enclose.
func (e *Enclosure) space(t []byte, i int, slashed bool, mark byte, m *QuotePrefix, maxBreaks int, atEOF bool) (next int, v lex.Answer) {
	last := i // where the text in front of it ends
	next, breaks, v := Gap(t, i, m, atEOF)
	switch {
	case v != lex.Yes:
		return 0, v
	case next == len(t):
		return 0, lex.AtEnd(atEOF)
	}
	if slashed {
		last--
	}
	if barred := t[next] == '|' && mark == '<' && !e.data; barred || t[next] == CloserOf(mark) {
		if breaks > 0 && bytes.HasSuffix(t[:last], lex.SoftHyphen) {
			last -= len(lex.SoftHyphen)
		}
		if e.End, e.After, v = last, next+1, lex.Yes; barred {
			e.Bar = true
			if e.After, v = bar(t, e.Start, next, m, atEOF); e.After == 0 {
				return 0, lex.No // white space in front of a bar that is data
			}
		}
		return 0, v
	}
	if breaks == 0 {
		if e.Gaps++; mark == '"' {
			return 0, lex.No
		}
	} else if last > 0 && t[last-1] == '-' && !slashed {
		e.Hyphens++
	}
	if e.Breaks += breaks; e.Breaks > maxBreaks {
		return 0, lex.No
	}
	if schemes.StartsAdjacent(t[next:]) && (breaks == 0 || last == 0 || bytes.IndexByte(schemes.Continues, t[last-1]) < 0) {
		return 0, lex.No // another reference
	}
	e.Joined = true
	return next, lex.Yes
}

// ShortLine is how many bytes UntilHalt examines one by one before it calls the general search.
const ShortLine = 4

// UntilHalt returns the index in t of the first byte that needs a closer look inside a wrapper,
// or len(t). Directly after an opener, that byte is usually the closing mark. Then there is nothing
// to remove, and the quote prefix of the opener's line is not needed.
func UntilHalt(t []byte) int {
	// For lines of a few bytes, a call of the general search costs more than it saves.
	for n := range min(len(t), ShortLine) {
		if lex.Roles[t[n]].Has(lex.Halts) {
			return n
		}
	}
	n, _ := window.ScanUntil(t, min(len(t), ShortLine), window.StopWrapped)
	return n
}

// backslash returns how many bytes a backslash and its escape take, or 0 if the backslash
// is in front of a line break and removed with it. In quotation marks only escapes of
// JSON are data. In angle brackets every backslash is data, and if json is set, escapes
// of JSON are decoded.
func backslash(t []byte, mark byte, json, atEOF bool) (n int, v lex.Answer) {
	if len(t) == 1 {
		return 0, lex.AtEnd(atEOF)
	}
	if t[1] == '\n' || t[1] == '\r' {
		return 0, lex.Yes
	}
	if json {
		n, short := lex.JsonEscape(t)
		switch {
		case n > 0:
			return n, lex.Yes
		case short && !atEOF:
			return 0, lex.More
		}
	}
	if mark == '<' {
		return 1, lex.Yes
	}
	return 0, lex.No
}
