package mail

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A state says what comes next.
type state uint8

const (
	atMessage state = iota // a message, or the end of the stream
	atHeader               // the header of an entity
	inHeader               // the header was returned as a part, if it has a field
	atText                 // the text in front of or after the parts of a multipart
	inBody                 // a body was returned
	atPart                 // a part is returned next, then comes Reader.then
)

// An ending says why the current part has ended.
type ending uint8

const (
	endHeader  ending = iota // gap bytes after ok the body begins
	endPart                  // at a boundary line of stack[hit]
	endMessage               // at a separator, or the end of the stream
)

// A Reader returns the parts of a stream of mail or news, in order. It holds a buffer of
// 68 KiB, the boundaries and fields of the open entities, and a map that is cleared as
// the part is read. Nothing in it grows with the stream. Call Reset before the first use.
type Reader struct {
	frame
	running

	// Memory that is reused.
	body      body
	lastType  mediaType
	fields    fields   // of the entity
	stack     []level  // of those around it
	hashes    []uint32 // of the stack's boundaries
	path      []byte
	levels    []Level
	scratch   []byte
	names     map[string]string
	onMessage func(at int64, before int) bool
}

// A running is the state of a [Reader] within one stream. At the beginning of a stream it
// is zero.
type running struct {
	framing Framing
	prefix  string
	depth   int

	state   state
	then    state
	done    bool   // the part has ended, except for buf[lo:ok]
	why     ending // if done
	gap     int    // if done by endHeader
	hit     int    // if done by endPart, the length of the line, and whether that closes it
	hitLen  int
	closing bool

	// State of the current part.
	header bool    // step by stepHeader
	care   uint8   // classes of first bytes that must be examined
	hold   bool    // see stepText
	data   special // uuBegin or yBegin while inside such data
	part   Part

	// State of the entity whose header was read last, and of those around it.
	ent      entity
	overlong bool
	strayed  bool // a line that is not a field was reported
	open     int  // number of open levels

	// State of the message.
	message        int
	lastFrom       fromGrade
	babyl          bool // a second header precedes the body
	reportedDeep   bool
	promised, kept int64 // see promise

	pending   [4]pendingDamage // that Next has yet to return
	nPending  int
	last      pendingDamage // the damage that it returned last
	taken     Taken
	skipEmpty bool // and how many were:
	skipped   int
}

// KeepSubjects says whether Part has Subject and From. It holds until it is called again.
func (r *Reader) KeepSubjects(keep bool) { r.fields.subjects = keep }

// Reset starts r at src, whose first byte has the raw offset at, with framing f ([None]
// is treated as [Single]). depth is the maximum nesting of multiparts and messages; what
// is deeper is text. prefix is put in front of every Section ("2." for a message that was
// itself encoded).
//
// If src has a method Forget(off int64), it is called while parts are skipped, with the
// raw offset from which bytes are still needed. While a part is read, the caller must
// call it.
func (r *Reader) Reset(src io.Reader, at int64, f Framing, depth int, prefix string) {
	if r.names == nil {
		r.names = make(map[string]string)
	}
	if f == None {
		f = Single
	}
	r.running = running{framing: f, prefix: prefix, depth: depth}
	r.stack, r.hashes, r.path, r.levels, r.scratch = r.stack[:0], r.hashes[:0], r.path[:0], r.levels[:0], r.scratch[:0]
	r.onMessage = nil
	r.frame.reset(src, at)
	r.body.r = r
	r.body.reset(at)
	r.fields.reset()
}

// Next returns the next part and skips the rest of the one before. The part is valid until
// Next is called again.
//
// Damage is returned as an [*decode.Error] that is Mild, in place of a part, with its raw
// offset. If a multipart has no end, that is the offset of what ends it. The next call
// continues after the damage; [Reader.Where] says in which entity it is. At the end the
// error is io.EOF. Any other error is of src. It is final, and Body.Read returns it too.
func (r *Reader) Next() (*Part, error) {
	r.quick = true
	defer func() { r.quick = false }()
	for { // each iteration consumes bytes, opens or closes a level, or ends
		if e := r.nextDamage(r.raw(r.lo), r.skip()); e != nil {
			return nil, e
		}
		if r.state == atPart {
			r.state = r.then
			return &r.part, nil
		}
		switch r.state {
		case atMessage:
			if !r.beginMessage() {
				if e := r.nextDamage(endless, true); e != nil {
					return nil, e
				}
				return nil, r.failed(io.EOF)
			}
		case atHeader:
			if r.lookAhead() {
				r.state, r.then = atPart, inHeader // after the damage that was found
			}
		case inHeader:
			r.describe()
			r.take(r.ok+r.gap, true)
			if r.babyl {
				r.dropVisible()
			}
			if r.enter() {
				r.state, r.then = atPart, inBody
			}
		case atText:
			if r.skipBlank() {
				return &r.part, nil
			}
			r.state = inBody
		case inBody:
			if e := r.leave(); e != nil {
				return nil, e
			}
		}
	}
}

// failed returns the error of src, or err if src has none.
func (r *Reader) failed(err error) error {
	if r.err != nil && r.err != io.EOF {
		return r.err
	}
	return err
}

// A pendingDamage is an error and the entity that it concerns.
type pendingDamage struct {
	*decode.Error
	message int
	section string
	batch   bool // found by examining what follows an article
}

// Where returns the ordinal of the message and the section of the entity of the damage that
// Next returned last. The section is "" for a message as a whole.
func (r *Reader) Where() (message int, section string) { return r.last.message, r.last.section }

// report stores damage of the entity with that section, for Next.
func (r *Reader) report(section string, e *decode.Error) {
	r.keep(pendingDamage{e, r.message, section, false})
}

func (r *Reader) keep(d pendingDamage) {
	if r.nPending < len(r.pending) && r.failed(nil) == nil {
		r.pending[r.nPending] = d
		r.nPending++
	}
}

// nextDamage returns the first damage in front of the raw offset at. Damage of a batch may be
// found earlier or later, depending on how much was in the buffer. So damage is returned
// only after a part, when all damage in front of at is known.
func (r *Reader) nextDamage(at int64, afterPart bool) *decode.Error {
	first := -1
	for i, t := range r.pending[:r.nPending] {
		if t.batch && !(afterPart && (t.Offset <= at || r.why == endMessage)) || !t.batch && t.Offset > at {
			continue
		}
		if first < 0 || t.Offset < r.pending[first].Offset {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	r.last = r.pending[first]
	copy(r.pending[first:], r.pending[first+1:r.nPending])
	r.nPending--
	return r.last.Error
}

// skip skips the rest of the part, and reports whether there was any.
func (r *Reader) skip() bool {
	if r.state != inHeader && r.state != inBody {
		return false
	}
	// Skipped bytes get no marks in the map.
	for !r.done {
		r.pass()
		r.step()
	}
	r.pass()
	return true
}

// pass discards what was found of the part.
func (r *Reader) pass() {
	r.taken.Passed += int64(r.ok - r.lo)
	r.lo = r.ok
}

// Taken counts the bytes of a stream that a [Reader] has finished. All also counts bytes
// between and around the parts: separators, boundaries, blank lines, and headers that
// were not returned.
type Taken struct {
	All    int64 // offset after the last of them
	Read   int64 // returned by Body.Read
	Passed int64 // skipped bytes of parts
	Data   int64 // uuencoded and yEnc data, which is left out
}

// Taken returns the counts since the last Reset.
func (r *Reader) Taken() Taken {
	r.taken.All = r.raw(r.lo)
	return r.taken
}

// step reads more of the part.
func (r *Reader) step() {
	switch {
	case r.header:
		r.stepHeader(0)
	case r.data != ordinary:
		r.stepData()
	default:
		r.stepText()
	}
}

func (r *Reader) finish(why ending) { r.done, r.why = true, why }
