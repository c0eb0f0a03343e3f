package mail

import "bytes"

// Parts that are so short that to read them as others are read would cost many
// times what passing their bytes does.

// SkipEmpty makes r skip empty parts until its Reset: children of a multipart
// with nothing in their headers and nothing in their bodies. Of a row of them all are
// skipped that lie in the buffer with the boundary line after them, but for the
// last, so that what is said of the place that was read last stays true.
func (r *Reader) SkipEmpty() { r.skipEmpty = true }

// Skipped returns how many parts were skipped by [Reader.SkipEmpty] since it was
// called last.
func (r *Reader) Skipped() (parts int) {
	parts, r.skipped = r.skipped, 0
	return parts
}

// passEmpty skips empty children of l, which begin after the boundary line of
// n bytes at ok: the header, which is a blank line at most, and another line that
// reads the same. Each iteration passes such a line.
func (r *Reader) passEmpty(l *level, n int) {
	f := &r.frame
	hi, _ := f.edge()
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
