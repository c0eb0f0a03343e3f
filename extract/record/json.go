package record

import (
	"slices"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// A record of JSON is made by instructions, which init compiles from the columns:
//
//	url, text │ scheme … host_unicode │ target … suspicious source … field │ offset … exact
//	opRefs      opHost                  opCommon                             opPosition
//
// Common columns (common.go) have a text that most results share; it is copied as a whole.
// The text that references to one host share is stored too (host.go). The other two are
// made for each result by code that is written for speed; they are instructions only if the
// columns have these fields in this order. Any other column is an instruction of its own, opField,
// made by the functions of the table. A new field that differs in each result is such a column. It
// belongs at the end of the table of fields: elsewhere it would divide one of the instructions.
//
// If a record has nothing unusual, fastAppend makes it: it does the four instructions at once, and then
// the columns after them. Each instruction puts a comma in front of each key; the first comma
// becomes the brace that opens the object. A test compares the instructions with the table, for
// any result, after any other, and for any columns.

type op uint8

const (
	opField op = iota
	opRefs
	opHost
	opCommon
	opPosition
)

// An instruction makes a stretch of the record.
type instruction struct {
	op       op
	fields   []Field        // the fields that it makes
	hosts    *hosts         // of opHost
	common   *commonColumns // of opCommon
	position *position      // of opPosition
}

// A jsoner makes records of JSON.
type jsoner struct {
	columns      []Field
	instructions []instruction
	whole        bool // the instructions are opRefs, opHost, opCommon and opPosition, and then only opField
	end          byte // the last byte of a record: '\n' or NUL

	messages
}

// init compiles columns.
func (j *jsoner) init(columns []Field, end byte) {
	j.columns, j.end = columns, end
	for rest := columns; len(rest) > 0; {
		s, n := instruction{op: opField}, 1
		if begins(rest, "url", "text") {
			s.op, n = opRefs, 2
		} else if begins(rest, hostFields...) {
			s.op, n = opHost, len(hostFields)
			s.hosts = newHosts(rest[:n:n], appendField)
		} else if begins(rest, positionFields...) && !slices.ContainsFunc(rest[:len(positionFields)], func(f Field) bool { return !f.Always }) {
			s.op, n = opPosition, len(positionFields)
			s.position = newPosition(rest[:n])
		} else if common, length := newCommon(rest, appendField, ""); common != nil {
			s.op, s.common, n = opCommon, common, length
		}
		s.fields, rest = rest[:n], rest[n:]
		j.instructions = append(j.instructions, s)
	}
	j.whole = isWhole(j.instructions)
}

// isWhole reports whether fastAppend can make the record: its instructions are the four, in order, and
// after them single columns.
func isWhole(list []instruction) bool {
	for i, op := range [...]op{opRefs, opHost, opCommon, opPosition} {
		if i >= len(list) || list[i].op != op {
			return false
		}
	}
	return !slices.ContainsFunc(list[4:], func(s instruction) bool { return s.op != opField })
}

// hostFields are the fields that opHost makes.
var hostFields = []string{"scheme", "host", "domain", "host_unicode"}

// begins reports whether columns begins with fields that are called names, in this order.
func begins(columns []Field, names ...string) bool {
	for i, name := range names {
		if i >= len(columns) || columns[i].Name != name {
			return false
		}
	}
	return true
}

// record appends the record of r.
func (j *jsoner) record(dst []byte, v *view, r *extract.Result) []byte {
	if j.whole && !v.redact && urlIsText(r) && !hasMore(r) {
		if host := j.instructions[1].hosts.of(r, v); host != nil && !host.opaque {
			warnings, fast := host.warnings, host.isPlain(r)
			if !fast && !unwrap.May(r.URL, r.Parts) {
				warnings, fast = r.Warnings(), true
			}
			if kind, packed := kindWith(r, warnings); fast && packed {
				return j.fastAppend(dst, v, r, host, kind)
			}
		}
	}
	kind, packed := kindOf(r)
	if !packed {
		return j.byTable(dst, v, r)
	}
	turn, odd := j.next(r), unusual(r)
	v.of(r)
	start := len(dst)
	for i := range j.instructions {
		switch s := &j.instructions[i]; s.op {
		case opRefs:
			dst = appendRefs(dst, v, s.fields, r)
		case opHost:
			dst = s.hosts.appendTo(dst, v, r)
		case opCommon:
			dst = s.common.appendTo(dst, v, kind, turn, odd)
		case opPosition:
			dst = slices.Grow(dst, len(space{}))
			to := spaceIn(dst, len(dst))
			dst = dst[:len(dst)+int(s.position.put(to, &r.Origin))]
		default:
			dst = appendField(dst, v, &s.fields[0])
		}
	}
	return j.finish(dst, start)
}

// fastAppend appends the record of r, whose URL begins with host. r has nothing unusual, and its fields url and text are the
// same text, which needs no escapes. The four instructions of the whole record are made in memory
// that has room for all of them; columns after them are appended. Without fastAppend, access logs with
// --format jsonl take 1.05 times the processor time, and lists of URLs 1.09 times (one worker, an
// AMD EPYC; the least of 11 to 21 interleaved runs). A record alone takes 1.4 times (BenchmarkRecord).
func (j *jsoner) fastAppend(dst []byte, v *view, r *extract.Result, host *hostText, kind uint64) []byte {
	common, url, turn := j.instructions[2].common, r.URL, j.next(r)
	k := common.slot(kind)
	if k.bits != kind || k.turn != turn {
		v.of(r)
		k = common.of(kind, turn, v)
	}
	dst = slices.Grow(dst, 2*len(url)+len(host.text)+len(k.text)+2*len(space{}))
	to := dst[len(dst):cap(dst)]
	*(*[len(firstKey)]byte)(to) = firstKey
	n := len(urlBegin) + copy(to[len(urlBegin):], url)
	*(*[len(secondKey)]byte)(to[n:]) = secondKey
	n += len(textBegin)
	n += copy(to[n:], url)
	to[n] = '"'
	n++
	*(*[hostRoom]byte)(to[n:]) = *(*[hostRoom]byte)(host.text[:hostRoom]) // bytes after the text are overwritten
	if len(host.text) > hostRoom {
		copy(to[n:], host.text)
	}
	n += len(host.text)
	n += copy(to[n:], k.text)
	numbers := spaceIn(to, n)
	at := j.instructions[3].position.put(numbers, &r.Origin)
	if start := len(dst); len(j.instructions) > 4 {
		v.of(r)
		dst = dst[:start+n+int(at)]
		for i := range j.instructions[4:] {
			dst = appendField(dst, v, &j.instructions[4+i].fields[0])
		}
		return append(dst, '}', j.end)
	}
	numbers[at], numbers[at+1] = '}', j.end
	return dst[:len(dst)+n+int(at)+2]
}

// byTable appends the record of r, made field by field.
func (j *jsoner) byTable(dst []byte, v *view, r *extract.Result) []byte {
	v.of(r)
	start := len(dst)
	for i := range j.columns {
		dst = appendField(dst, v, &j.columns[i])
	}
	return j.finish(dst, start)
}

// finish makes an object of the fields in dst[start:].
func (j *jsoner) finish(dst []byte, start int) []byte {
	if len(dst) == start {
		dst = append(dst, '{')
	}
	dst[start] = '{' // in place of the comma
	return append(dst, '}', j.end)
}
