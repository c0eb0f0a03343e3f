package extract

import (
	"errors"
	"io"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// How a worker goes down into what it reads. Whatever can hold something else is
// entered by [worker.enter], which takes compression off and looks inside:
//
//	enter ─► layers ─► look ─┬─► text
//	  ▲                      ├─► messages ─► part ─┬─► text      (message.go)
//	  │                      │                     └─► attachment ─┐
//	  │                      └─► members ─► member ────────────────┤ (member.go)
//	  └────────────────────────────────────────────────────────────┘
//
// Each goes back to where it was when what it entered has ended, well or not:
// damage costs a part, a member or a source, and not what lies around it. The
// Origin is set on the way in and restored on the way out. Limits.Depth bounds
// the recursion.

// enter reads r, from its first byte to its last, as a stream of its own. It returns
// what is to be counted of r that is left, which is not read.
func (w *worker) enter(r io.Reader) (rest remains) {
	base, depth := w.layers.used, w.layers.depth
	in, trouble := w.layers.open(r)
	above := w.down(in)
	if trouble == nil {
		trouble = w.frame()
	}
	if base == 0 {
		w.layers.ahead.end()
	}
	w.stream.tellMild()
	// What lies below tells its own trouble, to those that read it.
	if trouble != nil && !w.stopped() && !w.layers.broken(base) && !w.cutAround(trouble) {
		w.fail(w.place(trouble))
	}
	rest = w.balance(trouble, int64(w.layers.pile[base].in.Buffered()))
	w.up(above)
	w.layers.leave(base)
	w.layers.depth = depth
	return rest
}

// cutAround reports whether trouble is that a stream around the current one is
// longer than it may be, which that tells.
func (w *worker) cutAround(trouble *Error) bool {
	var limit *LimitError
	return errors.As(trouble, &limit) && limit.Limit == "Size" && w.raw.over != error(limit)
}

// frame reads the current stream as Options.Format says, or as it looks, and
// returns what ended it, nil for its end.
func (w *worker) frame() *Error {
	look := w.look()
	if look.archive != noArchive {
		w.keep()
		return w.members(look.archive)
	}
	cs, err := w.begin()
	switch {
	case err != nil:
		w.done = w.raw.read
	case look.mail != mail.None && cs == decode.UTF8: // mail is never UTF-16
		w.offerMailbox(look.mail)
		err = w.mailbox(look.mail)
	case w.inMail() && !w.wants(classOf(look.html)):
	default:
		w.chainUp(cs, look)
		w.leaf = leaf{html: look.html, form: formOf(look.html)}
		w.base = w.outer
		w.offer()
		err = w.text()
		w.done = w.raw.read
		w.book(&w.n.RawText, w.raw.read-w.mark)
	}
	return w.fault(err)
}

// inMail reports whether the current stream is an attachment, or in one.
func (w *worker) inMail() bool { return w.origin.Message != 0 }

// fault returns err, which ended the current stream, as an Error without place;
// nil if there is nothing to tell.
func (w *worker) fault(err error) *Error {
	if err == nil || err == io.EOF || err == errStopped {
		return nil
	}
	return w.faultOf(err)
}

// faultOf is fault for an error that is to be told. It stands apart because it
// allocates.
func (w *worker) faultOf(err error) *Error {
	var damage *decode.Error
	var limit *LimitError
	switch {
	case errors.As(err, &damage):
		return damaged(damage)
	case errors.As(err, &limit) && limit.Limit == "Size":
		return &Error{Stage: "size", Err: err}
	}
	var outer *outerError
	if errors.As(err, &outer) {
		err = outer.err
	}
	if e := damagedArchive(err); e != nil { // met in a member
		e.Origin = Origin{}
		return &e.Error
	}
	if err == io.ErrUnexpectedEOF && w.within != noArchive && !w.layers.broken(w.layers.used) {
		return &Error{Stage: w.within.String(), Err: err}
	}
	return w.layers.fault(err)
}

// damaged returns e as an Error of which the line is still to be found.
func damaged(e *decode.Error) *Error {
	var cause error = plainError(e.What)
	if e.Limit > 0 { // the one that there is in package mail
		cause = &LimitError{Limit: "Nesting", Value: int64(e.Limit), what: e.What}
	}
	return &Error{Origin: Origin{Offset: e.Offset, Exact: true}, Stage: e.Stage, Err: cause}
}

// place completes the Origin of e: by its Offset if that is Exact, or by how far
// reading has come.
func (w *worker) place(e *Error) *Error {
	off, known := e.Origin.Offset, e.Origin.Exact
	e.Origin = w.origin
	e.Origin.Exact = true
	switch {
	case w.staged:
		if !known {
			off = w.raw.read
		}
		e.Origin.Offset = off
		e.Origin.Line, e.Origin.Column, _ = w.lines.Position(off)
	case known:
		e.Origin.Offset = off // in an archive, which has no lines
	default:
		e.Origin.Offset = w.raw.read
		e.Origin.Line, e.Origin.Column = w.reached()
	}
	return e
}

// fail counts e and gives it to the sink.
func (w *worker) fail(e *Error) {
	w.n.trouble(e)
	w.left = !w.out.trouble(e) || w.left
}
