package mail

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Web archives: WARC (ISO 28500) and ARC. A record is a message. Its own header is no text, but the URL
// in it is a part of its own; the header of an HTTP message is the next part, and its body the last.
//
//	WARC/1.0                      http://a.example/ 192.0.2.1 20240101000000 text/html 161
//	WARC-Type: response
//	WARC-Target-URI: http://a.example/
//	WARC-Date: 2024-01-01T00:00:00Z
//	Content-Length: 161
//
//	HTTP/1.1 200 OK               HTTP/1.1 200 OK
//	...                           ...

// A warc returns the parts of the records of a stream.
type warc struct {
	in     *input
	part   *Part
	values *valueParser
	at     warcPlace
	http   bool  // the rest of the block begins with the header of an HTTP message
	end    int64 // raw offset at which the block of the record ends
	body   warcBody

	encoding, coding string // of the body

	line warcLine

	onRecord func(at int64, before int) bool // see Reader.OnMessage
}

// A warcPlace says what part of a record comes next.
type warcPlace uint8

const (
	atRecord warcPlace = iota
	atHTTP
	atBlock
	afterBlock
	atLost // at what is no record: it is skipped
)

const (
	mostSize      = 1 << 60 // of a block: offsets do not overflow
	targetSection = "WARC"  // of the part that has the URL of a record
	WARCMark      = "WARC/" // at the beginning of a record of WARC
)

// next is [Reader.Next].
func (w *warc) next() (*Part, error) {
	in := w.in
	for {
		if e := in.damages.next(in.raw(in.lo), true, true); e != nil {
			return nil, e
		}
		switch w.at {
		case atRecord:
			begun, err := w.begin()
			if err != nil {
				return nil, err
			}
			if begun && len(w.part.WARCTarget) > 0 {
				return w.part, nil
			}
		case atHTTP:
			if w.at = atBlock; w.http && w.head() {
				return w.part, nil
			}
		case atBlock:
			w.body.skip() // the rest of the header
			w.at = afterBlock
			if in.raw(in.lo) < w.end {
				w.body = warcBody{in: in, at: in.raw(in.lo), end: w.end}
				w.part.Header, w.part.HTTP, w.part.Section, w.part.Body = w.part.Type == warcFields, false, "1", &w.body
				w.part.Encoding, w.part.Coding = w.encoding, w.coding
				return w.part, nil
			}
		case atLost: // its damage was returned, so its line is not needed any more
			w.resync()
			w.at = atRecord
		case afterBlock:
			w.body.skip()
			w.at = atRecord
			if left := w.end - in.raw(in.lo); left > 0 && in.failed(nil) == nil {
				e := damage.Skipped(damage.StageWARC, in.raw(in.lo), fmt.Sprintf("stream ends %d bytes before the end of the record", left))
				e.Severity = damage.Error
				in.report("", e)
			}
		}
	}
}

// warcFields is the type of blocks that consist of fields.
const warcFields = "application/warc-fields"

// begin reads the header of the next record, and makes its URL the part. It returns false if there is
// only damage. The error is that of the stream at its end.
func (w *warc) begin() (begun bool, err error) {
	in := w.in
	line := in.peekLine()
	for len(line) > 0 && len(bytes.TrimRight(line, "\r\n")) == 0 {
		in.dropLine()
		line = in.peekLine()
	}
	if len(line) == 0 {
		return false, in.failed(io.EOF)
	}
	start := in.raw(in.lo)
	p := w.part
	*p = Part{Message: in.message + 1, Section: targetSection, Header: true, Bases: append(p.Bases[:0], BaseFields{}, BaseFields{})}
	size, at := int64(-1), 0 // of the block; where the URL is in the line or header
	var head []byte
	marked, _ := begins(line, WARCMark)
	if marked {
		n := w.blankLine(headerMax)
		if head = in.buf[in.lo : in.lo+max(n, 0)]; n > 0 {
			size, at = w.describeRecord(head)
		}
	} else if size = w.describeARC(line); size >= 0 {
		head = line
	}
	if atLine := in.lo == 0 || in.buf[in.lo-1] == '\n'; atLine && (marked || size >= 0) && w.onRecord != nil && !w.onRecord(start, in.message) {
		return false, io.EOF
	}
	if size < 0 {
		e := damage.Skipped(damage.StageWARC, start, "no header of a record; what follows is skipped up to the next one")
		e.Severity = damage.Error
		in.keep(pendingDamage{e, 0, "", false}) // it is in no record
		w.at = atLost
		return false, nil
	}
	in.message++
	p.Bases[0].Target = p.WARCTarget
	p.Name = nameOf(p.WARCTarget)
	w.encoding, w.coding = "", ""
	w.http = p.Type == "application/http" || p.WARCType == "" && strings.HasPrefix(p.WARCTarget, "http")
	w.line.set(p.WARCTarget, start+int64(at))
	in.take(in.lo+len(head), true)
	w.end = in.raw(in.lo) + min(size, mostSize)
	w.body = warcBody{in: in, at: in.raw(in.lo), end: in.raw(in.lo)}
	w.at, p.Body = atHTTP, &w.line
	return true, nil
}

// Record returns where the first record in b begins, after blank lines at the beginning of b, and where it ends. next is
// -1 if b does not begin with the whole header of a record.
func Record(b []byte) (begin int, next int64) {
	for {
		n := octet.LineEnd(b[begin:])
		if n == 0 {
			break
		}
		begin += n
	}
	w, head := warc{part: new(Part)}, b[begin:min(len(b), begin+headerMax)]
	size := int64(-1)
	if is, _ := begins(head, WARCMark); is {
		for n := 0; ; {
			k := bytes.IndexByte(head[n:], '\n')
			if k < 0 {
				return begin, -1
			}
			n += k + 1
			if end := octet.LineEnd(head[n:]); end > 0 {
				head = head[:n+end]
				size, _ = w.describeRecord(head)
				break
			}
		}
	} else if n := bytes.IndexByte(head, '\n') + 1; n > 0 {
		head = head[:n]
		size = w.describeARC(head)
	}
	if size < 0 {
		return begin, -1
	}
	return begin, int64(begin+len(head)) + min(size, mostSize)
}

// LastRecord returns the index of the line at which the last record begins whose header is in b, if a record begins at b[0];
// otherwise 0. next is where the record begins, at the same or a later index, of which b does not have the whole header.
func LastRecord(b []byte) (last int, next int64) {
	for at := 0; ; {
		begin, end := Record(b[at:])
		if end < 0 {
			return last, int64(at)
		}
		if at += begin; at == 0 || b[at-1] == '\n' {
			last = at
		}
		if end -= int64(begin); end >= int64(len(b)-at) {
			return last, int64(at) + end
		}
		at += int(end)
	}
}

// resync skips lines up to one that begins a record of WARC, or that is the header of one of ARC.
func (w *warc) resync() {
	for first := true; ; first = false {
		line := w.in.peekLine()
		if len(line) == 0 {
			return
		}
		if is, _ := begins(line, WARCMark); (is || w.describeARC(line) >= 0) && !first {
			return
		}
		w.in.dropLine()
	}
}

// blankLine returns how many bytes at lo there are up to and with the first blank line, or -1 if
// there is none within most bytes.
func (w *warc) blankLine(most int) int {
	in := w.in
	for at := 0; ; {
		b := in.buf[in.lo:min(in.hi, in.lo+most)]
		k := at + bytes.IndexByte(b[at:], '\n') + 1
		more := in.err == nil && len(b) < most
		switch rest := b[k:]; {
		case k > at && (len(rest) > 1 || len(rest) == 1 && rest[0] != '\r' || !more): // what follows the line is known
			if n := octet.LineEnd(rest); n > 0 {
				return k + n
			}
			at = k
		case !more:
			return -1
		default:
			in.fill()
		}
	}
}

// head makes the header of an HTTP message the part, and takes from it what describes the body. It
// returns false if the block does not begin with one.
func (w *warc) head() bool {
	in, p := w.in, w.part
	size := w.end - in.raw(in.lo)
	n := w.blankLine(int(min(headerMax, size)))
	if n < 0 && size <= headerMax {
		n = min(int(size), in.hi-in.lo) // only a header
	}
	if is, _ := begins(in.buf[in.lo:in.lo+max(n, 0)], "HTTP/"); n < 0 || !is && p.WARCType != "request" {
		return false // another message, or a header that is too long
	}
	p.Type, p.Charset = "", ""
	head := in.buf[in.lo : in.lo+n]
	for line := range bytes.Lines(head) {
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimSpace(value)
		switch strings.ToLower(string(name)) {
		case "content-type":
			w.setType(value)
		case "transfer-encoding":
			if bytes.EqualFold(value, []byte("chunked")) {
				w.encoding = "chunked"
			}
		case "content-encoding":
			w.coding = strings.ToLower(string(value))
		}
	}
	w.body = warcBody{in: in, at: in.raw(in.lo), end: in.raw(in.lo + n)}
	p.Header, p.HTTP, p.Section, p.Body = true, true, "HEADER", &w.body
	return true
}

// setType sets the media type and the charset of the part. A value that is no type says nothing: the
// first bytes then decide.
func (w *warc) setType(value []byte) {
	if w.values == nil { // only the size is needed
		return
	}
	if w.values.mediaType(w.part, value, false); bytes.IndexByte(value, '/') < 0 {
		w.part.Type = ""
	}
}

// describeRecord sets the fields of the part that the header of a WARC record declares. It returns the size of
// the block, -1 if there is none, and where the URL is in head.
func (w *warc) describeRecord(head []byte) (size int64, target int) {
	p := w.part
	size = -1
	at := 0
	for line := range bytes.Lines(head) {
		name, value, _ := bytes.Cut(line, []byte{':'})
		from := len(name) + 1
		from += len(value) - len(bytes.TrimLeft(value, " \t<"))
		value = bytes.TrimRight(bytes.TrimLeft(value, " \t<"), " \t\r\n>") // version 1.0 has the URL in angle brackets
		switch strings.ToLower(string(name)) {
		case "warc-type":
			p.WARCType = strings.ToLower(string(value))
		case "warc-target-uri":
			p.WARCTarget, target = string(value), at+from
		case "warc-date":
			p.Date = string(value)
		case "content-type":
			w.setType(value)
		case "content-length":
			if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && n >= 0 && size < 0 {
				size = n
			}
		}
		at += len(line)
	}
	return size, target
}

// describeARC sets the fields of the part that line, the header of an ARC record, declares: URL, address, date,
// type, and in version 2 others, then the size of the block, which is returned; -1 if this is no
// such line.
func (w *warc) describeARC(line []byte) (size int64) {
	p := w.part
	words := bytes.Split(bytes.TrimRight(line[:min(len(line), maxARC)], "\r\n"), []byte{' '})
	date := 2
	for date < len(words) && !isARCDate(words[date]) { // a URL may have blanks
		date++
	}
	if date+2 >= len(words) || bytes.IndexByte(words[0], ':') < 0 || line[len(line)-1] != '\n' {
		return -1
	}
	size, err := strconv.ParseInt(string(words[len(words)-1]), 10, 64)
	if err != nil || size < 0 {
		return -1
	}
	d := string(words[date])
	p.Date = d[:4] + "-" + d[4:6] + "-" + d[6:8] + "T" + d[8:10] + ":" + d[10:12] + ":" + d[12:] + "Z"
	if w.setType(words[date+1]); bytes.HasPrefix(line, []byte(arcMark)) {
		p.WARCType, p.Type = "warcinfo", warcFields
		return size
	}
	p.WARCTarget = string(bytes.Join(words[:date-1], []byte{' '}))
	return size
}

// isARCDate reports whether word is the date of an ARC record: 14 digits.
func isARCDate(word []byte) bool {
	return len(word) == 14 && bytes.IndexFunc(word, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

const (
	arcMark = "filedesc:" // of the first record of an ARC file
	maxARC  = lookahead   // bytes of the header of a record
)

// nameOf returns the name of the file that target, a URL, names, or "".
func nameOf(target string) string {
	if i := strings.IndexAny(target, "?#"); i >= 0 {
		target = target[:i]
	}
	_, rest, _ := strings.Cut(target, "://")
	if name := path.Base(rest); strings.Contains(rest, "/") && !strings.HasSuffix(rest, "/") {
		return name
	}
	return ""
}

// A warcBody reads the bytes from at to end. It implements [decode.MappedReader]: each byte of
// output is one of input.
type warcBody struct {
	in      *input
	at, end int64
}

func (b *warcBody) Read(p []byte) (int, error) {
	in := b.in
	left := b.end - in.raw(in.lo)
	if left <= 0 || len(p) == 0 {
		return 0, io.EOF
	}
	if in.lo == in.hi {
		if in.err == nil {
			in.fill()
		}
		if in.lo == in.hi {
			return 0, in.failed(io.EOF)
		}
	}
	n := copy(p, in.buf[in.lo:in.lo+int(min(left, int64(in.hi-in.lo)))])
	in.take(in.lo+n, true)
	in.counts.Read += int64(n)
	return n, nil
}

// skip skips what was not read.
func (b *warcBody) skip() {
	in := b.in
	for in.raw(in.lo) < b.end {
		n := int(min(b.end-in.raw(in.lo), int64(in.hi-in.lo)))
		in.counts.Passed += int64(n)
		if in.take(in.lo+n, true); n == 0 {
			if in.err != nil {
				return
			}
			in.fill()
		}
	}
}

// Origin implements [decode.MappedReader], with raw offsets.
func (b *warcBody) Origin(off int64) (int64, bool) { return b.at + off, true }

// Span implements [decode.MappedReader], with raw offsets.
func (b *warcBody) Span(start, end int64) (lo, hi int64, exact bool) {
	return b.at + start, b.at + end, true
}

// Forget implements [decode.MappedReader].
func (b *warcBody) Forget(int64) {}

// A warcLine reads the URL of a record as a field, of which only the value is in the input.
type warcLine struct {
	text string
	read int
	at   int64 // raw offset of the value
}

const targetField = "WARC-Target-URI: "

func (l *warcLine) set(target string, at int64) { *l = warcLine{targetField + target + "\n", 0, at} }

func (l *warcLine) Read(p []byte) (int, error) {
	n := copy(p, l.text[l.read:])
	if l.read += n; n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Origin implements [decode.MappedReader], with raw offsets. The name of the field is in front of the
// value, without a length.
func (l *warcLine) Origin(off int64) (int64, bool) {
	return l.at + min(max(0, off-int64(len(targetField))), int64(len(l.text)-len(targetField)-1)), true
}

// Span implements [decode.MappedReader], with raw offsets.
func (l *warcLine) Span(start, end int64) (lo, hi int64, exact bool) {
	lo, _ = l.Origin(start)
	hi, _ = l.Origin(end)
	return lo, hi, true
}

// Forget implements [decode.MappedReader].
func (l *warcLine) Forget(int64) {}
