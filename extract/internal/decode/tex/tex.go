package tex

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A Decoder is a [decode.Decoder] from TeX to text, as the package comment describes.
type Decoder struct {
	// Sink is called with each reference in a command or field. All text in front of it
	// was returned by earlier Reads. If Sink is nil, these references are text.
	Sink func(decode.Attr) error

	pos         int64  // offset of src[0] in the input
	tail        []byte // the last bytes in front of src[0], at most maxName
	pendingAttr decode.Attr
	value       []byte
}

// Reset implements [decode.Decoder].
func (d *Decoder) Reset() { *d = Decoder{Sink: d.Sink, tail: d.tail[:0], value: d.value[:0]} }

// Decode implements [decode.Decoder].
func (d *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if d.pendingAttr.Value != nil {
		a := d.pendingAttr
		d.pendingAttr.Value = nil
		if err := d.Sink(a); err != nil {
			return decode.Conversion{}, err
		}
	}
	conv := d.decode(dst, src, atEOF)
	d.pos += int64(conv.In)
	d.remember(src[:conv.In])
	if d.pendingAttr.Value != nil {
		return conv, decode.ErrPause
	}
	return conv, nil
}

// remember keeps the last bytes that were converted: they may hold the name of a field.
func (d *Decoder) remember(s []byte) {
	if len(s) >= maxName {
		d.tail = append(d.tail[:0], s[len(s)-maxName:]...)
		return
	}
	if excess := len(d.tail) + len(s) - maxName; excess > 0 {
		d.tail = d.tail[:copy(d.tail, d.tail[excess:])]
	}
	d.tail = append(d.tail, s...)
}

// decode copies source up to the next command, or "=" of a field, that it must convert. If src
// begins with such a command or "=", decode converts it. Each iteration consumes at least one
// byte.
func (d *Decoder) decode(dst, src []byte, atEOF bool) decode.Conversion {
	most := min(len(dst), len(src))
	for n := 0; ; n++ {
		n += octet.CopyToEither(dst[n:most], src[n:most], [2]byte{'\\', '='})
		switch {
		case n == most, src[n] == '\\' && n > 0:
			return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
		case src[n] == '\\':
			return d.command(dst, src, atEOF)
		}
		name := d.fieldBefore(src[:n])
		if name != "" && n > 0 {
			return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
		}
		dst[n] = '='
		if name != "" {
			return d.field(name, src, atEOF)
		}
	}
}

// command converts the command at the beginning of src. A "\" that begins no command is
// unchanged.
func (d *Decoder) command(dst, src []byte, atEOF bool) decode.Conversion {
	name, ok := nameOf(src, atEOF)
	if !ok {
		return decode.Conversion{}
	}
	if isReference(name) && d.Sink != nil {
		lo, hi, end, v := argument(src, len(name)+1, string(name) == "href", atEOF)
		if v == more {
			return decode.Conversion{}
		}
		if v == yes && d.hold(string(name), src, lo, hi) {
			dst[0] = ' '
			return decode.Conversion{In: end, Out: 1, InUnit: 1, OutUnit: 1}
		}
	}
	n, text, v := escape(src, name, atEOF)
	switch v {
	case more:
		return decode.Conversion{}
	case no:
		dst[0] = '\\'
		return decode.Conversion{In: 1, Out: 1, InUnit: 1, OutUnit: 1}
	}
	return decode.Conversion{In: n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(max(1, len(text)))}
}

// field converts the "=" at the beginning of src, for the field with that name. Its value
// is passed to Sink if it is one reference; otherwise it is text.
func (d *Decoder) field(name string, src []byte, atEOF bool) decode.Conversion {
	one := decode.Conversion{In: 1, Out: 1, InUnit: 1, OutUnit: 1}
	if d.Sink == nil {
		return one
	}
	lo, hi, end, v := value(src, atEOF)
	switch {
	case v == more:
		return decode.Conversion{}
	case v == yes && !isSentence(src[lo:hi]) && d.hold(name, src, lo, hi):
		return decode.Conversion{In: end, Out: 1, InUnit: 1, OutUnit: 1}
	}
	return one
}

// hold keeps src[lo:hi], the argument or value of that name, for Sink. It returns false, and keeps
// nothing, if there is no scheme at its beginning.
func (d *Decoder) hold(name string, src []byte, lo, hi int) bool {
	for lo < hi && octet.IsSpace(src[lo]) {
		lo++
	}
	for lo < hi && octet.IsSpace(src[hi-1]) {
		hi--
	}
	d.value = appendValue(d.value[:0], src[lo:hi])
	if !hasScheme(d.value, name == "path") {
		return false
	}
	d.pendingAttr = decode.Attr{Name: name, Value: d.value, Start: d.pos + int64(lo), End: d.pos + int64(hi)}
	return true
}

// hasScheme reports whether v begins with a scheme, a colon, and at least one more
// character. If slashes is set, "//" must follow the colon.
func hasScheme(v []byte, slashes bool) bool {
	n := 0
	for n < len(v) && (octet.IsLetter(v[n]) || n > 0 && (octet.IsDigit(v[n]) || v[n] == '+' || v[n] == '-' || v[n] == '.')) {
		n++
	}
	if n < 2 || n+1 >= len(v) || v[n] != ':' || v[n+1] == ':' {
		return false
	}
	return !slashes || n+3 < len(v) && v[n+1] == '/' && v[n+2] == '/'
}

// isSentence reports whether v has white space within a line. Then it is not one
// reference, although it may begin with one.
func isSentence(v []byte) bool {
	for len(v) > 0 && octet.IsSpace(v[0]) {
		v = v[1:]
	}
	for len(v) > 0 && octet.IsSpace(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	for i := 0; i < len(v); { // a run of white space, or a byte
		lines, at := 0, i
		for ; i < len(v) && octet.IsSpace(v[i]); i++ {
			if v[i] == '\n' {
				lines++
			}
		}
		if i > at && lines == 0 {
			return true
		}
		if i == at {
			i++
		}
	}
	return false
}

// fieldBefore returns the name, in lower case, of the field whose "=" follows s. The name may
// begin in d.tail, which precedes s. It returns "" if that field has no reference.
func (d *Decoder) fieldBefore(s []byte) string {
	if len(s) < maxName {
		var b [2 * maxName]byte
		n := copy(b[:], d.tail)
		n += copy(b[n:], s)
		s = b[:n]
	}
	s = bytes.TrimRight(s, " \t\r\n")
	for _, name := range [...]string{"url", "howpublished"} {
		if n := len(s) - len(name); n >= 0 && bytes.EqualFold(s[n:], []byte(name)) &&
			(n == 0 || !octet.IsLetter(s[n-1]) && !octet.IsDigit(s[n-1]) && strings.IndexByte("-_\\", s[n-1]) < 0) {
			return name
		}
	}
	return ""
}
