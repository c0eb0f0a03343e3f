package mail

import "io"

// A Reader returns the parts of a stream of mail or news, in order. It holds a buffer of
// 68 KiB, the boundaries and fields of the open entities, and a map that is cleared as
// the part is read. Nothing in it grows with the stream. Call Reset before the first use.
type Reader struct{ w walk }

// KeepSubjects says whether Part has Subject and From. It holds until it is called again.
func (r *Reader) KeepSubjects(keep bool) { r.w.fields.subjects = keep }

// Reset starts r at src, whose first byte has the raw offset at, with framing f ([None]
// is treated as [Single]). depth is the maximum nesting of multiparts and messages; what
// is deeper is text. prefix is put in front of every Section ("2." for a message that was
// itself encoded).
//
// If src has a method Forget(off int64), it is called while parts are skipped, with the
// raw offset from which bytes are still needed. While a part is read, the caller must
// call it.
func (r *Reader) Reset(src io.Reader, at int64, f Framing, depth int, prefix string) {
	if f == None {
		f = Single
	}
	r.w.reset(src, at, f, depth, prefix)
}

// OnMessage makes r call begins, until its Reset, where a message of an [Mbox] begins.
// begins gets the raw offset of the first line after blank lines, and the number of
// messages in front of it. Only this number depends on earlier messages. If begins
// returns false, the stream ends for r.
func (r *Reader) OnMessage(begins func(at int64, before int) bool) { r.w.frames.onMessage = begins }

// SkipEmpty makes r skip empty parts until its Reset: children of a multipart without
// fields and without a body. In a row of them it skips those that are in the buffer with
// the boundary line after them, except for the last, so the place that was read last stays
// correct. Reading an empty part takes many times longer than skipping its bytes.
func (r *Reader) SkipEmpty() { r.w.empty.on = true }

// Skipped returns how many parts [Reader.SkipEmpty] has skipped since the last call.
func (r *Reader) Skipped() (parts int) {
	parts, r.w.empty.count = r.w.empty.count, 0
	return parts
}

// Next returns the next part and skips the rest of the one before. The part is valid until
// Next is called again.
//
// Damage is returned as an [*decode.Error] that is Mild, in place of a part, with its raw
// offset. If a multipart has no end, that is the offset of what ends it. The next call
// continues after the damage; [Reader.Where] says in which entity it is. At the end the
// error is io.EOF. Any other error is of src. It is final, and Body.Read returns it too.
func (r *Reader) Next() (*Part, error) {
	r.w.in.quick = true
	defer func() { r.w.in.quick = false }()
	return r.w.next()
}

// Where returns the ordinal of the message and the section of the entity of the damage that
// Next returned last. The section is "" for a message as a whole.
func (r *Reader) Where() (message int, section string) {
	d := &r.w.in.damages.last
	return d.message, d.section
}

// Empty reports whether the part ends undamaged with nothing left of it. It reads as much
// as the first Read of the part would.
func (r *Reader) Empty() bool { return r.w.finder.empty() }

// Taken returns the counts since the last Reset.
func (r *Reader) Taken() Taken {
	in := &r.w.in
	in.taken.All = in.raw(in.lo)
	return in.taken
}
