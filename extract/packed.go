package extract

import (
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// Results pass from a worker to the caller in batches that own their bytes. Memory that
// one processor writes and another reads is slow, so a batch stores as little of a Result
// as possible. In most Results, Raw, Text, Ref and URL are the same stretch of text. Such
// a Result is stored as a packed result and its bytes:
//
//	results  │fresh│     │     │whole│     │fresh│  a part of a Result each
//	origins  │ 0                           │ 1      the fields that their Origins have in common
//	whole    │                  0                   a Result that cannot be packed, or an Error
//	arena    │text tail│text│text│ … │text│text│    bytes of all of them, in order
//
// If no Result is packed, "urlsift -c" takes 1.2 times as long for access logs with two
// workers, and 19 MB instead of 14. With Encode, batches contain no Results.
//
// If a Result has another Origin than the one before, a new origin is added. The caller makes a
// Result from each packed result, in memory that it reuses.

// Bounds of a batch.
const (
	batchResults = 128
	batchBytes   = 32 << 10 // exceeded only by one long Result, or by the last record
	usualRecord  = 4 << 10  // bytes that are kept free for the next record
)

// A batch holds Results and Errors in order.
type batch struct {
	arena []byte // the bytes of all

	recordBytes int // the first recordBytes bytes of arena are encoded Results
	records     int // number of encoded Results

	places []reachedPlace // in order

	results []packedResult // has a fixed capacity
	origins []Origin
	whole   []resultOrError
}

// A reachedPlace is a place, and how many results, bytes of records and records are in
// front of it.
type reachedPlace struct {
	results, recordBytes, records int

	file *File
	at   *Place
}

// init makes the zero batch b an empty batch. A batch for records has few packed results.
func (b *batch) init(records bool) {
	b.arena = make([]byte, 0, batchBytes)
	if !records {
		b.results = make([]packedResult, 0, batchResults)
	}
}

func (b *batch) empty() {
	if cap(b.arena) > batchBytes {
		b.arena = make([]byte, 0, batchBytes)
	}
	b.results, b.origins, b.whole, b.arena = b.results[:0], b.origins[:0], b.whole[:0], b.arena[:0]
	b.recordBytes, b.records = 0, 0
	clear(b.places)
	b.places = b.places[:0]
}

// A packedResult is a Result that can be packed (see [Result.isPackable]), without its bytes and
// without the fields that are in the origin.
type packedResult struct {
	inner, outer delimit.Span // this and the following fields are those of Candidate
	line, column int64
	parts        uri.Parts
	coordinates  coordinates
	text, tail   uint32 // lengths in arena, in bytes; no reference is longer than uri.MaxLen

	form    delimit.Form
	by      delimit.Extra
	others  delimit.Reading
	accepts uri.Grammar
	flags   uint8
}

// A coordinates has the fields of Origin that differ between neighbouring references.
type coordinates struct{ offset, length, line, column int64 }

// Flags of a packedResult.
const (
	isPrefixed = 1 << iota
	isValid
	isExact
	hasTail // the tail may be empty
	isFresh // the next origin begins here
	isWhole // the Result or Error is the next one in whole; text is the length of all its bytes in arena
)

// A resultOrError is an Error, or if that is nil a Result.
type resultOrError struct {
	res Result
	err *Error
}

// isPackable reports whether a packedResult can hold all of r. A packedResult cannot hold what a
// Candidate stores for readings over line breaks.
func (r *Result) isPackable() bool {
	const readings = delimit.Entity | delimit.WithTail | delimit.AtComma // these readings can be made from Text and Tail alone
	f := &r.Candidate
	return len(f.Text) > 0 && same(f.Raw, f.Text) && same(f.Ref, f.Text) && same(r.URL, f.Text) &&
		f.Others&^readings == 0 && f.Breaks == 0 && r.Target == nil && r.Err == nil && r.BaseSource == 0 && r.Base == ""
}

// add stores e in b unpacked, with a copy of its bytes.
func (b *batch) add(e resultOrError) {
	n := len(b.arena)
	b.whole = append(b.whole, e)
	b.arena = b.whole[len(b.whole)-1].res.own(b.arena)
	b.results = append(b.results, packedResult{flags: isWhole, text: uint32(len(b.arena) - n)})
}

// pack packs r, which is packable. It reports whether there was room.
func (b *batch) pack(r *Result) bool {
	f, o, i := &r.Candidate, &r.Origin, len(b.results)
	if i == cap(b.results) || len(f.Text)+len(f.Tail) > cap(b.arena)-len(b.arena) {
		return false
	}
	b.results = b.results[:i+1]
	n := &b.results[i]
	n.inner, n.outer, n.line, n.column = f.Inner, f.Outer, f.Line, f.Column
	n.parts = r.Parts
	n.coordinates = coordinates{o.Offset, o.Length, o.Line, o.Column}
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
	if last := len(b.origins) - 1; last < 0 || !o.SameText(&b.origins[last]) {
		flags |= isFresh
		b.origins = append(b.origins, *o)
	}
	n.flags = flags
	return true
}

// unpack sets r from n, without the fields that are in the origin. bytes are those of r.
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
	o.Offset, o.Length, o.Line, o.Column = n.coordinates.offset, n.coordinates.length, n.coordinates.line, n.coordinates.column
	o.Exact = n.flags&isExact != 0
}

// owns returns an upper bound of the bytes that own copies.
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

// own copies the bytes of r to the free capacity of arena and returns the extended arena. Raw,
// Text, Ref and URL are often one stretch of memory; it is copied once, and they share the copy.
func (r *Result) own(arena []byte) []byte {
	f := &r.Candidate
	text, ref := f.Text, f.Ref
	const shared = delimit.NoHyphen | delimit.SpaceEscaped | delimit.CutAtSpace | delimit.Entity | delimit.WithTail | delimit.AtComma
	if f.Others&^shared != 0 {
		*f = f.Clone() // it has a slice that only delimit can copy
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

// keep appends s to arena and returns the copy.
func keep(arena, s []byte) (kept, grown []byte) {
	if s == nil {
		return nil, arena
	}
	n := len(arena)
	arena = append(arena, s...)
	return arena[n:len(arena):len(arena)], arena
}

// keepAs is keep, but if s is the same memory as known, it copies nothing and returns the slice
// as, which is the copy of known.
func keepAs(arena, s, known, as []byte) (kept, grown []byte) {
	if s != nil && same(s, known) {
		return as, arena
	}
	return keep(arena, s)
}

// An Encoder appends the record of r to dst and returns the extended slice. If it appends
// nothing, r is left out. It keeps neither dst, nor r, nor slices of r. With several
// workers it runs in their goroutines, where a panic ends the program.
type Encoder func(dst []byte, r *Result) []byte

// encodeAppend appends the record that encode makes of r. Meanwhile it hides the numbers of r that
// a worker does not know if there are several workers: see [Extractor.Encode].
func encodeAppend(dst []byte, encode Encoder, r *Result) []byte {
	f, o := &r.Candidate, &r.Origin
	line, at, message := f.Line, o.Line, o.Message
	f.Line, o.Line, o.Message = 0, 0, 0
	dst = encode(dst, r)
	f.Line, o.Line, o.Message = line, at, message
	return dst
}
