package extract

import (
	"unsafe"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// What a batch has of a Result. What one processor writes and another reads takes
// longer than what one has for itself; so there is little of it. Most Results are one
// stretch of text, which is Raw, Text, Ref and URL, and stand near one another. Of such
// a one there is a note, and its bytes:
//
//	notes    │fresh│     │     │whole│fresh│        80 bytes each
//	anchors  │ 0         ╵     ╵     │ 1            where the first of them stands
//	whole    │ 0                                    one that is in no note, or an Error
//	arena    │text tail│text│text│… │text│          of all, in order
//
// The numbers of a note are counted from those of its anchor. One that is of another
// place, or too far away, brings an anchor of its own. The caller makes the Result anew
// of that, in memory that it uses again.

// A note is a Result that is plain (see [Result.plain]).
type note struct {
	parts uri.Parts

	// As counted from the anchor: Found.Inner.Start, Origin.Offset, Found.Line and
	// Origin.Line.
	start, offset, line, rawLine uint32

	column, rawColumn uint32
	length, inner     uint32 // of Origin and of Found.Inner
	text              uint32 // bytes; if whole, those that are in arena
	tail              uint16 // bytes and 1; 0 for nil
	before, after     uint16 // bytes from Outer to Inner

	form    delimit.Form
	by      delimit.Extra
	others  delimit.Reading
	accepts uri.Grammar
	flags   uint8
}

// Flags of a note.
const (
	isPrefixed = 1 << iota
	isValid
	isExact
	isFresh // it brings the next anchor
	isWhole // it is the next of whole, and has nothing else but text
)

// An anchor is the place of the first of some notes.
type anchor struct {
	origin      Origin
	start, line int64 // of Found
}

// An entry is an Error, or if that is nil a Result.
type entry struct {
	res Result
	err *Error
}

// plain reports whether a note can tell all of r but for numbers that are too big. What
// Found has for readings over line breaks nobody can ask for then.
func (r *Result) plain() bool {
	const readings = delimit.Entity | delimit.WithTail // made of Text and Tail alone
	f := &r.Found
	return len(f.Text) > 0 && same(f.Raw, f.Text) && same(f.Ref, f.Text) && same(r.URL, f.Text) &&
		f.Others&^readings == 0 && f.Breaks == 0 && r.Target == nil && r.Err == nil && r.BaseFrom == 0 && r.Base == ""
}

// add puts r in b, which has room.
func (b *batch) add(r *Result, plain bool) {
	n := len(b.notes)
	b.notes = b.notes[:n+1]
	if !plain || !b.note(&b.notes[n], r) {
		b.addWhole(entry{res: *r})
	}
}

// addWhole puts e in b, of which the last note is to be of it.
func (b *batch) addWhole(e entry) {
	n := len(b.arena)
	b.whole = append(b.whole, e)
	b.arena = b.whole[len(b.whole)-1].res.own(b.arena)
	b.notes[len(b.notes)-1] = note{flags: isWhole, text: uint32(len(b.arena) - n)} // no reference is longer than uri.MaxLen
}

// note makes n of r, which is plain, and reports whether all numbers fit.
func (b *batch) note(n *note, r *Result) bool {
	f, o := &r.Found, &r.Origin
	before, after, tail := f.Inner.Start-f.Outer.Start, f.Outer.End-f.Inner.End, 0
	if f.Tail != nil {
		tail = len(f.Tail) + 1
	}
	inner := f.Inner.Len()
	if uint64(before|after|int64(tail))>>16 != 0 || uint64(f.Column|o.Column|o.Length|inner|int64(len(f.Text)))>>32 != 0 {
		return false
	}
	n.flags = 0
	var start, offset, line, rawLine int64
	near := false
	if last := len(b.anchors) - 1; last >= 0 {
		a := &b.anchors[last]
		start, offset = f.Inner.Start-a.start, o.Offset-a.origin.Offset
		line, rawLine = f.Line-a.line, o.Line-a.origin.Line
		near = uint64(start|offset|line|rawLine)>>32 == 0 && o.beside(&a.origin)
	}
	if !near {
		b.anchors = append(b.anchors, anchor{origin: *o, start: f.Inner.Start, line: f.Line})
		start, offset, line, rawLine = 0, 0, 0, 0
		n.flags = isFresh
	}
	n.parts = r.Parts
	n.start, n.offset, n.line, n.rawLine = uint32(start), uint32(offset), uint32(line), uint32(rawLine)
	n.column, n.rawColumn = uint32(f.Column), uint32(o.Column)
	n.length, n.inner, n.text = uint32(o.Length), uint32(inner), uint32(len(f.Text))
	n.tail, n.before, n.after = uint16(tail), uint16(before), uint16(after)
	n.form, n.by, n.others, n.accepts = f.Form, f.By, f.Others, r.Accepts
	if f.Prefixed {
		n.flags |= isPrefixed
	}
	if r.Valid {
		n.flags |= isValid
	}
	if o.Exact {
		n.flags |= isExact
	}
	b.arena = append(append(b.arena, f.Text...), f.Tail...)
	return true
}

// beside reports whether o and a are the same but for numbers within a stream. It may
// say no where they are: of two strings it looks where they are kept.
func (o *Origin) beside(a *Origin) bool {
	return kept(o.Source, a.Source) && kept(o.Member, a.Member) && o.Message == a.Message && kept(o.Part, a.Part) &&
		kept(o.MessageID, a.MessageID) && kept(o.Date, a.Date) && kept(o.Newsgroups, a.Newsgroups) && kept(o.Field, a.Field) &&
		o.enclosed == a.enclosed
}

// kept reports whether s and as are the same bytes in memory, or both empty. An
// Origin holds on to its strings, so that no other can come to stand there.
func kept(s, as string) bool {
	return len(s) == len(as) && (s == "" || unsafe.StringData(s) == unsafe.StringData(as))
}

// unpack makes r of n, which stands by a, but for what is the same for all by a: the
// Origin. bytes begins with its own, and what is behind them is returned.
func (n *note) unpack(r *Result, a *anchor, bytes []byte) []byte {
	f, o := &r.Found, &r.Origin
	end := int(n.text)
	f.Text = bytes[:end:end]
	f.Ref, f.Raw, r.URL = f.Text, f.Text, f.Text
	f.Tail = nil
	if n.tail > 0 {
		start := end
		end += int(n.tail) - 1
		f.Tail = bytes[start:end:end]
	}
	f.Inner.Start = a.start + int64(n.start)
	f.Inner.End = f.Inner.Start + int64(n.inner)
	f.Outer = delimit.Span{Start: f.Inner.Start - int64(n.before), End: f.Inner.End + int64(n.after)}
	f.Line, f.Column = a.line+int64(n.line), int64(n.column)
	f.Form, f.Prefixed, f.By, f.Others = n.form, n.flags&isPrefixed != 0, n.by, n.others
	r.Parts, r.Accepts, r.Valid = n.parts, n.accepts, n.flags&isValid != 0
	o.Offset, o.Length = a.origin.Offset+int64(n.offset), int64(n.length)
	o.Line, o.Column, o.Exact = a.origin.Line+int64(n.rawLine), int64(n.rawColumn), n.flags&isExact != 0
	return bytes[end:]
}

// owns returns how many bytes own copies, or more.
func (r *Result) owns() int {
	f := &r.Found
	n := len(f.Text) + len(f.Tail) + len(r.Target)
	if !same(f.Raw, f.Text) {
		n += len(f.Raw)
	}
	if !same(f.Ref, f.Text) {
		n += len(f.Ref)
	}
	if !same(r.URL, f.Ref) {
		n += len(r.URL)
	}
	return n
}

// own copies the bytes of r into the room of arena, and returns the grown arena.
// What is the same memory in r stays so: most references are one stretch of text,
// which is Raw, Text, Ref and URL.
func (r *Result) own(arena []byte) []byte {
	f := &r.Found
	text, ref := f.Text, f.Ref
	if f.Others&delimit.Rejoined != 0 {
		*f = f.Clone() // which has a slice that only delimit knows of
	} else {
		f.Text, arena = keep(arena, text)
		f.Raw, arena = keepAs(arena, f.Raw, text, f.Text)
		f.Ref, arena = keepAs(arena, ref, text, f.Text)
		f.Tail, arena = keep(arena, f.Tail)
	}
	r.URL, arena = keepAs(arena, r.URL, ref, f.Ref)
	r.Target, arena = keep(arena, r.Target)
	return arena
}

// keep appends s to arena, and returns what it is there.
func keep(arena, s []byte) (kept, grown []byte) {
	if s == nil {
		return nil, arena
	}
	n := len(arena)
	arena = append(arena, s...)
	return arena[n:len(arena):len(arena)], arena
}

// keepAs is keep for what may be the memory of known, which is kept already.
func keepAs(arena, s, known, as []byte) (kept, grown []byte) {
	if s != nil && same(s, known) {
		return as, arena
	}
	return keep(arena, s)
}
