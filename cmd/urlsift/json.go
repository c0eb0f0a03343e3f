package main

import (
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract"
)

// A jsonPrinter prints each result as a JSON object on a line of its own. It
// writes JSON by hand because there are many records, and few kinds of value. What
// most records need goes the way of jsonline.go, all else that of the table.
type jsonPrinter struct {
	record
	end  byte
	line jsonLine
}

// header returns nothing: every object has its own names.
func (p *jsonPrinter) header() []byte { return nil }

// append appends the object of r.
func (p *jsonPrinter) append(dst []byte, r *extract.Result) []byte {
	if p.veil.on || len(r.URL) == 0 || len(r.Found.Text) == 0 {
		return p.appendByTable(dst, r)
	}
	return p.appendLine(dst, r)
}

// appendByTable appends the object of r, field by field.
func (p *jsonPrinter) appendByTable(dst []byte, r *extract.Result) []byte {
	p.fill(r)
	dst = append(dst, '{')
	dst = p.appendFields(dst, fields)
	return append(dst, '}', p.end)
}

// appendFields appends those of some that are there, names and values. A comma is
// in front of each that is not the first in an object. A key is written before it
// is known whether there is a value, and taken back if there is none.
func (p *jsonPrinter) appendFields(dst []byte, some []field) []byte {
	for i := range some {
		key := len(dst)
		if key == 0 || dst[key-1] != '{' { // with which no value ends
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, some[i].name...)
		dst = append(dst, '"', ':')
		value := len(dst)
		dst = p.appendValue(dst, &some[i])
		if len(dst) == value {
			dst = dst[:key] // absent
		}
	}
	return dst
}

// appendValue appends the value of f, or nothing if it is absent.
func (p *jsonPrinter) appendValue(dst []byte, f *field) []byte {
	switch {
	case f.bytes != nil:
		if s := f.bytes(&p.record); len(s) > 0 || f.always {
			dst = appendJSON(dst, s)
		}
	case f.text != nil:
		if s := f.text(&p.record); s != "" || f.always {
			dst = appendJSON(dst, s)
		}
	case f.number != nil:
		if n := f.number(&p.record); n != 0 || f.always {
			dst = strconv.AppendInt(dst, n, 10)
		}
	case f.truth != nil:
		if b := f.truth(&p.record); b || f.always {
			dst = strconv.AppendBool(dst, b)
		}
	case f.list != nil:
		for i, s := range f.list(&p.record) {
			dst = append(dst, "[,"[min(i, 1)])
			dst = appendJSON(dst, s)
		}
		if len(f.list(&p.record)) > 0 {
			dst = append(dst, ']')
		}
	case f.pairs != nil:
		for i, r := range f.pairs(&p.record) {
			dst = append(dst, "[,"[min(i, 1)])
			dst = append(dst, `{"text":`...)
			dst = appendJSON(dst, p.made[r.lo:r.hi])
			dst = append(dst, `,"reason":`...)
			dst = appendJSON(dst, r.reason)
			dst = append(dst, '}')
		}
		if len(f.pairs(&p.record)) > 0 {
			dst = append(dst, ']')
		}
	}
	return dst
}

// appendJSON appends s as a JSON string. Bytes that are no UTF-8 become U+FFFD;
// characters that would give orders to a terminal, or turn what it shows around, or
// that JavaScript takes for line ends, are escaped.
func appendJSON[T string | []byte](dst []byte, s T) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped is appendJSON without the quotes. Runs that need nothing are copied
// whole.
func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	const digits = "0123456789abcdef"
	done := 0 // s[:done] is in dst; each byte is looked at once
	for i := 0; i < len(s); {
		b := s[i]
		if plain[b] {
			i++
			continue
		}
		r, n := rune(b), 1
		if b >= utf8.RuneSelf {
			var head [utf8.UTFMax]byte
			r, n = utf8.DecodeRune(head[:copy(head[:], s[i:])])
			if n > 1 && r >= 0xA0 && !turns(r) {
				i += n
				continue
			}
		}
		dst = append(dst, s[done:i]...)
		i += n
		done = i
		// What is left is what is no UTF-8, a U+FFFD that stands there itself,
		// and what is escaped.
		switch {
		case r == utf8.RuneError && b >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
		case r == '"' || r == '\\':
			dst = append(dst, '\\', b)
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		default: // below U+FFFF
			dst = append(dst, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		}
	}
	return append(dst, s[done:]...)
}

// plain tells which ASCII bytes stand for themselves in a JSON string.
var plain = func() (t [256]bool) {
	for b := ' '; b < 0x7F; b++ {
		t[b] = b != '"' && b != '\\'
	}
	return t
}()
