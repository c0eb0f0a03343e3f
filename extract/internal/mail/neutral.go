package mail

import (
	"bytes"
	"io"
	"math"
)

// NeutralBefore is how many bytes in front of a message or record [FirstNeutral] examines for one that reaches
// beyond it. One whose header is further away is not seen: if it has a line near its end that looks like the start of a message or
// record, this line is taken for one.
const NeutralBefore = 1 << 20

// neutralStep is how many bytes FirstNeutral searches at a time.
const neutralStep = 256 << 10

// FirstNeutral returns the offset of the first message in r that begins at or after the offset
// from and in front of the offset until, and does so whatever is in front of it: see [LastNeutral]. f is [Mbox], or [WARC] for
// the first record of WARC. If there is none, it returns -1. before is how many bytes in front of a message are examined. Whether a place
// is neutral depends only on that, and on headerMax bytes after it. Each iteration searches a step, and the offsets that are read only
// grow; each byte is examined a bounded number of times.
func FirstNeutral(r io.ReaderAt, f Framing, from, until, before int64) (int64, error) {
	first := firstMessage
	if f == WARC {
		first = firstRecord
	}
	buf := make([]byte, before+neutralStep+headerMax)
	for from < until {
		begin := max(0, from-before)
		n, err := r.ReadAt(buf[:from+neutralStep+headerMax-begin], begin)
		if err != nil && err != io.EOF {
			return 0, err
		}
		next := from + neutralStep // lines after that are not followed by enough bytes
		if err == io.EOF {
			next = begin + int64(n)
		}
		if at := first(buf[:n], int(from-begin), int(min(next, until)-begin), int(before)); at >= 0 {
			return begin + int64(at), nil
		}
		if from = next; err == io.EOF {
			break
		}
	}
	return -1, nil
}

// firstMessage is FirstNeutral in b, for an [Mbox].
func firstMessage(b []byte, from, until, before int) int {
	p, h := newPromises(b), headers{b: b}
	for at := FindMessage(b, from); at >= 0 && at < until; at = FindMessage(b, at+1) {
		if p.read(at); p.kept(at, before) && h.separate(at) {
			return at
		}
	}
	return -1
}

// firstRecord is FirstNeutral in b, for records of WARC. Only those after a blank line are seen, as they are written. A
// header has none, so no byte of it is examined for two records.
func firstRecord(b []byte, from, until, before int) int {
	const blank = len("\n\r\n")
	var p promises
	for at := 0; ; at++ { // the beginning of r, then what may be a record in each iteration
		if is, _ := begins(b[at:], WARCMark); at > 0 || !is {
			k := bytes.Index(b[at:], recordBegins)
			if at += k + 1; k < 0 || at >= until {
				return -1
			}
		}
		above := b[max(0, at-blank):max(0, at-1)]
		if at > 0 && !bytes.HasSuffix(above, newline) && !bytes.HasSuffix(above, []byte("\n\r")) {
			continue
		}
		_, next := Record(b[at:])
		if next < 0 {
			continue
		}
		if at >= from && p.kept(at, before-blank) {
			return at
		}
		p.add(at, int64(at)+next)
	}
}

var recordBegins = []byte("\n" + WARCMark)

// What Cut examines first: bytes in front of the wished place, and after it.
const (
	cutBefore = 2 * bufSize
	cutAfter  = headerMax / 2
)

// CutBuffer is the length of the buffer of Cut.
const CutBuffer = 8 * headerMax

// Cut returns a neutral place in r: the first message at or after wish that is known to be one, if a message begins at the offset begin. If there is
// none, it returns the offset of the end of r. It uses buf. It examines only what is near wish: a Content-Length that is further away is
// ignored, see mbox.promise. Each byte is examined a bounded number of times.
func Cut(r io.ReaderAt, begin, wish int64, buf []byte) (int64, error) {
	from := max(begin, wish-cutBefore)
	anchor := int64(math.MaxInt64) // a certain From_ line: a message is neutral only if such a line is so far in front of it that all promises in front of that line are ignored
	if from == begin {
		anchor = begin - bufSize
	}
	var l Lengths
	for b := buf[:wish+cutAfter-from]; ; b = buf[:CutBuffer] { // each iteration examines a step
		n, err := r.ReadAt(b, from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		h := headers{b: b[:n]}
		k := l.messages(b[:n], from, func(i int, certain bool) bool {
			at := from + int64(i)
			if at >= wish && at-anchor >= bufSize && !l.keep(at) && h.separate(i) {
				return false
			}
			if certain {
				anchor = min(anchor, at)
			}
			return true
		})
		switch {
		case k >= 0:
			return from + int64(k), nil
		case err == io.EOF:
			return from + int64(n), nil
		}
		from += int64(max(n-headerMax, n/2)) // a header that begins after that is examined again
	}
}
