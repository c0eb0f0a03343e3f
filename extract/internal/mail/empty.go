package mail

import "bytes"

// Reading an empty part takes many times longer than skipping its bytes.

// SkipEmpty makes r skip empty parts until its Reset: children of a multipart without
// fields and without a body. In a row of them it skips those that are in the buffer with
// the boundary line after them, except for the last, so the place that was read last stays
// correct.
func (r *Reader) SkipEmpty() { r.skipEmpty = true }

// Skipped returns how many parts [Reader.SkipEmpty] has skipped since the last call.
func (r *Reader) Skipped() (parts int) {
	parts, r.skipped = r.skipped, 0
	return parts
}

// passEmpty skips empty children of l, which begin after the boundary line of n bytes at
// ok: at most a blank line as header, and an equal boundary line. Each iteration skips
// one.
func (r *Reader) passEmpty(l *level, n int) {
	f := &r.frame
	hi, _ := f.articleEnd()
	line := f.buf[f.ok-n : f.ok]
	if l.digest || r.babyl || line[n-1] != '\n' { // parts of a digest are messages
		return
	}
	at := f.ok // after a boundary line
	for {
		k := at
		switch {
		case k < hi && f.buf[k] == '\n':
			k++
		case k+1 < hi && f.buf[k] == '\r' && f.buf[k+1] == '\n':
			k += 2
		}
		if hi-k < n || !bytes.Equal(f.buf[k:k+n], line) {
			break
		}
		at = k + n
		l.children++
		r.skipped++
	}
	f.take(at, true)
}
