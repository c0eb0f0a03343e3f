package mail

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// This file reads headers. Lines of a header are recognised by their beginnings: a name and a
// colon, or white space. Before the header is returned, lookAhead examines it up to a limit, so
// that its fields are known. The rest of a longer header is examined while it is read.

// stepHeader reads more of the header, from ok up to the end of the buffer, or up to
// limit if that is not 0. If the buffer has no more, it reads once. A header ends at a
// blank line, in front of a line that is neither field nor continuation, or at the end of
// its message.
//
// Each iteration consumes a line or the rest of one, or examines up to nameMax bytes of
// the last line in the buffer.
func (f *endFinder) stepHeader(limit int64) {
	in := f.in
	hi, last := in.articleEnd()
	if limit > 0 && limit-in.at < int64(hi) {
		hi, last = int(limit-in.at), false
	}
	for in.ok < hi {
		v := in.buf[in.ok:hi]
		if in.bol {
			name, gap, kind := f.headerLine(v, last)
			switch kind {
			case lineShort:
				f.more(limit)
				return
			case lineOther:
				line, wait := f.notField(v, last)
				if wait {
					f.more(limit)
					return
				}
				if line > 0 {
					in.ok += line
					continue
				}
				fallthrough
			case lineBlank, lineEnd:
				f.end.gap = gap
				f.finish(endHeader)
				return
			case lineField:
				f.fields.begin(v[:name])
				in.ok += gap
				in.bol = false
				continue
			}
		}
		// The rest of the line, as far as it is in the buffer.
		k := bytes.IndexByte(v, '\n')
		in.bol = k >= 0
		if k < 0 {
			k = len(v) - 1
		}
		f.fields.add(v[:k+1])
		in.ok += k + 1
	}
	if last {
		f.end.gap = 0
		f.finish(endHeader)
		return
	}
	f.more(limit)
}

// more reads once, unless there is something to return or the limit is reached. It reads a
// little beyond the limit, to see whether an article ends there.
func (f *endFinder) more(limit int64) {
	in := f.in
	excess := in.raw(in.hi) - limit
	switch {
	case limit > 0 && excess >= 0 && (excess >= int64(len(rnewsMark)) || in.err != nil):
		f.overlong = true
	case limit > 0 || in.ok == in.lo:
		in.fill()
	}
}

// A lineKind is a kind of line in a header.
type lineKind uint8

const (
	lineShort lineKind = iota // more bytes are needed
	lineBlank
	lineField
	lineFolded
	lineOther // not a line of a header
	lineEnd   // not a line of this entity
)

// headerLine decides what v, a line of a header, begins with. For a field, gap is the
// offset after its colon and name the length of its name. For a blank line, gap is its
// length.
func (f *endFinder) headerLine(v []byte, last bool) (name, gap int, kind lineKind) {
	switch c := v[0]; {
	case c == '\n':
		return 0, 1, lineBlank
	case c == '\r':
		k := 1
		for k < len(v) && k < nameMax && v[k] == '\r' {
			k++
		}
		switch {
		case k == len(v) && k < nameMax && !last:
			return 0, 0, lineShort
		case k < len(v) && v[k] == '\n':
			return 0, k + 1, lineBlank
		}
		return 0, 0, lineOther
	case c == ' ' || c == '\t':
		if f.fields.n == 0 {
			return 0, 0, lineOther
		}
		return 0, 0, lineFolded
	case c == '-' && f.nest.open > 0: // a boundary may have a colon in it
		dashes, may := begins(v, "--")
		if may && !last {
			return 0, 0, lineShort
		}
		if dashes {
			line, _, full := cutLine(v[:min(len(v), lookahead)])
			if !full && !last && len(v) < lookahead {
				return 0, 0, lineShort
			}
			if index, _ := f.nest.match(line); index >= 0 {
				return 0, 0, lineEnd
			}
		}
	}
	n, colon, wait := fieldName(v)
	switch {
	case colon > 0 && n > 0:
		return n, colon, lineField
	case colon > 0 || !wait || last:
		return 0, 0, lineOther
	}
	return 0, 0, lineShort
}

// notField returns the length of the first line of v if that is not a field, but a field with a
// known name follows it in the same header; otherwise 0. Such a line is reported once for each
// header. For a line that begins a message or a part, notField returns 0.
func (f *endFinder) notField(v []byte, last bool) (line int, wait bool) {
	if f.fields.n == 0 || classes[v[0]]&^(fromClass|dataClass) != 0 {
		return 0, false
	}
	if from, may := begins(v, "From "); from || may && !last {
		return 0, may && !last
	}
	_, n, full := cutLine(v[:min(len(v), lookahead)])
	if !full {
		return 0, !last && len(v) < lookahead
	}
	known, wait := fieldNext(v[n:], last, true)
	if !known || n == len(v) {
		return 0, wait && !last
	}
	if !f.hasNotField {
		f.hasNotField = true
		f.in.report(f.current.header(), damage.Skipped(damage.StageHeader, f.in.raw(f.in.ok), "a line that is no field"))
	}
	return n, false
}
