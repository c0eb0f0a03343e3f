package extract

import (
	"bytes"
	"slices"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// References in attributes, and whole values of header fields, are not part of the text. The
// document returns such a value before it returns the text that follows. At that time the scanner
// has read all text in front of the value, but its last candidate may be incomplete. That
// candidate must be yielded before the value. So the value is held until white space has followed,
// because white space ends a candidate. There is one exception: a candidate in a wrapper around a
// tag does not end at white space, and is yielded after the value.
//
// While values are held, the scanner gets the text in pieces that end with the first
// white space. So the order of Results depends only on the document, and not on how it is
// read.

// Bounds of what is held. When one is reached, all values are released.
const (
	maxHeldBytes = 64 << 10
	maxHeld      = 1 << 10
)

const mergeBuffer = 8 << 10 // bytes of text that one Read of the text may return

// A merge is the reader of a text, with the values that are held.
type merge struct {
	f *finder // whose validator has the Result

	t     *document.Text
	form  delimit.Form
	outer []base      // the bases around the elements that have one of their own; the decoder bounds their number
	held  []heldValue // held[:gone] were released
	gone  int
	arena []byte // bytes of their values

	buf     [mergeBuffer]byte
	text    []byte // the bytes in buf that the scanner has not read
	err     error  // returned after text
	scanned int64  // bytes of text that the scanner has read
	space   int64  // offset after the last white space in the text
}

// A heldValue is a value that waits for its place among the results. Its bytes are in the arena.
type heldValue struct {
	document.Value
	raw   []byte // Value.Bytes without the scheme that hold has put in front of an identifier
	field string // name of the header field, in its usual spelling
}

func (m *merge) reset(t *document.Text) {
	m.t, m.held, m.gone, m.arena = t, m.held[:0], 0, m.arena[:0]
	m.text, m.err, m.scanned, m.space = nil, nil, 0, 0
	m.outer = m.outer[:0]
	m.form = delimit.Attribute
	if t.Kind == document.Header {
		m.form = delimit.Header
	}
}

// Read passes text to the scanner. Each iteration reads once.
func (m *merge) Read(p []byte) (int, error) {
	if !m.releaseReady() {
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
		if i := slices.IndexFunc(m.text[:n], octet.IsSpace); i >= 0 {
			n = i + 1
		}
	}
	copy(p, m.text[:n])
	m.text = m.text[n:]
	for i := n; i > 0; i-- { // at most n iterations, usually the length of a word
		if octet.IsSpace(p[i-1]) {
			m.space = m.scanned + int64(i)
			break
		}
	}
	m.scanned += int64(n)
	return n, nil
}

// hold copies the values that the last Read of the text returned, and holds the copies. Like the
// functions below, it reports whether to continue.
func (m *merge) hold() bool {
	for i := range m.t.Values {
		v := &m.t.Values[i]
		if hasPrefixFold(v.Bytes, "javascript:") { // the value is a program, not a reference
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
	return m.releaseReady()
}

// releaseReady releases the values that stand in front of the last white space, or directly
// after it. The scanner calls Read when it has returned all complete candidates, so no candidate
// in front of these values is left.
func (m *merge) releaseReady() bool {
	return m.release(func(v *heldValue) bool { return v.At <= m.space })
}

// before releases the values in front of the raw offset off. The Result of the validator is the
// same afterwards.
func (m *merge) before(off int64) bool {
	if m.gone == len(m.held) {
		return true
	}
	text := m.f.validator.res // the Result of the text; the values come first
	ok := m.release(func(v *heldValue) bool { return v.Offset < off })
	m.f.validator.res = text
	return ok
}

func (m *merge) all() bool { return m.release(func(*heldValue) bool { return true }) }

// release passes values to the sink, from the first on, until may returns false for one.
func (m *merge) release(may func(*heldValue) bool) bool {
	for ; m.gone < len(m.held); m.gone++ {
		v := &m.held[m.gone]
		if !may(v) {
			return true
		}
		if !m.give(v) {
			return false
		}
		spoil(v.Bytes)
		spoil(v.raw)
	}
	m.held, m.gone, m.arena = m.held[:0], 0, m.arena[:0]
	return true
}

// give makes a Result of v and passes it to the sink. If v is the first <base href> of the page, v
// becomes the base of everything after it.
func (m *merge) give(v *heldValue) bool {
	by := &m.f.validator
	if n := len(m.outer); v.Ends && n > 0 {
		by.base, m.outer = m.outer[n-1], m.outer[:n-1]
	}
	if v.Element {
		m.outer = append(m.outer, by.base)
	}
	if v.Ends || len(v.Bytes) == 0 && (by.base.from == 0 || v.Element) {
		return true // an empty value refers to the page, whose URL is not known, or is the base that is in force
	}
	form := m.form
	if v.Bracketed {
		form = delimit.Angle
	}
	m.value(&v.Value, v.raw, v.field, form)
	more := m.f.give()
	if v.Base && by.base.from != FromHTML || v.Element {
		if b, ok := by.bases.declared(&by.res); ok {
			by.base = b
		}
	}
	return more
}

// value sets the Result of the validator to the reference in val, and assesses it.
func (m *merge) value(val *document.Value, raw []byte, field string, form delimit.Form) {
	v := &m.f.validator
	v.spoil()
	r := &v.res
	at := delimit.Span{Start: val.At, End: val.At}
	c := &r.Candidate
	*c = delimit.Candidate{}
	c.Text, c.Ref, c.Raw, c.Inner, c.Outer = val.Bytes, val.Bytes, raw, at, at
	c.Line, c.Column, c.Form = val.Line, val.Column, form
	v.request = val.Request
	r.Origin.Field = field
	r.Origin.set(val.Position)
	v.assess()
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && bytes.EqualFold(b[:len(prefix)], []byte(prefix))
}

// With Options.MessageIDs, identifiers are references: "mid:..." and "news:..." refer to the message
// with that Message-ID, "cid:..." to the part with that Content-ID.

// fieldNames has the usual spelling of the fields whose value, or a part of it, is not read as
// text.
var fieldNames = map[string]string{
	"content-base":     "Content-Base",     // RFC 2110
	"content-location": "Content-Location", // RFC 2557
	"location":         "Location",         // RFC 9110; in a record of a web archive
	"warc-target-uri":  "WARC-Target-URI",  // ISO 28500; also of a record of ARC, which has it without a name
	"message-id":       "Message-ID",       // RFC 5322
	"content-id":       "Content-ID",       // RFC 2045
	"link":             "Link",             // RFC 8288; of this field and those below, only what is in angle brackets
	"archived-at":      "Archived-At",      // RFC 5064
	"list-archive":     "List-Archive",     // this field and those below: RFC 2369
	"list-help":        "List-Help",
	"list-owner":       "List-Owner",
	"list-post":        "List-Post",
	"list-subscribe":   "List-Subscribe",
	"list-unsubscribe": "List-Unsubscribe",
}

// appendScheme appends the scheme for the value of a field. It appends nothing if the value is a
// complete reference. news says that the field is in an article.
func appendScheme(dst []byte, field string, news bool) []byte {
	switch {
	case field == "content-id":
		return append(dst, "cid:"...) // RFC 2392
	case field != "message-id":
		return dst
	case news:
		return append(dst, "news:"...) // 1994, section 3.6
	}
	return append(dst, "mid:"...)
}
