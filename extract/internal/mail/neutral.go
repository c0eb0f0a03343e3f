package mail

import (
	"bytes"
	"io"
	"math"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
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

// What NextNeutral examines first: bytes in front of the wished place, and after it.
const (
	nextBefore = 2 * bufSize
	nextAfter  = headerMax / 2
)

// NeutralBuffer is the length of the buffer of NextNeutral.
const NeutralBuffer = 8 * headerMax

// NextNeutral returns a neutral place in r: the first message at or after wish that is known to be one, if a message begins at the offset begin. If there is
// none, it returns the offset of the end of r. It uses buf. It examines only what is near wish: a Content-Length that is further away is
// ignored, see mbox.promise. Each byte is examined a bounded number of times.
func NextNeutral(r io.ReaderAt, begin, wish int64, buf []byte) (int64, error) {
	from := max(begin, wish-nextBefore)
	anchor := int64(math.MaxInt64) // a certain From_ line: a message is neutral only if such a line is so far in front of it that all promises in front of that line are ignored
	if from == begin {
		anchor = begin - bufSize
	}
	var l Lengths
	for b := buf[:wish+nextAfter-from]; ; b = buf[:NeutralBuffer] { // each iteration examines a step
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

// LastNeutral returns the index of the last message in b[1:] that is neutral, if a message begins at b[0]; otherwise 0. It is one whatever Content-Length a
// message in front of it has: a reader heeds a Content-Length if the place where it ends is near; see mbox.promise.
// Nor may its line be text of a multipart, or its message continue one that was sent in parts; for that b has the
// header of the message. Each byte is searched a bounded number of times.
func LastNeutral(b []byte) int { return new(Lengths).Last(b, 0) }

// Lengths are the ends of messages that the fields Content-Length in front of a place promise. Offsets are raw ones. A reader ignores a promise from a certain From_ line (more than prose) on
// that is in front of its end by more than bufSize: see mbox.promise.
type Lengths struct {
	until int64   // where the last message ends that is promised in front of the last certain From_ line
	after []int64 // the promises after that line; math.MaxInt64 for one that is not known
}

// mostAfter bounds Lengths.after. If there are more, they count as not known.
const mostAfter = 64

// add adds a promise.
func (l *Lengths) add(end int64) {
	if len(l.after) == mostAfter {
		l.after = append(l.after[:0], math.MaxInt64)
	}
	l.after = append(l.after, end)
}

// pass says that there is a certain From_ line at at. One that is not known ends near it, or is ignored.
func (l *Lengths) pass(at int64) {
	for _, end := range l.after {
		if end == math.MaxInt64 {
			end = at + bufSize
		}
		if end <= at+bufSize {
			l.until = max(l.until, end)
		}
	}
	l.after = l.after[:0]
}

// keep reports whether a promise may keep the From_ line at at in a message.
func (l *Lengths) keep(at int64) bool {
	for _, end := range l.after {
		if end > at {
			return true
		}
	}
	return l.until > at
}

// Last returns the index of the last neutral message in b[1:], whose raw offset is base, or 0. l has the promises in front of b, and some of those in b; afterwards
// it has all those in b, too. Each byte is searched a bounded number of times.
func (l *Lengths) Last(b []byte, base int64) int {
	var last [16]int // the last messages, in a ring
	n := 0
	l.messages(b, base, func(at int, _ bool) bool {
		if !l.keep(base + int64(at)) {
			last[n%len(last)] = at
			n++
		}
		return true
	})
	for range min(n, len(last)) {
		n--
		if at := last[n%len(last)]; separate(b, at) {
			return at
		}
	}
	return 0
}

// messages calls each for the messages in b[1:] that FindMessage finds, until it returns false, and then returns the index of that message,
// or -1. l then has the promises in front of it. base is the raw offset of b. certain is whether the line is more than prose.
func (l *Lengths) messages(b []byte, base int64, each func(at int, certain bool) bool) int {
	p := promises{b: b}
	for i := 0; ; i++ { // each line that begins with one of these letters
		k := octet.Pair(b[i:], [4]byte{'\n', 'F', 'C', 'c'})
		if k < 0 {
			return -1
		}
		if i += k; b[i+1] != 'F' {
			if end, ok := p.field(i); ok && end < math.MaxInt64 {
				l.add(base + end)
			} else if ok {
				l.add(end)
			}
			continue
		}
		at := i + 1
		if !isMessage(b, at) {
			continue
		}
		line, _, _ := cutLine(b[at:])
		certain := fromLine(line) != prose
		if certain {
			l.pass(base + int64(at))
		}
		if !each(at, certain) {
			return at
		}
	}
}

// separate reports whether the line b[at] is no text of a multipart, and its message does not continue another one.
func separate(b []byte, at int) bool {
	h := headers{b: b[:min(len(b), at+headerMax)]}
	return h.separate(at)
}

// Promises finds the fields Content-Length in b, one after another. Each byte is examined a bounded number of times.
type promises struct {
	b    []byte
	next int       // the end of the line in front of the next one that begins with a C or c; len(b) if there is none
	end  int       // where the header of the last field ends
	made []promise // each ends after those that follow it
}

// A promise is a field Content-Length, or a record, at the offset at: the message ends at the offset end. It is [math.MaxInt64] if
// the field has a form that is not read here.
type promise struct {
	at  int
	end int64
}

func newPromises(b []byte) promises {
	p := promises{b: b, next: -1}
	p.search()
	return p
}

// search moves next to the next line that begins with a C or c.
func (p *promises) search() {
	from := p.next + 1
	if p.next = octet.Pair(p.b[from:], [4]byte{'\n', 'C', 'c', 'c'}); p.next < 0 {
		p.next = len(p.b)
	} else {
		p.next += from
	}
}

// add adds a promise. Those that end in front of it no longer matter.
func (p *promises) add(at int, end int64) {
	n := len(p.made)
	for n > 0 && p.made[n-1].end <= end {
		n--
	}
	p.made = append(p.made[:n], promise{at, end})
}

// kept reports whether no message ends after the offset at according to a promise in the last before bytes in front of
// it. The others are forgotten: at only grows.
func (p *promises) kept(at, before int) bool {
	for len(p.made) > 0 && p.made[0].at < at-before {
		p.made = p.made[1:]
	}
	return len(p.made) == 0 || p.made[0].end <= int64(at)
}

// read reads the fields in front of b[at] that were not read.
func (p *promises) read(at int) {
	for {
		i := p.next
		if i >= at {
			return
		}
		p.search()
		if end, ok := p.field(i); ok {
			p.add(i, end)
		}
	}
}

// field returns where the message ends according to the line b[i+1]: math.MaxInt64 if that is not known; ok is false if it is another field.
func (p *promises) field(i int) (end int64, ok bool) {
	const name = "content-length"
	line := p.b[i+1:]
	if len(line) < len(name) || !same(line[:len(name)], []byte(name)) {
		return 0, false
	}
	known := true
	if i+1 >= p.end {
		p.end, known = headerEnd(p.b, i+1)
	}
	line, rest, more := bytes.Cut(line[len(name):], newline)
	colon := bytes.TrimLeft(line, " \t")
	if len(colon) == 0 || colon[0] != ':' {
		return 0, false // another name
	}
	n, ok := number(bytes.Trim(colon[1:], " \t\r\v\f"))
	if !known || !more || len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') || !ok && len(bytes.TrimSpace(colon[1:])) == 0 {
		return math.MaxInt64, true // the value goes on, or is on the next line; or the header does not end in b
	}
	return int64(p.end) + n, ok
}

// headerEnd returns where the first blank line after b[from] ends, or len(b) and false.
func headerEnd(b []byte, from int) (end int, known bool) {
	for at := from; ; {
		k := bytes.IndexByte(b[at:], '\n')
		if k < 0 {
			return len(b), false
		}
		at += k + 1
		if n := octet.LineEnd(b[at:]); n > 0 {
			return at + n, true
		}
	}
}

// Headers examines messages in b, one after another. Each byte is examined a bounded number of times, also if a line
// within a header looks like the beginning of a message.
type headers struct {
	b       []byte
	end     int // where the header of the last message ends, if that is known
	known   bool
	partial int // where the last "message/partial" begins in that header; -1 if there is none
}

// separate is separate for b[at], which is after the one of the last call.
func (h *headers) separate(at int) bool {
	line, _, _ := cutLine(h.b[at:])
	return fromLine(line) != prose && !h.isPartial(at)
}

// isPartial reports whether the message at b[at] may continue the one in front of it: see partial.
func (h *headers) isPartial(at int) bool {
	if at >= h.end {
		h.end, h.known = headerEnd(h.b, at)
		h.partial = lastPartial(h.b[:h.end], at)
	}
	return !h.known || h.end-at > headerMax || h.partial >= at
}

// lastPartial returns the index of the last "message/partial" in b[from:], or -1.
func lastPartial(b []byte, from int) int {
	const before, after = "message", "partial"
	for end := len(b); ; {
		k := bytes.LastIndexByte(b[from:end], '/')
		if k < 0 {
			return -1
		}
		end = from + k
		if rest := b[end+1:]; k >= len(before) && len(rest) >= len(after) && same(rest[:len(after)], []byte(after)) && same(b[end-len(before):end], []byte(before)) {
			return end - len(before)
		}
	}
}
