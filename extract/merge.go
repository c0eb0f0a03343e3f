package extract

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// References in attributes come beside the text, and so do whole values of header
// fields: the document returns them in front of the text that they stand before. When
// they come, the scanner has read all text before them; but a candidate of that text may
// be open, whose end lies after the attribute, and which comes first. So a value is held
// until white space has come, which ends candidates; only a wrapper that a tag stands in
// goes on after that, and comes after the value then.
//
// The text is given to the scanner in pieces that end with the first white space while
// something is held. So the order of Results depends on the document alone, and not on
// how it is read.

// Bounds of what is held. Where one is met, all is released.
const (
	maxHeldBytes = 64 << 10
	maxHeld      = 1 << 10
)

// A merge is a text as a reader, with the values that are held.
type merge struct {
	w     *worker
	t     *document.Text
	form  delimit.Form
	held  []heldValue // of them, held[:gone] were released
	gone  int
	arena []byte // their values

	buf   [8 << 10]byte
	text  []byte // of buf, to be given to the scanner
	err   error  // that came after text
	given int64  // bytes of text that the scanner has
	space int64  // offset after the last white space in it
}

// A heldValue is a value, with its bytes in the arena.
type heldValue struct {
	document.Value
	raw   []byte // the bytes as they stand in the text
	field string // name of the header field, as it is usually written
}

func (m *merge) reset(w *worker, t *document.Text) {
	m.w, m.t, m.held, m.gone, m.arena = w, t, m.held[:0], 0, m.arena[:0]
	m.text, m.err, m.given, m.space = nil, nil, 0, 0
	m.form = delimit.Attribute
	if t.Kind == document.Header {
		m.form = delimit.Header
	}
}

// Read gives text to the scanner. Each iteration reads once.
func (m *merge) Read(p []byte) (int, error) {
	if !m.settled() {
		return 0, damage.ErrStopped
	}
	for len(m.text) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		n, err := m.t.Read(m.buf[:])
		m.text, m.err = m.buf[:n], err
		if len(m.t.Values) > 0 && !m.hold() {
			return 0, damage.ErrStopped
		}
	}
	n := min(len(p), len(m.text))
	if m.gone < len(m.held) {
		if i := bytes.IndexAny(m.text[:n], " \t\r\n\f"); i >= 0 {
			n = i + 1
		}
	}
	copy(p, m.text[:n])
	m.text = m.text[n:]
	if i := bytes.LastIndexAny(p[:n], " \t\r\n\f"); i >= 0 {
		m.space = m.given + int64(i) + 1
	}
	m.given += int64(n)
	return n, nil
}

// hold holds the values that the last Read of the text met. Like the functions below it
// reports whether to go on.
func (m *merge) hold() bool {
	for i := range m.t.Values {
		v := &m.t.Values[i]
		if hasPrefixFold(v.Bytes, "javascript:") { // a program, and no reference to anything
			continue
		}
		if len(m.held) == maxHeld || len(m.arena)+len(v.Bytes) > maxHeldBytes {
			if !m.all() {
				return false
			}
		}
		h := heldValue{Value: *v}
		n := len(m.arena)
		if m.t.Kind == document.Header {
			h.field = fieldNames[v.Field]
			m.arena = appendScheme(m.arena, v.Field, m.t.Article)
		}
		raw := len(m.arena)
		if raw > n {
			m.arena = appendID(m.arena, v.Bytes)
		} else {
			m.arena = append(m.arena, v.Bytes...)
		}
		h.Bytes, h.raw = m.arena[n:len(m.arena):len(m.arena)], m.arena[raw:len(m.arena):len(m.arena)]
		m.held = append(m.held, h)
	}
	return m.settled()
}

// settled releases the values before which nothing can come any more, when the scanner
// has returned all that is complete in the text that it was given.
func (m *merge) settled() bool {
	return m.release(func(v *heldValue) bool { return v.At <= m.space })
}

// before releases those that stand before the raw offset off.
func (m *merge) before(off int64) bool {
	if m.gone == len(m.held) {
		return true
	}
	text := m.w.judge.res // the Result of the text waits
	ok := m.release(func(v *heldValue) bool { return v.Offset < off })
	m.w.judge.res = text
	return ok
}

// all releases all.
func (m *merge) all() bool { return m.release(func(*heldValue) bool { return true }) }

// release releases values from the first on, as long as may says so.
func (m *merge) release(may func(*heldValue) bool) bool {
	for ; m.gone < len(m.held); m.gone++ {
		v := &m.held[m.gone]
		if !may(v) {
			return true
		}
		if !m.give(v) {
			return false
		}
	}
	m.held, m.gone, m.arena = m.held[:0], 0, m.arena[:0]
	return true
}

// give makes a Result of v. A base counts for all that stands after it; the first does,
// if there are several.
func (m *merge) give(v *heldValue) bool {
	j := &m.w.judge
	j.value(v, m.form)
	more := m.w.give()
	if v.Base && j.base.from != FromHTML {
		j.setBase()
	}
	return more
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && bytes.EqualFold(b[:len(prefix)], []byte(prefix))
}
