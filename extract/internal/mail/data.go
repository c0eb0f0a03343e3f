package mail

import "bytes"

// Articles of news may have data in the middle of their text: uuencode (IEEE Std 1003.1,
// uuencode, "Historical Algorithm") and yEnc (yEnc draft 1.3). The lines of such data are
// removed from the text, since they contain no references.

// beginsData reports whether the first line of v begins data, and the length of that line.
// uuencoded data begins if the next line has the length that its first character says.
func beginsData(v []byte, whole bool) (kind special, n int) {
	mark := "begin "
	if v[0] == '=' {
		mark = "=ybegin "
	}
	yes, may := begins(v, mark)
	line, n, full := cutLine(v)
	switch {
	case may && !whole || yes && !full && !whole:
		return short, 0
	case !yes || !full:
		return ordinary, 0
	case v[0] == '=':
		if bytes.Contains(line, []byte(" name=")) && bytes.Contains(line, []byte("line=")) {
			return yBegin, n
		}
		return ordinary, 0
	}
	// "begin", a mode in octal and a name may be prose; the next line decides.
	mode, name := word(line[len(mark):])
	if len(mode) < 3 || len(mode) > 4 || len(name) < 2 || !octal(mode) {
		return ordinary, 0
	}
	next, _, full := cutLine(v[n:])
	if !full && !whole {
		return short, 0
	}
	if string(next) == "end" || uuLine(next) {
		return uuBegin, n
	}
	return ordinary, 0
}

// octal reports whether b has octal digits only.
func octal(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '7' {
			return false
		}
	}
	return true
}

// uuLine reports whether line is a line of uuencoded data. Its length must be that of its
// first character, plus up to two bytes of a checksum, or minus blanks at its end.
func uuLine(line []byte) bool {
	if len(line) == 0 || len(line) > 90 {
		return false
	}
	if line[0] < ' ' || line[0] > '`' {
		return false
	}
	size := (int(line[0]-' ')&63 + 2) / 3 * 4 // 3 bytes of data are 4 characters
	if n := len(line) - 1; n < size-3 || n > size+2 {
		return false
	}
	for _, c := range line[1:min(len(line), size+1)] {
		if c < ' ' || c > '`' {
			return false
		}
	}
	return true
}

// stepData removes lines of data, up to the end of the buffer, of the data, or of the part.
// Each iteration consumes a line, or examines lookahead bytes of the last line in the
// buffer.
func (x *endFinder) stepData() {
	in := x.in
	hi, last := in.articleEnd()
	if !in.bol { // inside of a long line
		k := bytes.IndexByte(in.buf[in.ok:hi], '\n')
		if k < 0 {
			in.dropData(hi, false)
			x.accept(hi, last)
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
		if classes[v[0]]&x.care&^dataClass != 0 {
			switch kind, n := x.classify(v, whole, in.ok); kind {
			case short:
				in.fill()
				return
			case boundary, separator:
				x.data = ordinary
				x.act(kind, in.ok, n)
				return
			}
		}
		if x.data == uuBegin {
			over := string(line) == "end"
			if !over && !uuLine(line) && len(bytes.TrimSpace(line)) > 0 {
				x.data = ordinary // the data has no end: what follows is text
				return
			}
			in.dropData(in.ok+n, true)
			if over {
				x.data = ordinary
				return
			}
			continue
		}
		// A line of yEnc may contain any bytes; only its end is known.
		in.dropData(in.ok+n, full)
		if over, _ := begins(line, "=yend"); over {
			x.data = ordinary
			return
		}
		if !full {
			return
		}
	}
	x.accept(hi, last)
}
