package record

import (
	"bytes"
	"slices"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// A syntax is what the formats differ in. A record begins with open. Each field is followed by a
// separator. The last separator is replaced by end.
type syntax struct {
	open, separator, end string

	named  bool   // the name of a field stands in front of its value, as in JSON
	quote  string // around each text
	absent string // what an absent field leaves
	comma  bool   // a text with a comma needs more than quote
	guard  bool   // a text that looks like a formula needs more, too

	// field appends a field and the separator.
	field func(dst []byte, v *view, f *Field) []byte
}

// key returns what is in front of the value of a field.
func (s *syntax) key(name string) string {
	if !s.named {
		return ""
	}
	return string(appendKey(nil, name))
}

// appendFields appends fields, made by their functions.
func (s *syntax) appendFields(dst []byte, v *view, fields []Field) []byte {
	for i := range fields {
		dst = s.field(dst, v, &fields[i])
	}
	return dst
}

// A record is made by instructions, which init compiles from the columns:
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
// the columns after them. A test compares the instructions with the table, for
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

// A recorder makes records in one syntax.
type recorder struct {
	syntax
	columns      []Field
	instructions []instruction

	whole bool     // the instructions are opRefs, opHost, opCommon and opPosition, and then only opField
	refs  [3]piece // for fastAppend: what is in front of url, between url and text, and after text
	last  piece    // end
	messages
}

// init compiles columns.
func (w *recorder) init(columns []Field, s syntax) {
	w.columns, w.syntax = columns, s
	for rest := columns; len(rest) > 0; {
		s, n := instruction{op: opField}, 1
		if begins(rest, "url", "text") {
			s.op, n = opRefs, 2
		} else if begins(rest, hostFields...) {
			s.op, n = opHost, len(hostFields)
			s.hosts = &hosts{syntax: &w.syntax, fields: rest[:n:n]}
		} else if begins(rest, positionFields...) && !slices.ContainsFunc(rest[:len(positionFields)], func(f Field) bool { return !f.Always }) {
			s.op, n = opPosition, len(positionFields)
			s.position = newPosition(&w.syntax)
		} else if common, length := newCommon(rest, &w.syntax); common != nil {
			s.op, s.common, n = opCommon, common, length
		}
		s.fields, rest = rest[:n], rest[n:]
		w.instructions = append(w.instructions, s)
	}
	w.whole = isWhole(w.instructions)
	w.refs = [...]piece{
		pieceOf(w.open + w.key("url") + w.quote),
		pieceOf(w.quote + w.separator + w.key("text") + w.quote),
		pieceOf(w.quote + w.separator),
	}
	w.last = pieceOf(w.end)
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
func (w *recorder) record(dst []byte, v *view, r *extract.Result) []byte {
	if w.whole && !v.redact && urlIsText(r) && !hasMore(r) && (!w.comma || bytes.IndexByte(r.URL, ',') < 0) && (!w.guard || !formula(r.URL, true)) {
		if host := w.instructions[1].hosts.of(r, v); host != nil && !host.opaque {
			warnings, fast := host.warnings, host.isPlain(r)
			if !fast && !unwrap.May(r.URL, r.Parts) {
				warnings, fast = r.Warnings(), true
			}
			if kind, packed := kindWith(r, warnings); fast && packed {
				return w.fastAppend(dst, v, r, host, kind)
			}
		}
	}
	v.of(r)
	start := len(dst)
	dst = append(dst, w.open...)
	for i := range w.instructions {
		switch s := &w.instructions[i]; s.op {
		case opHost:
			dst = s.hosts.appendTo(dst, v, r)
		case opCommon:
			dst = s.common.appendTo(dst, v, r, w.next(r))
		case opPosition:
			dst = slices.Grow(dst, len(space{}))
			to := spaceIn(dst, len(dst))
			dst = dst[:len(dst)+int(s.position.put(to, &r.Origin))]
		default:
			dst = w.appendFields(dst, v, s.fields)
		}
	}
	return w.finish(dst, start)
}

// fastAppend appends the record of r, whose URL begins with host. r has nothing unusual, and its fields url and text are the
// same text, which needs no escapes. The four instructions of the whole record are made in memory
// that has room for all of them; columns after them are appended. Without fastAppend, access logs with
// --format jsonl take 1.05 times the processor time, and lists of URLs 1.09 times (one worker, an
// AMD EPYC; the least of 11 to 21 interleaved runs). A record alone takes 1.4 times (BenchmarkRecord).
func (w *recorder) fastAppend(dst []byte, v *view, r *extract.Result, host *hostText, kind uint64) []byte {
	common, url, turn := w.instructions[2].common, r.URL, w.next(r)
	k := common.slot(kind)
	if k.bits != kind || k.turn != turn {
		v.of(r)
		k = common.of(kind, turn, v)
	}
	dst = slices.Grow(dst, 2*len(url)+len(host.text)+len(k.text)+2*len(space{}))
	to := dst[len(dst):cap(dst)]
	n := w.refs[0].putAt(to, 0)
	n += copy(to[n:], url)
	n = w.refs[1].putAt(to, n)
	n += copy(to[n:], url)
	n = w.refs[2].putAt(to, n)
	*(*[hostRoom]byte)(to[n:]) = *(*[hostRoom]byte)(host.text[:hostRoom]) // bytes after the text are overwritten
	if len(host.text) > hostRoom {
		copy(to[n:], host.text)
	}
	n += len(host.text)
	n += copy(to[n:], k.text)
	n += int(w.instructions[3].position.put(spaceIn(to, n), &r.Origin))
	start := len(dst)
	if len(w.instructions) == 4 {
		return dst[:start+w.last.putAt(to, n-1)]
	}
	v.of(r)
	dst = dst[:start+n]
	for i := range w.instructions[4:] {
		dst = w.appendFields(dst, v, w.instructions[4+i].fields)
	}
	return w.finish(dst, start)
}

// finish ends the record in dst[start:].
func (w *recorder) finish(dst []byte, start int) []byte {
	if len(dst) > start+len(w.open) {
		dst = dst[:len(dst)-len(w.separator)]
	}
	return append(dst, w.end...)
}

// header appends the names of the columns, as a table has them.
func (w *recorder) header(dst []byte) []byte {
	start := len(dst)
	for i := range w.columns {
		dst = append(append(dst, w.columns[i].Name...), w.separator...)
	}
	return w.finish(dst, start)
}

// noQuotes are the grammars that accept no byte that JSON escapes.
var noQuotes = uri.Every.Rules().NoQuotes

// urlIsText reports whether url and text of r are one text, which has nothing to escape.
func urlIsText(r *extract.Result) bool {
	f := &r.Candidate
	return r.Accepts&noQuotes != 0 && len(r.URL) > 0 && sameBytes(r.URL, f.Text) && sameBytes(r.URL, f.Ref)
}

// sameBytes reports whether a and b are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
