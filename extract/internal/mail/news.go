package mail

import (
	"bytes"
	"fmt"
)

// What is between messages, except for From_ lines. beginMessage waits for complete
// lines. This delays nothing, since they are not text.

const (
	rnewsMark = "#! rnews "
	mmdfLine  = "\x01\x01\x01\x01"
)

// beginMessage skips what is in front of a message, and makes the message the entity. It
// reports whether there is one.
func (r *Reader) beginMessage() bool {
	switch r.framing {
	case Rnews:
		return r.beginRnews()
	case Babyl:
		return r.beginBabyl()
	case MMDF:
		for m, _ := begins(r.peekLine(), mmdfLine); m; m, _ = begins(r.peekLine(), mmdfLine) {
			r.dropLine() // one such line ends a message, another begins the next
		}
	case Single:
		if r.message > 0 {
			return false
		}
		fallthrough
	case Mbox: // some programs leave blank lines in front
		for len(r.peekLine()) > 0 && len(bytes.TrimRight(r.peekLine(), "\r\n")) == 0 {
			r.dropLine()
		}
	}
	if len(r.peekLine()) == 0 {
		return false
	}
	if r.framing == Mbox && r.onMessage != nil && !r.onMessage(r.raw(r.lo), r.message) {
		return false
	}
	r.dropFrom(true)
	r.beginEntity()
	return true
}

// dropFrom skips a From_ line, if one is allowed here, and the ">From " lines of gateways
// after it (RFC 976, section 2.4). Each iteration skips a line.
func (r *Reader) dropFrom(one bool) {
	for {
		line, _, _ := cutLine(r.peekLine())
		raw := r.raw(r.lo)
		quoted, _ := begins(line, ">From ")
		if quoted {
			line = line[1:]
			raw++
		}
		if from, _ := begins(line, "From "); !from || !quoted && !one || r.judgeFrom(raw, line) == noFrom {
			return
		}
		r.dropLine()
		one = false
	}
}

// beginRnews is beginMessage for a batch. If something else is in the place of "#! rnews
// N", it is read as an article up to the next such line.
func (r *Reader) beginRnews() bool {
	if over := r.end - r.raw(r.lo); over > 0 && r.end != endless {
		e := mild("rnews", r.raw(r.lo), fmt.Sprintf("stream ends %d bytes before the article", over))
		e.Lost = true
		r.report("", e)
	}
	r.end, r.sure = endless, false
	line, _, _ := cutLine(r.peekLine())
	if len(r.peekLine()) == 0 {
		return false
	}
	raw, end, bad := r.raw(r.lo), int64(endless), ""
	if yes, _ := begins(line, rnewsMark); yes {
		count, _ := word(line[len(rnewsMark):])
		n, ok := number(count)
		r.dropLine()
		if ok {
			end = r.raw(r.lo) + n // 18 digits do not overflow
		} else {
			bad = "batch line without a count"
		}
	} else {
		bad = "no batch line"
	}
	r.dropFrom(true)
	r.beginEntity()
	if bad != "" {
		r.report("", mild("rnews", raw, bad))
	}
	r.end = max(end, r.raw(r.ok))
	return true
}

// articleEnd is like frame.articleEnd. An article with a wrong count continues up to another batch
// line, or the end.
func (r *Reader) articleEnd() (hi int, last bool) {
	f := &r.frame
	over := f.end - f.raw(f.hi) // how much of the article is still to come
	if f.end == endless || f.sure || over > 0 || f.err == nil && over > -int64(len(rnewsMark)) {
		return f.articleEnd()
	}
	// Enough bytes after the article are in the buffer, or no more will come.
	rest := f.buf[f.end-f.at : f.hi]
	if yes, _ := begins(rest, rnewsMark); yes || len(rest) == 0 {
		f.sure = true
		return f.articleEnd()
	}
	r.keep(pendingDamage{mild("rnews", f.end, "no batch line after the article"), r.message, "", true})
	f.end = endless
	return f.articleEnd()
}

// batchLine decides whether the line at i, of which v is in the buffer, ends an article.
// In front of the end by the count, it does so only if the count is wrong. That is
// examined if that end is near enough for the buffer, independent of how much was read.
func (r *Reader) batchLine(v []byte, whole bool, i int) special {
	f := &r.frame
	switch {
	case f.sure:
		return ordinary
	case f.end == endless:
		return r.atMark(v, whole, rnewsMark)
	}
	v, whole = f.view(i, f.hi, f.err != nil) // the line may extend past that end
	if kind := r.atMark(v, whole, rnewsMark); kind != separator {
		return kind
	}
	if f.end-f.raw(i) > bufSize-keptBytes-int64(len(rnewsMark)) {
		return ordinary
	}
	k := int(f.end - f.at)
	if k+len(rnewsMark) > f.hi && f.err == nil {
		return short
	}
	rest := f.buf[min(k, f.hi):f.hi]
	if yes, _ := begins(rest, rnewsMark); yes || k == f.hi {
		return ordinary
	}
	r.keep(pendingDamage{mild("rnews", f.end, "no batch line after the article"), r.message, "", true})
	f.end = endless
	return separator
}

// beginBabyl is beginMessage for a mail file of Rmail. A message follows a line with ^_
// and ^L, and begins with a line of attributes. If that line begins with '1', the
// complete header comes first, and then the header that Rmail displays.
func (r *Reader) beginBabyl() bool {
	for { // one line in each iteration
		line := r.peekLine()
		if len(line) == 0 {
			return false
		}
		r.dropLine()
		if line[0] == '\x1f' {
			break
		}
	}
	attributes := r.peekLine()
	if len(attributes) == 0 {
		return false
	}
	r.babyl = false
	// "0,..." or "1,...": whether Rmail's own header follows the complete one.
	if len(attributes) > 1 && attributes[1] == ',' && '0' <= attributes[0] && attributes[0] <= '1' {
		r.babyl = attributes[0] == '1'
		r.dropLine()
	}
	if yes, _ := begins(r.peekLine(), eooh); yes {
		r.dropLine()
		r.babyl = false
	}
	r.beginEntity()
	return true
}

const eooh = "*** EOOH ***"

// dropVisible skips the header that Rmail displays. Each iteration skips a line.
func (r *Reader) dropVisible() {
	r.babyl = false
	if yes, _ := begins(r.peekLine(), eooh); !yes {
		return
	}
	for {
		line, _, _ := cutLine(r.peekLine())
		if len(r.peekLine()) == 0 || len(line) > 0 && line[0] == '\x1f' {
			return
		}
		r.dropLine()
		if len(line) == 0 {
			return
		}
	}
}

// peekLine returns the line that begins at lo, with its end, or the first lookahead bytes
// of a longer line. It reads until it has them. At the end of the stream it returns
// nothing.
func (r *Reader) peekLine() []byte {
	f := &r.frame
	for seen := 0; ; {
		hi, last := r.articleEnd()
		v, whole := f.view(f.lo, hi, last)
		if k := bytes.IndexByte(v[seen:], '\n'); k >= 0 {
			return v[:seen+k+1]
		}
		if whole {
			return v
		}
		seen = len(v)
		f.fill()
	}
}

// dropLine discards the line at lo, of any length. Each iteration discards what is in the
// buffer.
func (r *Reader) dropLine() {
	f := &r.frame
	for {
		hi, last := r.articleEnd()
		if k := bytes.IndexByte(f.buf[f.lo:hi], '\n'); k >= 0 {
			f.take(f.lo+k+1, true)
			return
		}
		f.take(hi, last)
		if last {
			return
		}
		f.fill()
	}
}
