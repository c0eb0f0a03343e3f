package mail

import "bytes"

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
