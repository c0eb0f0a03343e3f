package extract

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/uri"
)

// References in attributes come beside the text, and so do whole values of header
// fields: the HTML stage and the header stage hand them over
// when the scanner has read all text before them. Then a candidate of that text
// may be open, whose end lies behind the attribute, and which is to come first.
// So an attribute is held until white space has come, which ends candidates;
// only a wrapper that a tag stands in goes over that, and comes behind it then.
//
// The text is handed to the scanner in pieces that end with the first white
// space while something is held. So the order in which Results come depends on
// the document alone, and not on how it is read.

// Bounds of what is held. Where one is met, all is let go.
const (
	maxHeldBytes = 64 << 10
	maxHeld      = 1 << 10
)

// headerPiece is how much of a header is decoded at once, in bytes: no more than
// holds the fields whose names its stage remembers, each of two bytes at least.
const headerPiece = 2 << 10

// attrs is the text of an HTML document as a reader, with the attributes that
// are held.
type attrs struct {
	w     *worker
	held  []heldAttr // of them, held[:gone] were let go
	gone  int
	arena []byte // their values

	buf   [textPiece]byte
	text  []byte // of buf, to be handed on
	err   error  // that came behind text
	given int64  // text handed on
	space int64  // offset behind the last white space in it

	last assessed
}

// An assessed is what was found of the value that was given last. Pages repeat
// themselves: the same link often stands around a picture, and around words.
type assessed struct {
	ref, url []byte // url is empty if it is ref itself; both are at most a few times the longest reference
	parts    uri.Parts
	accepts  uri.Grammar
	valid    bool
}

// again sets what assess would of the Result in w, if its reference is that of the
// last value, and reports whether it is.
func (l *assessed) again(w *worker) bool {
	r := &w.res
	if !bytes.Equal(l.ref, r.Found.Ref) || len(l.ref) == 0 {
		return false
	}
	r.URL, r.Parts, r.Accepts, r.Valid = r.Found.Ref, l.parts, l.accepts, l.valid
	if len(l.url) > 0 {
		w.bufs.url = append(w.bufs.url[:0], l.url...)
		r.URL = w.bufs.url
	}
	return true
}

// keep remembers what was found of r.
func (l *assessed) keep(r *Result) {
	l.ref = append(l.ref[:0], r.Found.Ref...)
	l.url = l.url[:0]
	if len(r.URL) != len(l.ref) { // what is escaped is longer
		l.url = append(l.url, r.URL...)
	}
	l.parts, l.accepts, l.valid = r.Parts, r.Accepts, r.Valid
}

// A heldAttr is one reference in an attribute.
type heldAttr struct {
	from, to     int // of the arena
	at           int64
	lo, hi       int64 // in the raw stream
	exact        bool
	line, column int64
	base         bool   // it is the document's base from here on
	field        string // of a header
	raw          int    // arena[raw:to] is what stands in the text
}

func (a *attrs) reset(w *worker) {
	a.w, a.held, a.gone, a.arena = w, a.held[:0], 0, a.arena[:0]
	a.text, a.err, a.given, a.space = nil, nil, 0, 0
}

// attribute is the sink of the HTML stage. It copies the value.
func (w *worker) attribute(v decode.Attr) error {
	a := &w.attrs
	if w.leaf.html {
		undoQuoted(&v)
	}
	if hasPrefixFold(v.Value, "javascript:") { // a program, and no reference to anything
		return nil
	}
	if len(a.held) == maxHeld || len(a.arena)+len(v.Value) > maxHeldBytes {
		if !a.all() {
			return errStopped
		}
	}
	a.held = append(a.held, heldAttr{})
	h := &a.held[len(a.held)-1]
	h.from, h.at, h.base = len(a.arena), a.given, v.Name == "href" && v.Tag == "base"
	if w.leaf.header {
		h.field = fieldNames[v.Name]
		a.arena = appendScheme(a.arena, v.Name, w.leaf.news)
	}
	h.raw = len(a.arena)
	if h.raw > h.from {
		a.arena = appendID(a.arena, v.Value)
	} else {
		a.arena = append(a.arena, v.Value...)
	}
	h.to = len(a.arena)
	h.lo, h.hi, h.exact = w.chain.SpanBelow(v.Start, v.End)
	h.line, h.column, _ = w.lines.Position(h.lo)
	if !a.settled() {
		return errStopped
	}
	return nil
}

// undoQuoted takes off v what is left of href=3D"http://a/" where nobody undid the
// quoted-printable that the text is in: the value begins behind '=' then.
func undoQuoted(v *decode.Attr) {
	rest, ok := bytes.CutPrefix(v.Value, []byte("3D"))
	if !ok || len(rest) == 0 {
		return
	}
	skip, end := 2, 0
	if q := rest[0]; q == '"' || q == '\'' {
		rest = rest[1:]
		skip = 3
		if n := len(rest) - 1; n >= 0 && rest[n] == q {
			rest = rest[:n]
			end = 1
		}
	} else if !bytes.Contains(rest, []byte("//")) {
		return
	}
	if len(rest) > 0 {
		v.Value, v.Start, v.End = rest, v.Start+int64(skip), v.End-int64(end)
	}
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && bytes.EqualFold(b[:len(prefix)], []byte(prefix))
}

// Read hands text to the scanner.
func (a *attrs) Read(p []byte) (int, error) {
	if !a.settled() {
		return 0, errStopped
	}
	if len(a.text) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		piece := a.buf[:]
		if a.w.leaf.header {
			piece = a.buf[:headerPiece]
		}
		n, err := a.w.chain.Read(piece)
		a.w.n.TextBytes += int64(n)
		if n == 0 {
			return 0, err
		}
		a.text, a.err = a.buf[:n], err
	}
	n := min(len(p), len(a.text))
	if a.gone < len(a.held) {
		if i := bytes.IndexAny(a.text[:n], " \t\r\n\f"); i >= 0 {
			n = i + 1
		}
	}
	copy(p, a.text[:n])
	a.text = a.text[n:]
	if i := bytes.LastIndexAny(p[:n], " \t\r\n\f"); i >= 0 {
		a.space = a.given + int64(i) + 1
	}
	a.given += int64(n)
	return n, nil
}

// settled lets those go before which nothing can come any more, when the scanner
// has returned all that is complete in the text it was given. Like the functions
// below it reports whether there is to be more.
func (a *attrs) settled() bool {
	return a.release(func(h *heldAttr) bool { return h.at <= a.space })
}

// before lets those go that stand before the raw offset off.
func (a *attrs) before(off int64) bool {
	if a.gone == len(a.held) {
		return true
	}
	text := a.w.res // what stands there waits
	ok := a.release(func(h *heldAttr) bool { return h.lo < off })
	a.w.res = text
	return ok
}

// all lets all go.
func (a *attrs) all() bool { return a.release(func(*heldAttr) bool { return true }) }

// release lets go from the first on, as long as may.
func (a *attrs) release(may func(*heldAttr) bool) bool {
	for ; a.gone < len(a.held); a.gone++ {
		h := &a.held[a.gone]
		if !may(h) {
			return true
		}
		if !a.w.giveAttr(h) {
			return false
		}
	}
	a.held, a.gone, a.arena = a.held[:0], 0, a.arena[:0]
	return true
}

// giveAttr makes a Result of h. A base counts for all that stands behind it; the
// first does, if there is more than one.
func (w *worker) giveAttr(h *heldAttr) bool {
	value := w.attrs.arena[h.from:h.to:h.to]
	at := delimit.Span{Start: h.at, End: h.at}
	c := &w.res.Found
	*c = delimit.Candidate{}
	c.Text, c.Ref, c.Raw, c.Inner, c.Outer = value, value, value[h.raw-h.from:], at, at
	c.Line, c.Column, c.Form = h.line, h.column, w.leaf.form
	o := &w.res.Origin // what is the same for the whole text is there
	o.Field = h.field
	o.Offset, o.Length, o.Exact = h.lo, h.hi-h.lo, h.exact
	o.Line, o.Column = h.line, h.column // which Lines may have forgotten
	if l := &w.attrs.last; !l.again(w) {
		w.assess(&w.res)
		l.keep(&w.res)
	}
	more := w.give()
	if h.base && w.base.from != FromHTML {
		w.setBase()
	}
	return more
}

// setBase makes the Result that was just given the base of what follows, if it
// is absolute, by itself or by the base so far.
func (w *worker) setBase() {
	r := &w.res
	if !r.Valid {
		return
	}
	text := r.URL
	if r.Target != nil {
		text = r.Target
	}
	ref, err := uri.Parse(string(text), w.x.opts.Grammar)
	if err != nil || !ref.IsAbs() {
		return
	}
	if b, err := newBase(&w.x.opts, ref, FromHTML); err == nil {
		w.base = b
	}
}
