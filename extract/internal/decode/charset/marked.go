package charset

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// markLook is how many bytes are examined to recognise text without a byte order mark.
const markLook = 32

// A marked decodes text that may begin with a byte order mark. A mark decides, because a label is
// often wrong and a mark is not. Without a mark the text is in cs, which is what its label says,
// unless its first bytes show another form: see lookOf.
type marked struct {
	cs   Unicode
	made [len(unicodes)]decode.Decoder
	d    decode.Decoder // nil at the beginning
}

func newMarked(cs Unicode) *marked { return &marked{cs: cs} }

func (m *marked) Reset() { m.d = nil }

// Decode implements [decode.Decoder]. A code unit that the end cuts is mild damage.
func (m *marked) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if m.d == nil {
		if !atEOF && (MaybeBOM(src) || m.cs != UTF8 && len(src) < markLook) {
			return decode.Conversion{}, nil
		}
		cs, n := SniffBOM(src)
		if n == 0 {
			cs = lookOf(src[:min(len(src), markLook)], m.cs)
		}
		m.use(cs)
		if n > 0 {
			return decode.Conversion{In: n, InUnit: 1}, nil
		}
	}
	conv, err := m.d.Decode(dst, src, atEOF)
	if e, ok := err.(*damage.Damage); ok {
		e.Severity, e.Mild = damage.Warning, true
	}
	return conv, err
}

// use selects the Decoder for cs, which is made when it is first used.
func (m *marked) use(cs Unicode) {
	if m.made[cs] == nil {
		if m.made[cs] = NewUnicode(cs); m.made[cs] == nil {
			m.made[cs] = NewLenient()
		}
	}
	m.d = m.made[cs]
	m.d.Reset()
}

// lookOf returns the encoding form of text that begins with head and has no byte order mark. cs
// is the form that its label says. Text of printable ASCII is not UTF-16 or UTF-32, whatever
// the label says. If code units end with a zero more often than they begin with one, the byte order
// is not that of cs. For a label without a byte order, cs has the standard order: most significant
// byte first (RFC 2781, 4.3).
func lookOf(head []byte, cs Unicode) Unicode {
	if cs == UTF8 || len(head) == 0 {
		return cs
	}
	plain := func(r rune) bool { return r >= ' ' && r <= '~' || r == '\t' || r == '\r' || r == '\n' }
	if len(bytes.TrimLeftFunc(head, plain)) == 0 {
		return UTF8
	}
	var first, last int // zeros at the ends of code units
	size := cs.Unit()
	for i := 0; i+size <= len(head); i += size {
		if head[i] == 0 {
			first++
		}
		if head[i+size-1] == 0 {
			last++
		}
	}
	switch {
	case cs == UTF16BE && last > first:
		return UTF16LE
	case cs == UTF32BE && last > first:
		return UTF32LE
	}
	return cs
}
