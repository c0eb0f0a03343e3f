package mail

import (
	"bytes"
	"fmt"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// An endKind says why a part has ended.
type endKind uint8

const (
	endHeader  endKind = iota // the header has ended; the body begins gap bytes after ok
	endPart                   // at a boundary line of the open entity hit
	endMessage                // at a separator, or the end of the stream
)

// An ending is the end of a part.
type ending struct {
	why     endKind
	gap     int  // for endHeader: bytes between header and body
	hit     int  // for endPart: index of the open entity
	hitLen  int  // the length of the boundary line
	closing bool // it closes the open entity
}

// An endFinder finds how far the current part reaches. Its steps move input.ok.
type endFinder struct {
	in      *input
	nest    *nesting
	fields  *fields
	mbox    *mbox
	current *currentEntity
	values  *valueParser
	partial *partial

	done bool // the part has ended, except for buf[lo:ok]
	end  ending

	header      bool // the part is a header: see stepHeader
	overlong    bool // the header is longer than lookAhead examines
	hasNotField bool // a line that is not a field was reported

	care uint8   // of a body: classes of first bytes that must be examined
	hold bool    // see stepText
	data special // uuBegin or yBegin while inside such data
}

// beginHeader makes the header at ok the current part.
func (f *endFinder) beginHeader() {
	f.done, f.header, f.hold, f.data, f.overlong, f.hasNotField = false, true, false, ordinary, false, false
}

// beginBody makes the text at ok the current part. data says whether it may contain
// uuencoded and yEnc data.
func (f *endFinder) beginBody(framing Framing, data bool) {
	f.done, f.header, f.data = false, false, ordinary
	f.care = 0
	switch framing { // Single has no separators
	case Rnews:
		f.care = rnewsClass
	case Mbox:
		f.care = fromClass
	case Babyl:
		f.care = babylClass
	case MMDF:
		f.care = mmdfClass
	case Emlx:
		f.care = plistClass
	}
	if f.nest.open > 0 {
		f.care |= dashClass
	}
	if data {
		f.care |= dataClass
	}
}

func (f *endFinder) finish(why endKind) { f.done, f.end.why = true, why }

// Classes of first bytes of lines that may be something other than text.
const (
	dashClass  = 1 << iota // boundary lines
	fromClass              // From_ lines and quoted ones
	rnewsClass             // "#! rnews "
	babylClass             // ^_
	mmdfClass              // ^A^A^A^A
	plistClass             // the property list of an emlx file
	dataClass              // the beginning of uuencoded or yEnc data
)

// step finds more of the part, or its end.
func (f *endFinder) step() {
	switch {
	case f.header:
		f.stepHeader(0)
	case f.data != ordinary:
		f.stepData()
	default:
		f.stepText()
	}
}

// skip discards the rest of the part.
func (f *endFinder) skip() {
	for !f.done { // each iteration passes bytes of the stream, or reads
		f.in.pass()
		f.step()
	}
	f.in.pass()
}

// empty reports whether the part ends undamaged with nothing left of it.
func (f *endFinder) empty() bool {
	in := f.in
	for in.lo == in.ok && !f.done { // each iteration passes bytes of the stream, or reads
		f.step()
	}
	return in.lo == in.ok && in.failed(nil) == nil
}

// Lines of a header are recognised by their beginnings: a name and a colon, or white space.
// Before the header is returned, lookAhead examines it up to a limit, so that its fields are
// known. The rest of a longer header is examined while it is read.

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

var classes = [256]uint8{
	'-': dashClass, 'F': fromClass, '>': fromClass, '#': rnewsClass, '\x1f': babylClass, '\x01': mmdfClass,
	'<': plistClass,
	'b': dataClass, '=': dataClass,
}

// stepText finds more of a body from ok on, up to the end of the buffer or to a special
// line. It reads once if there is nothing. It handles a special line only after all bytes
// in front of it were returned.
//
// A line end that may belong to a boundary line after it is held back where it matters: in
// data that is not text (RFC 2046, section 5.1.1).
func (f *endFinder) stepText() {
	in := f.in
	hi, last := in.articleEnd()
	first := in.ok + in.held
	starts, known := in.lines(first)
	// next returns the end of the line that contains i, or hi if it does not end before.
	next := func(i int) (end int, full bool) {
		if !known {
			k := bytes.IndexByte(in.buf[i:hi], '\n')
			if k < 0 {
				return hi, false
			}
			return i + k + 1, true
		}
		if len(starts) == 0 || starts[0]-in.at > int64(hi) {
			return hi, false
		}
		end = int(starts[0] - in.at)
		starts = starts[1:]
		return end, true
	}
	i := first // where a line begins, or continues
	if !in.bol {
		if i, in.bol = next(i); !in.bol {
			f.accept(hi, last)
			return
		}
	}
	for i < hi {
		if classes[in.buf[i]]&f.care != 0 {
			v, whole := in.view(i, hi, last)
			kind, n := f.classify(v, whole, i)
			if kind == short && i == first {
				in.fill()
				return
			}
			if kind > short && i == first { // all bytes in front of it were returned
				f.act(kind, i, n)
				return
			}
			if kind != ordinary { // it is classified again when all bytes in front of it were returned
				break
			}
		}
		if i, in.bol = next(i); !in.bol {
			break
		}
	}
	f.accept(i, last && i == hi)
}

// accept adds the bytes in front of i to the text. If there are no new bytes, it reads, or ends
// the body if last is set.
func (f *endFinder) accept(i int, last bool) {
	in := f.in
	was, held := in.ok, in.held
	in.ok, in.held = i, 0
	if f.hold && !last {
		n := endOfLine(in.buf[was:i])
		in.ok -= n
		if in.bol { // otherwise it is a CR whose LF has not been read yet
			in.held = n
		}
	}
	switch {
	case in.ok != was || in.held != held: // progress
	case !last:
		in.fill()
	default:
		f.finish(endMessage)
	}
}

// classify decides what the line at i is. v and whole are what view returns for that line: the
// bytes that may decide, and whether no more of these will come. For a boundary line, and for the
// first line of data, n is its length. For a joint, n is the length of what is removed. It examines
// only v, except for a joint.
func (f *endFinder) classify(v []byte, whole bool, i int) (kind special, n int) {
	// wait is for lines that the bytes after v may make special.
	wait := func(may bool) special {
		if may && !whole {
			return short
		}
		return ordinary
	}
	switch v[0] {
	case '-':
		if yes, may := begins(v, "--"); !yes {
			return wait(may), 0
		}
		line, n, full := cutLine(v)
		if !full && (!whole || len(v) == lookahead) {
			return wait(true), 0
		}
		if f.end.hit, f.end.closing = f.nest.match(line); f.end.hit >= 0 {
			return boundary, n
		}
	case 'F':
		kind = f.mbox.separates(v, whole, i, f.current.raw, len(f.nest.stack) > 0)
		if kind != separator || !f.partial.active() {
			return kind, 0
		}
		switch yes, n, wait := f.continues(i); {
		case wait:
			return short, 0
		case yes:
			return joint, n
		}
		return separator, 0
	case '>':
		for n < len(v) && v[n] == '>' { // bounded by the part of the line that is in v
			n++
		}
		yes, may := begins(v[n:], "From ")
		if yes {
			return quoted, 0
		}
		return wait(may), 0
	case '#':
		return f.in.batchLine(v, whole, i), 0
	case '\x1f':
		return separator, 0
	case '\x01':
		return atMark(v, whole, mmdfLine), 0
	case '<':
		if f.in.end == endless { // the count was wrong, so the property list ends the message
			return atMark(v, whole, plistType), 0
		}
	case 'b', '=':
		return beginsData(v, whole)
	}
	return ordinary, 0
}

// act handles the special line at i. All bytes in front of it were returned, except for a
// line end that is held.
func (f *endFinder) act(kind special, i, n int) {
	in := f.in
	switch kind {
	case boundary: // with the line end before it, if that is held
		in.take(i+n, true)
		f.end.hitLen = n
		f.finish(endPart)
	case separator: // beginMessage takes the line
		in.take(i, true)
		f.finish(endMessage)
	case joint:
		if in.held > 0 && !in.blankBefore(i) { // the line end is text: no blank line is in front of the From_ line
			in.ok, in.held = i, 0
			return
		}
		f.join(i, n)
	case quoted:
		if in.held > 0 { // the held line end was text after all
			in.ok, in.held = i, 0
			return
		}
		in.take(i+1, false) // what is left of the line is text
	case uuBegin, yBegin:
		in.dropData(i+n, true)
		f.data = kind
	}
}

// Articles of news may have data in the middle of their text: uuencode (IEEE Std 1003.1,
// uuencode, "Historical Algorithm") and yEnc (yEnc draft 1.3). The lines of such data are
// removed from the text, since they contain no references.

// stepData removes lines of data, up to the end of the buffer, of the data, or of the part.
// Each iteration consumes a line, or examines lookahead bytes of the last line in the
// buffer.
func (f *endFinder) stepData() {
	in := f.in
	hi, last := in.articleEnd()
	if !in.bol { // inside a long line
		k := bytes.IndexByte(in.buf[in.ok:hi], '\n')
		if k < 0 {
			in.dropData(hi, false)
			f.accept(hi, last)
			return
		}
		in.dropData(in.ok+k+1, true)
	}
	for in.ok < hi {
		v, whole := in.view(in.ok, hi, last)
		line, n, full := cutLine(v)
		if !full && !whole {
			in.fill()
			return
		}
		// Boundaries and separators end data too. A truncated post often has no other
		// end.
		if classes[v[0]]&f.care&^dataClass != 0 {
			switch kind, n := f.classify(v, whole, in.ok); kind {
			case short:
				in.fill()
				return
			case boundary, separator:
				f.data = ordinary
				f.act(kind, in.ok, n)
				return
			case joint:
				f.act(kind, in.ok, n)
				return
			}
		}
		if f.data == uuBegin {
			ended := string(line) == "end"
			if !ended && !uuLine(line) && len(bytes.TrimSpace(line)) > 0 {
				f.data = ordinary // the data has no end: what follows is text
				return
			}
			in.dropData(in.ok+n, true)
			if ended {
				f.data = ordinary
				return
			}
			continue
		}
		// Any line may be yEnc data. Only "=yend" ends it here.
		in.dropData(in.ok+n, full)
		if ended, _ := begins(line, "=yend"); ended {
			f.data = ordinary
			return
		}
		if !full {
			return
		}
	}
	f.accept(hi, last)
}

// A message may be sent in parts: as several messages of type message/partial (RFC 2046, section
// 5.2.2). The first one holds the header of the whole message and the beginning of its body; the
// others hold the rest. In a mailbox the parts may follow one another. Then they are read as one
// message: where the next part begins, its From_ line and its header are removed, and the text
// that is being read continues.

// A partial is the message in parts that is being read.
type partial struct {
	id    []byte // as written; empty if there is no such message
	next  int64  // the number of the next part
	ahead fields // of the message that may be the next part
	room  []byte // for the id in ahead
}

// end says that the message is not, or no longer, in parts.
func (p *partial) end() { p.id, p.next = p.id[:0], 0 }

// active reports whether another part may follow.
func (p *partial) active() bool { return len(p.id) > 0 }

// begin begins the message that is in parts, whose first part has the Content-Type value.
func (p *partial) begin(value []byte) {
	p.id, _ = appendParam(p.id[:0], params(value), "id")
	p.next = 2
}

// continues reports whether the message that begins at i is the next part of the message that is
// being read, and the length of what is in front of its body: the From_ line and the header. It
// compares only if the header is complete within headerMax bytes.
func (f *endFinder) continues(i int) (yes bool, length int, wait bool) {
	in, p := f.in, f.partial
	hi, last := in.articleEnd()
	v := in.buf[i:min(hi, i+headerMax)]
	_, length, _ = cutLine(v)
	p.ahead.reset()
	for {
		line, n, full := cutLine(v[length:])
		if !full {
			return false, 0, !last && len(v) < headerMax
		}
		if len(line) == 0 {
			length += n
			break
		}
		name, colon, _ := fieldName(line)
		gateway, _ := begins(line, ">From ")
		switch folded := line[0] == ' ' || line[0] == '\t'; {
		case folded:
			p.ahead.add(line)
		case colon > 0 && name > 0:
			p.ahead.begin(line[:name])
			p.ahead.add(line[colon:])
		case !gateway:
			return false, 0, false
		}
		length += n
	}
	value := p.ahead.get(contentType)
	if !same(token(value), []byte("message/partial")) || f.values.partNumber(value) != p.next {
		return false, 0, false
	}
	var ok bool
	p.room, ok = appendParam(p.room[:0], params(value), "id")
	return ok && bytes.Equal(p.room, p.id), length, false
}

// join continues the text with the next part, whose body is at i+n.
func (f *endFinder) join(i, n int) {
	in, p := f.in, f.partial
	if header := in.buf[i : i+n]; bytes.Contains(header, []byte("://")) || bytes.Contains(header, []byte("mailto:")) || bytes.Contains(header, []byte("=?")) { // RFC 2046, section 5.2.2.1: these fields are discarded
		in.report(f.current.section(""), damage.Skipped(damage.StageMIME, in.raw(i), fmt.Sprintf("references in the header of part %d of a message are not read", p.next)))
	}
	p.next++
	in.message++
	f.mbox.promised = 0
	in.take(i+n, true)
}
