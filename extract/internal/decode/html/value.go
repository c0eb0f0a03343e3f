package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A value is the value of an attribute that holds references. First all of it is stored, and then
// its pieces are emitted in order. So positions in it only grow.
type value struct {
	start   int64  // offset in the input
	raw     []byte // what is kept of it
	plain   []byte // raw with its character references decoded
	tooLong bool   // it is longer than MaxValue

	h      *Decoder // nil until the first piece is emitted
	text   []byte   // raw or plain
	mapped bool     // text is plain
	at     int      // in text: a position whose offset in raw is known
	rawAt  int      // the offset of that position in raw
	next   int      // in text: where the next piece is looked for
	done   bool     // no reference is left
}

// reset begins a value at that offset in the input.
func (v *value) reset(start int64) {
	*v = value{start: start, raw: v.raw[:0], plain: v.plain[:0]}
}

// keep adds a stretch to the value, which may have at most limit bytes; 0 means the default.
// Nothing of a longer value is passed to the sink, because a part of a reference is a different
// reference.
func (v *value) keep(stretch []byte, limit int) {
	if limit <= 0 {
		limit = defaultMaxValue
	}
	if v.tooLong || len(v.raw)+len(stretch) > limit {
		v.tooLong = true
		return
	}
	v.raw = append(v.raw, stretch...)
}

// isEmpty reports whether the value certainly holds no reference, by the bytes that it lacks: most
// attributes style have no url(...). So nothing is handed over, and Read need not return before.
func (v *value) isEmpty(kind attrContent) bool {
	return kind == styles && !v.tooLong && bytes.IndexByte(v.raw, '(') < 0 && bytes.IndexByte(v.raw, '&') < 0
}

// cutOff ends a value that is cut by the end of the document. It keeps what is in front of the
// first byte that cannot be part of a reference. So the reference is not lost. And if the quote of
// the value was never closed, the tags after the reference do not become part of it.
func (v *value) cutOff() {
	if i := bytes.IndexAny(v.raw, " \t\r\n\f<>\"'"); i >= 0 {
		v.raw = v.raw[:i]
	}
}

// defaultMaxValue is used for [Decoder.MaxValue] if that is 0.
const defaultMaxValue = 8 << 10

// emitPieces emits the pieces from v.next on.
func (v *value) emitPieces() error {
	if v.next > len(v.text) { // the sink has yielded at the last piece
		return nil
	}
	switch v.h.attr.info.kind {
	case list:
		return v.split(func(c byte) bool { return octet.IsSpace(c) })
	case commas:
		return v.split(func(c byte) bool { return octet.IsSpace(c) || c == ',' })
	case srcset:
		return v.srcset()
	case styles:
		return v.styles()
	case refresh:
		v.next = len(v.text) + 1
		return v.refresh()
	}
	v.next = len(v.text) + 1
	return v.emit(0, len(v.text))
}

// origin returns the input offset of the byte at off of the text. off must not be less than in the
// last call.
func (v *value) origin(off int) int64 {
	if !v.mapped {
		return v.start + int64(off)
	}
	for v.at < off { // the same steps as in undoAll
		n, text, _ := v.h.refs.undo(v.raw[v.rawAt:], true)
		if n == 0 {
			n = 1
			if k := bytes.IndexByte(v.raw[v.rawAt+1:], '&'); k >= 0 {
				n += k
			} else {
				n = len(v.raw) - v.rawAt
			}
			n = min(n, off-v.at)
			v.at += n
		}
		v.rawAt += n
		v.at += len(text)
	}
	return v.start + int64(v.rawAt)
}

// emit passes the reference text[lo:hi] to the sink. As HTML prescribes for URLs, controls and
// spaces around it are removed, and tabs and line breaks in it.
func (v *value) emit(lo, hi int) error {
	for lo < hi && v.text[lo] <= ' ' {
		lo++
	}
	for lo < hi && v.text[hi-1] <= ' ' {
		hi--
	}
	if lo == hi && (v.h.attr.info.kind != oneRef || v.h.quote == 0 || v.h.tag.info.name == "base") {
		return nil // this empty value refers neither to the page nor to its base
	}
	v.h.tag.base = v.h.tag.base || v.h.XML && v.h.attr.info.name == xmlBase && len(v.h.bases) < maxBases
	a := decode.Attr{Element: v.h.tag.base && v.h.attr.info.name == xmlBase, Tag: v.h.tag.info.name, Name: v.h.attr.info.name, Request: v.h.attr.info.request, Start: v.origin(lo)}
	a.End = v.origin(hi)
	ref := v.text[lo:hi]
	if hasControl(ref) {
		// Bytes are removed in place. Later pieces are not moved.
		ref = ref[:0]
		for _, c := range v.text[lo:hi] {
			if c != '\t' && c != '\n' && c != '\r' {
				ref = append(ref, c)
			}
		}
	}
	a.Value = ref[:len(ref):len(ref)] // a sink that appends must not reach the next piece
	return v.h.Sink(a)
}

// hasControl reports whether b has a byte below the space.
func hasControl(b []byte) bool {
	for _, c := range b {
		if c < ' ' {
			return true
		}
	}
	return false
}

// split emits the pieces between the bytes for which parts returns true.
func (v *value) split(parts func(byte) bool) error {
	lo := v.next
	for i := lo; i <= len(v.text); i++ {
		if i == len(v.text) || parts(v.text[i]) {
			v.next = i + 1
			if err := v.emit(lo, i); err != nil {
				return err
			}
			lo = i + 1
		}
	}
	return nil
}

// srcset emits the references of "a.png 1x, b.png 2x" (HTML 4.8.4.2). A comma within a reference
// belongs to it ("data:image/png;base64,iVBOR"). A comma separates only at the end of a reference
// or after a descriptor, and not in the brackets of a descriptor.
func (v *value) srcset() error {
	n := len(v.text)
	for i := v.next; i < n; i = v.next {
		for i < n && (octet.IsSpace(v.text[i]) || v.text[i] == ',') {
			i++
		}
		lo := i
		for i < n && !octet.IsSpace(v.text[i]) {
			i++
		}
		hi := i
		for hi > lo && v.text[hi-1] == ',' {
			hi--
		}
		v.next = i
		if hi == i { // no comma ends the reference, so a descriptor may follow
			v.next = v.descriptor(i)
		}
		if err := v.emit(lo, hi); err != nil {
			return err
		}
	}
	return nil
}

// descriptor returns the end of the descriptor that begins at i.
func (v *value) descriptor(i int) int {
	for depth := 0; i < len(v.text) && (depth > 0 || v.text[i] != ','); i++ {
		switch v.text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return i
}

// styles emits the references in url(...), quoted or not, of a style attribute. A url(
// without an end ends the search, so that each byte is searched once.
func (v *value) styles() error {
	for i := v.next; ; { // each iteration passes a '('
		k := bytes.IndexByte(v.text[i:], '(')
		if k < 0 {
			return nil
		}
		i += k + 1
		if k < 3 || !bytes.EqualFold(v.text[i-4:i], []byte("url(")) {
			continue
		}
		for i < len(v.text) && octet.IsSpace(v.text[i]) {
			i++
		}
		end := byte(')')
		if i < len(v.text) && (v.text[i] == '"' || v.text[i] == '\'') {
			end = v.text[i]
			i++
		}
		n := bytes.IndexByte(v.text[i:], end)
		if n < 0 {
			return nil
		}
		v.next = i + n
		if err := v.emit(i, i+n); err != nil {
			return err
		}
		i = v.next
	}
}

// refresh emits the reference in "5; url=x" or "5; url='x'". If the quote is not closed,
// the reference reaches to the end, as in browsers.
func (v *value) refresh() error {
	lo, _ := refreshLen(v.text, true)
	for lo < len(v.text) && octet.IsSpace(v.text[lo]) {
		lo++
	}
	hi := len(v.text)
	if lo < hi && (v.text[lo] == '"' || v.text[lo] == '\'') {
		if n := bytes.IndexByte(v.text[lo+1:], v.text[lo]); n >= 0 {
			hi = lo + 1 + n
		}
		lo++
	}
	return v.emit(lo, hi)
}
