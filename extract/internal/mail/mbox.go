package mail

import "bytes"

// fromSeparates decides whether the line at i, of which v is in the buffer, is a From_
// line that ends the message (RFC 4155, section 2 and appendix A). Mailboxes have no
// certain mark:
//
//   - A line with a date separates after a blank line. Elsewhere it separates if a field
//     follows, since some archives have no blank line there.
//   - A line with only an address separates after a blank line if a field with a known name
//     follows.
//   - A line in front of the end that Content-Length promises is text, if the promise is
//     true.
//
// Any other line is text.
func (r *Reader) fromSeparates(v []byte, whole bool, i int) special {
	if yes, may := begins(v, "From "); !yes {
		if may && !whole {
			return short
		}
		return ordinary
	}
	line, n, full := cutLine(v)
	if !full {
		if !whole {
			return short
		}
		if len(v) == lookahead {
			return ordinary
		}
	}
	g, blank := r.judgeFrom(r.raw(i), line), r.blankBefore(i) || r.raw(i) == r.ent.raw
	if g == noFrom || g == doubtful && !blank {
		return ordinary
	}
	if g == doubtful || !blank {
		yes, wait := fieldNext(v[n:], whole, g == doubtful)
		if wait {
			return short
		}
		if !yes || len(v) == n {
			return ordinary
		}
	}
	if r.raw(i) < r.promised {
		return r.promise(i)
	}
	return separator
}

// promise reports whether the message reaches to the end that its Content-Length promises.
// It does if a From_ line or the end of the stream is there. This is examined only if that
// end is near enough for the buffer; a promise that is too far or wrong is forgotten.
func (r *Reader) promise(i int) special {
	const tail = len("\r\n\r\nFrom ")
	f := &r.frame
	if r.raw(i) < r.kept {
		return ordinary
	}
	if r.promised-r.raw(i) > bufSize-64 {
		r.promised = 0
		return separator
	}
	k := int(r.promised - f.at)
	if k+tail > f.hi && f.err == nil {
		return short
	}
	rest := f.buf[min(k, f.hi):min(k+tail, f.hi)]
	ends := k <= f.hi && f.buf[k-1] == '\n' || k < f.hi && (f.buf[k] == '\n' || f.buf[k] == '\r')
	from, _ := begins(bytes.TrimLeft(rest, "\r\n"), "From ")
	if ends && (from || len(bytes.TrimLeft(rest, "\r\n")) == 0 && k+len(rest) == f.hi && f.err != nil) {
		r.kept = r.promised
		return ordinary
	}
	r.promised = 0
	return separator
}
