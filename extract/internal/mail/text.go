package mail

import "bytes"

var classes = [256]uint8{
	'-': dashClass, 'F': fromClass, '>': fromClass, '#': rnewsClass, '\x1f': babylClass, '\x01': mmdfClass,
	'<': plistClass,
	'b': dataClass, '=': dataClass,
}

// stepText finds more of a body from ok on, up to the end of the buffer or to a special
// line. It reads once if there is nothing. It handles a special line only after all bytes
// in front of it were returned. Each iteration consumes a line.
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
