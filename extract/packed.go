package extract

import (
	"unsafe"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// Results cross from a worker to the caller in batches that own their bytes. What one
// processor writes and another reads takes longer than what one has for itself; so a batch
// has little of a Result. Most Results are one stretch of text, which is Raw, Text, Ref and
// URL, and stand in one stream. Of such a Result the batch has a packed result, and its
// bytes:
//
//	results  │fresh│     │     │whole│     │fresh│  a quarter of a Result each
//	origins  │ 0                           │ 1      what their Origins have in common
//	whole    │                  0                   one that cannot be packed, or an Error
//	arena    │text tail│text│text│ … │text│text│    of all, in order
//
// One that stands elsewhere than the one before brings an origin of its own. The caller
// makes a Result of each packed result, in memory that it uses again.

// Bounds of a batch.
const (
	batchResults = 128
	batchBytes   = 32 << 10 // one that holds a longer Result has more, for once
	usualRecord  = 4 << 10  // bytes that are kept free for the next record
)

// A batch is a number of Results and Errors in order.
type batch struct {
	arena []byte // the bytes of all

	recordBytes int // bytes of arena that are encoded Results, before all else
	records     int // how many these are

	results []packedResult // of a fixed capacity
	origins []Origin
	whole   []entry
}

// init makes b, which is zero, an empty batch. One of records has no packed results, or few.
func (b *batch) init(records bool) {
	b.arena = make([]byte, 0, batchBytes)
	if !records {
		b.results = make([]packedResult, 0, batchResults)
	}
}

// empty empties b.
func (b *batch) empty() {
	if cap(b.arena) > batchBytes {
		b.arena = make([]byte, 0, batchBytes)
	}
	b.results, b.origins, b.whole, b.arena = b.results[:0], b.origins[:0], b.whole[:0], b.arena[:0]
	b.recordBytes, b.records = 0, 0
}

// A packedResult is a Result that is plain (see [Result.plain]), but for its bytes and
// what is in the origin. It is two lines of a cache.
type packedResult struct {
	inner, outer delimit.Span // of Candidate, as what follows
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

// Flags of a packedResult.
const (
	isPrefixed = 1 << iota
	isValid
	isExact
	hasTail // which may be empty
	isFresh // it brings the next origin
	isWhole // it is the next of whole, and has nothing else but text
)

// An entry is an Error, or if that is nil a Result.
type entry struct {
	res Result
	err *Error
}

// plain reports whether a packedResult can hold all of r. What Candidate has for readings over line
// breaks nobody can ask for then.
func (r *Result) plain() bool {
	const readings = delimit.Entity | delimit.WithTail // made of Text and Tail alone
	f := &r.Candidate
	return len(f.Text) > 0 && same(f.Raw, f.Text) && same(f.Ref, f.Text) && same(r.URL, f.Text) &&
		f.Others&^readings == 0 && f.Breaks == 0 && r.Target == nil && r.Err == nil && r.BaseSource == 0 && r.Base == ""
}

// add puts e in b, whole, and its bytes.
func (b *batch) add(e entry) {
	n := len(b.arena)
	b.whole = append(b.whole, e)
	b.arena = b.whole[len(b.whole)-1].res.own(b.arena)
	b.results = append(b.results, packedResult{flags: isWhole, text: uint32(len(b.arena) - n)})
}

// pack packs r, which is plain, and reports whether there is room for it.
func (b *batch) pack(r *Result) bool {
	f, o, i := &r.Candidate, &r.Origin, len(b.results)
	if i == cap(b.results) || len(f.Text)+len(f.Tail) > cap(b.arena)-len(b.arena) {
		return false
	}
	b.results = b.results[:i+1]
	n := &b.results[i]
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
	if last := len(b.origins) - 1; last < 0 || !o.beside(&b.origins[last]) {
		flags |= isFresh
		b.origins = append(b.origins, *o)
	}
	n.flags = flags
	return true
}

// beside reports whether o and a are the same but for numbers within a stream. It may
// say no where they are: of two strings it looks where they are kept.
func (o *Origin) beside(a *Origin) bool {
	return kept(o.Source, a.Source) && kept(o.Member, a.Member) && o.Message == a.Message && kept(o.Part, a.Part) &&
		kept(o.MessageID, a.MessageID) && kept(o.Subject, a.Subject) && kept(o.From, a.From) && kept(o.Date, a.Date) && kept(o.Newsgroups, a.Newsgroups) && kept(o.Field, a.Field) &&
		o.enclosed == a.enclosed
}

// kept reports whether s and as are the same bytes in memory, or both empty. An
// Origin holds on to its strings, so that no other can come to stand there.
func kept(s, as string) bool {
	return len(s) == len(as) && (s == "" || unsafe.StringData(s) == unsafe.StringData(as))
}

// unpack makes r of n, but for what is in the origin, and of bytes, which are its own.
func (n *packedResult) unpack(r *Result, bytes []byte) {
	f, o := &r.Candidate, &r.Origin
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
	f := &r.Candidate
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
	f := &r.Candidate
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
