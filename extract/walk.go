package extract

import (
	"errors"
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A sink is where a worker gives what it finds, in order.
type sink interface {
	// result and trouble take r or e, which they do not keep, and report
	// whether there is to be more.
	result(r *Result) bool
	trouble(e *Error) bool

	// pause is called before a Read that may wait, resume behind it.
	pause()
	resume()
}

// A worker reads sources, one after another, each from its first byte to its
// last. Everything that it needs to is its own and used again.
type worker struct {
	x    *Extractor
	out  sink
	stop *interrupt
	n    Stats // not yet added to the counts of x

	left   bool   // the sink wants no more
	origin Origin // of what is being read

	layers layers       // stored bytes → raw stream
	raw    raw          //
	lines  decode.Lines // where raw offsets are not those of the text
	chain  decode.Chain // raw stream → text
	staged bool         // the chain has stages
	mark   int64        // length of the byte order mark

	html  *decode.HTML
	attrs attrs
	scan  *delimit.Scanner
	base  base
	res   Result
	bufs  buffers
}

func newWorker(x *Extractor) *worker {
	w := &worker{x: x, scan: delimit.NewScanner(nil, x.opts.Delimit)}
	w.layers.limits = x.opts.Limits
	w.layers.stored.w = w
	w.raw.w = w
	// The scanner has looked at all that was read before, but for a candidate
	// that is open.
	w.chain.Keep = textPiece + 2*int64(x.opts.Delimit.MaxLen)
	return w
}

// textPiece is how much decoded text is read at once, in bytes. The more that is,
// the longer the maps of the stages.
const textPiece = 8 << 10

// errStopped is what reading ends with when nobody wants more. Nobody sees it.
var errStopped = errors.New("stopped")

// stopped reports whether nobody wants more.
func (w *worker) stopped() bool { return w.left || w.stop.is() }

// flush adds to the counts that others see.
func (w *worker) flush() { w.x.counts.add(&w.n) }

// rest ends the work of w, and leaves it to be taken up again. It keeps buffers
// of fixed size, and no decompressors.
func (w *worker) rest() {
	w.flush()
	w.layers.rest()
	w.layers.close()
	w.out, w.stop, w.left = nil, nil, false
	w.raw.r = nil
	w.lines.Reset(nil, decode.UTF8)
	w.chain.Reset(nil, 0)
	w.scan.Reset(nil)
	w.res = Result{}
	w.x.idle.Put(w)
}

// source opens, reads and closes src.
func (w *worker) source(src Source) {
	w.stop.enter(src.wake)
	r, err := src.Open()
	w.stop.leave()
	if err != nil {
		w.n.Sources++
		if !w.stopped() {
			w.fail(openError(src.Name, err))
		}
		w.flush()
		return
	}
	w.stop.enter(interrupter(r))
	w.read(src.Name, r)
	w.stop.leave()
	_ = r.Close() // nothing was written
}

// openError returns err as an Error with an Origin.
func openError(name string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if name == "" {
		name = `""`
	}
	return &Error{Origin: Origin{Source: name}, Stage: "open", Err: err}
}

// read reads r, of that name, from its first byte to its last.
func (w *worker) read(name string, r io.Reader) {
	w.origin = Origin{Source: name}
	in, trouble := w.layers.open(r)
	w.raw.reset(in)
	w.staged = false
	if trouble == nil {
		trouble = w.frame()
	}
	if trouble != nil && !w.stopped() {
		w.place(trouble)
		w.fail(trouble)
	}
	w.layers.rest()
	w.n.Sources++
	w.flush()
}

// frame reads the raw stream as Options.Format says, and returns what ended it,
// nil for its end.
//
// Only formats that are one text from end to end are here. Those that hold
// messages will set w.origin.Message and Part around each text, and tar members
// w.origin.Member around each raw stream, from this place.
func (w *worker) frame() *Error {
	cs, err := w.begin()
	if err == nil {
		w.chainUp(cs)
		err = w.text()
	}
	var damage *decode.Error
	switch {
	case err == io.EOF, err == errStopped:
		return nil
	case errors.As(err, &damage):
		return &Error{Origin: Origin{Offset: damage.Offset}, Stage: damage.Stage, Err: plainError(damage.What)}
	case err == errTooLong:
		return &Error{Stage: "size", Err: err}
	}
	return w.layers.fault(err)
}

// begin finds the charset by the byte order mark, and reads that. It waits for
// no more than a mark needs: one byte where that begins none.
func (w *worker) begin() (decode.Charset, error) {
	var head []byte
	for n := 1; ; n = len(head) + 1 { // at most 4 turns
		var err error
		if head, err = w.raw.r.Peek(n); err != nil || !decode.MaybeBOM(head) {
			break
		}
	}
	cs, n := decode.SniffBOM(head)
	w.mark = int64(n)
	w.lines.Reset(&w.raw, cs)
	if n > 0 {
		var mark [4]byte
		if _, err := io.ReadFull(&w.lines, mark[:n]); err != nil {
			return cs, err
		}
	}
	return cs, nil
}

// chainUp puts up the chain from the raw stream to text. UTF-8 that is no HTML
// needs none.
func (w *worker) chainUp(cs decode.Charset) {
	w.staged = cs != decode.UTF8 || w.x.opts.Format == HTML
	if !w.staged {
		return
	}
	w.chain.Reset(&w.lines, w.mark)
	if d := decode.NewUnicode(cs); d != nil {
		w.chain.PushDecoder(d)
	}
	if w.x.opts.Format == HTML {
		if w.html == nil {
			w.html = decode.NewHTML(w.attribute)
			w.html.MaxValue = w.x.opts.Delimit.MaxLen
		}
		w.chain.PushDecoder(w.html)
	}
}

// place completes the Origin of e: by its Offset, or how far reading has come.
func (w *worker) place(e *Error) {
	off := e.Origin.Offset
	e.Origin = w.origin
	e.Origin.Exact = true
	if w.staged {
		if off == 0 {
			off = w.raw.read
		}
		e.Origin.Offset = off
		e.Origin.Line, e.Origin.Column, _ = w.lines.Position(off)
		return
	}
	e.Origin.Offset = w.raw.read
	e.Origin.Line, e.Origin.Column = w.raw.lines+1, w.raw.read-w.raw.lineStart+1
}

// fail counts e and gives it to the sink.
func (w *worker) fail(e *Error) {
	w.n.Errors++
	w.left = !w.out.trouble(e) || w.left
}
