package mail

import (
	"bytes"
	"fmt"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

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

// partNumber returns the number in value, the Content-Type of a message/partial; 0 if there is none.
func (v *valueParser) partNumber(value []byte) (n int64) {
	v.scratch, _ = appendParam(v.scratch[:0], params(value), "number")
	n, _ = number(bytes.TrimSpace(v.scratch))
	return n
}

// begin begins the message that is in parts, whose first part has the Content-Type value.
func (p *partial) begin(value []byte) {
	p.id, _ = appendParam(p.id[:0], params(value), "id")
	p.next = 2
}

// misplaced reports that the part with that number does not follow the part in front of it.
func (w *traversal) misplaced(n int64) {
	what := "a part of a message, without a number, is read as plain text"
	if n > 0 {
		what = fmt.Sprintf("part %d of a message is read as plain text: it is only joined with part %d directly in front of it in an mbox", n, n-1)
	}
	w.in.report(w.current.section(w.part.Section), damage.Skipped(damage.StageMIME, w.current.raw, what))
}

// continues reports whether the message that begins at i is the next part of the message that is
// being read, and the length of what is in front of its body: the From_ line and the header. It
// compares only if the header is complete within headerMax bytes. Each iteration of its loop
// passes a line.
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
