package roff

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A Decoder is a [decode.Decoder] from roff to text, as the package comment describes.
type Decoder struct {
	// Sink is called with each reference in a macro. All text in front of the macro was
	// returned by earlier Reads. If Sink is nil, the references are dropped.
	Sink func(decode.Attr) error

	pos         int64 // offset of src[0] in the input
	inLine      bool  // src[0] does not begin a line
	pendingAttr decode.Attr
	value       []byte
}

// Reset implements [decode.Decoder].
func (d *Decoder) Reset() { *d = Decoder{Sink: d.Sink, value: d.value[:0]} }

// Decode implements [decode.Decoder]. It iterates over escapes that are removed.
func (d *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if d.pendingAttr.Value != nil {
		a := d.pendingAttr
		d.pendingAttr.Value = nil
		if err := d.Sink(a); err != nil {
			return decode.Conversion{}, err
		}
	}
	conv, err := d.decode(dst, src, atEOF)
	d.pos += int64(conv.In)
	return conv, err
}

// decode returns one Conversion: of a macro, a run of plain bytes, or an escape with a text.
// Each iteration of its loop removes one escape without a text, or returns.
func (d *Decoder) decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	for lead := 0; ; { // lead is the length of the escapes removed
		s := src[lead:]
		if !d.inLine {
			n, more := d.macro(s, d.pos+int64(lead), atEOF)
			if more {
				return decode.Conversion{In: lead}, nil
			}
			d.inLine = len(s) > 0
			if n > 0 {
				return decode.Conversion{In: lead + n}, decode.ErrPause
			}
		}
		if n := d.plain(dst, s); n > 0 || len(s) == 0 {
			return decode.Conversion{In: lead + n, Out: n, InUnit: 1, OutUnit: 1}, nil
		}
		n, text, more := escape(s, atEOF)
		switch {
		case more:
			return decode.Conversion{In: lead}, nil
		case text == "":
			lead += n
		default:
			return decode.Conversion{In: lead + n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(len(text))}, nil
		}
	}
}

// plain copies src to dst up to an escape, or up to the beginning of a line with a macro.
// Each iteration copies a line.
func (d *Decoder) plain(dst, src []byte) (n int) {
	most := min(len(dst), len(src))
	for n < most {
		n += octet.CopyToEither(dst[n:most], src[n:most], [2]byte{'\\', '\n'})
		if n == most || src[n] == '\\' {
			return n
		}
		dst[n] = '\n'
		if n++; n == len(src) || src[n] == '.' || src[n] == '\'' {
			d.inLine = false
			return n
		}
	}
	return n
}

// maxIndent is the most blanks that are examined between the dot and the name of a macro.
const maxIndent = 16

// macro examines the beginning of a line; at is the offset of the line. If a macro with a reference
// is there, macro keeps the reference and returns the length of what is not text: up to the end of
// the argument.
func (d *Decoder) macro(s []byte, at int64, atEOF bool) (n int, more bool) {
	if len(s) == 0 {
		return 0, !atEOF
	}
	if s[0] != '.' && s[0] != '\'' || d.Sink == nil {
		return 0, false
	}
	i := 1
	for i < len(s) && i < maxIndent && octet.IsBlank(s[i]) {
		i++
	}
	if i+3 > len(s) {
		return 0, !atEOF
	}
	name := macroOf(s[i : i+2])
	if name == "" || !octet.IsBlank(s[i+2]) {
		return 0, false
	}
	line := s[:min(len(s), decode.MaxAhead)]
	if k := bytes.IndexByte(line, '\n'); k >= 0 {
		line = line[:k]
	} else if len(line) < decode.MaxAhead && !atEOF {
		return 0, true
	} else if len(line) == decode.MaxAhead {
		return 0, false
	}
	lo, hi, end := argument(line, i+3)
	d.value = appendText(d.value[:0], line[lo:hi])
	if len(d.value) == 0 || name[0] == 'M' && !(len(d.value) > 7 && bytes.EqualFold(d.value[:7], []byte("mailto:"))) {
		return 0, false
	}
	d.pendingAttr = decode.Attr{Name: name, Value: d.value, Start: at + int64(lo), End: at + int64(hi)}
	return end, false
}

// macroOf returns the name of a macro whose argument is a reference, or "".
func macroOf(name []byte) string {
	for _, m := range [...]string{"UR", "MT", "Lk", "Mt"} {
		if string(name) == m {
			return m
		}
	}
	return ""
}

// argument returns the bounds of the first argument of a macro in line, from i on, and
// its end including quotation marks.
func argument(line []byte, i int) (lo, hi, end int) {
	for i < len(line) && (octet.IsBlank(line[i]) || line[i] == '\r') {
		i++
	}
	quoted := i < len(line) && line[i] == '"'
	if quoted {
		i++
	}
	for lo = i; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] != '"':
			i++
		case c == '\\', quoted && c == '"', !quoted && (octet.IsBlank(c) || c == '\r'):
			if quoted && c == '"' {
				return lo, i, i + 1
			}
			return lo, i, i
		}
	}
	i = min(i, len(line))
	return lo, i, i
}

// appendText appends raw with its escapes decoded. raw is complete.
func appendText(dst, raw []byte) []byte {
	for len(raw) > 0 { // one escape in each iteration
		k := bytes.IndexByte(raw, '\\')
		if k < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:k]...)
		n, text, _ := escape(raw[k:], true)
		dst = append(dst, text...)
		raw = raw[k+n:]
	}
	return dst
}
