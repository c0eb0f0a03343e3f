package extract

import (
	"unsafe"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// What a batch has of a Result. What one processor writes and another reads takes
// longer than what one has for itself; so there is little of it. Most Results are one
// stretch of text, which is Raw, Text, Ref and URL, and stand in one stream. Of such a
// one there is a note, and its bytes:
//
//	notes    │fresh│     │     │whole│     │fresh│  a quarter of a Result each
//	anchors  │ 0                           │ 1      what their Origins have in common
//	whole    │                  0                   one that no note can tell, or an Error
//	arena    │text tail│text│text│ … │text│text│    of all, in order
//
// One that stands elsewhere than the one before brings an anchor of its own. The caller
// makes a Result of each note, in memory that it uses again.

// A note is a Result that is plain (see [Result.plain]), but for its bytes and what is
// in the anchor. It is two lines of a cache.
type note struct {
	inner, outer delimit.Span // of Found, as what follows
	line, column int64
	parts        uri.Parts
	place        place
	text, tail   uint32 // bytes in arena; no reference is longer than uri.MaxLen

	form    delimit.Form
	by      delimit.Extra
	others  delimit.Reading
	accepts uri.Grammar
	flags   uint8
}

// A place is what an Origin says of a reference that it does not say of others beside.
type place struct{ offset, length, line, column int64 }

// Flags of a note.
const (
	isPrefixed = 1 << iota
	isValid
	isExact
	hasTail // which may be empty
	isFresh // it brings the next anchor
	isWhole // it is the next of whole, and has nothing else but text
)

// An entry is an Error, or if that is nil a Result.
type entry struct {
	res Result
	err *Error
}

// plain reports whether a note can tell all of r. What Found has for readings over line
// breaks nobody can ask for then.
func (r *Result) plain() bool {
	const readings = delimit.Entity | delimit.WithTail // made of Text and Tail alone
	f := &r.Found
	return len(f.Text) > 0 && same(f.Raw, f.Text) && same(f.Ref, f.Text) && same(r.URL, f.Text) &&
		f.Others&^readings == 0 && f.Breaks == 0 && r.Target == nil && r.Err == nil && r.BaseFrom == 0 && r.Base == ""
}

// add puts e in b, whole, and its bytes.
func (b *batch) add(e entry) {
	n := len(b.arena)
	b.whole = append(b.whole, e)
	b.arena = b.whole[len(b.whole)-1].res.own(b.arena)
	b.notes = append(b.notes, note{flags: isWhole, text: uint32(len(b.arena) - n)})
}

// note notes r, which is plain, and reports whether there is room for it.
func (b *batch) note(r *Result) bool {
	f, o, i := &r.Found, &r.Origin, len(b.notes)
	if i == cap(b.notes) || len(f.Text)+len(f.Tail) > cap(b.arena)-len(b.arena) {
		return false
	}
	b.notes = b.notes[:i+1]
	n := &b.notes[i]
	n.inner, n.outer, n.line, n.column = f.Inner, f.Outer, f.Line, f.Column
	n.parts = r.Parts
	n.place = place{o.Offset, o.Length, o.Line, o.Column}
	n.form, n.by, n.others, n.accepts = f.Form, f.By, f.Others, r.Accepts
	n.text, n.tail = uint32(len(f.Text)), uint32(len(f.Tail))
	b.arena = append(b.arena, f.Text...)
	var flags uint8
	if f.Tail != nil {
		flags = hasTail
		b.arena = append(b.arena, f.Tail...)
	}
	if f.Prefixed {
		flags |= isPrefixed
	}
	if r.Valid {
		flags |= isValid
	}
	if o.Exact {
		flags |= isExact
	}
	if last := len(b.anchors) - 1; last < 0 || !o.beside(&b.anchors[last]) {
		flags |= isFresh
		b.anchors = append(b.anchors, *o)
	}
	n.flags = flags
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

// unpack makes r of n, but for what is in the anchor, and of bytes, which are its own.
func (n *note) unpack(r *Result, bytes []byte) {
	f, o := &r.Found, &r.Origin
	text := bytes[:n.text:n.text]
	f.Text, f.Ref, f.Raw, r.URL = text, text, text, text
	f.Tail = nil
	if n.flags&hasTail != 0 {
		f.Tail = bytes[n.text:]
	}
	f.Inner, f.Outer, f.Line, f.Column = n.inner, n.outer, n.line, n.column
	f.Form, f.Prefixed, f.By, f.Others = n.form, n.flags&isPrefixed != 0, n.by, n.others
	r.Parts, r.Accepts, r.Valid = n.parts, n.accepts, n.flags&isValid != 0
	o.Offset, o.Length, o.Line, o.Column = n.place.offset, n.place.length, n.place.line, n.place.column
	o.Exact = n.flags&isExact != 0
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
