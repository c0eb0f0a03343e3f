package main

import (
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract"
)

// A printer makes records of results.
type printer interface {
	// header returns what stands before the first record, in the printer's
	// own memory.
	header() []byte

	// append appends the record of r, with its end, to dst.
	append(dst []byte, r *extract.Result) []byte
}

// newPrinter returns the printer that o asks for. Safe says that records are
// for a terminal, which must see no control characters.
func newPrinter(o *options, safe bool) printer {
	end := byte('\n')
	if o.null {
		end = 0
	}
	switch o.format {
	case asJSON:
		return &jsonPrinter{record: record{veil: veil{on: o.redact}}, end: end}
	case asCSV, asTSV:
		return &tablePrinter{record: record{veil: veil{on: o.redact}}, end: end, tabs: o.format == asTSV, safe: safe, guard: o.guard}
	}
	return &textPrinter{
		place: o.place, end: end, safe: safe, readings: o.readings, veil: veil{on: o.redact},
		bare: o.place == 0 && !safe && !o.readings && !o.redact,
	}
}

// A textPrinter prints a URL a line, with its place in front as grep does:
//
//	name:line:column:offset:url
//	name:line:column:offset:url<tab>why it was refused
//	<tab>reason<tab>other reading
type textPrinter struct {
	place            place
	end              byte
	safe             bool
	readings         bool
	veil             veil // over passwords
	bare             bool // a URL that is valid is printed as it is, and nothing else
	scratch, reading []byte
}

// header returns nothing: lines speak for themselves.
func (p *textPrinter) header() []byte { return nil }

// append appends the line of r, and those of its readings.
func (p *textPrinter) append(dst []byte, r *extract.Result) []byte {
	if p.bare && r.Valid {
		return append(append(dst, shown(r)...), p.end)
	}
	if p.place != 0 {
		dst = p.appendPlace(dst, &r.Origin)
	}
	dst = p.appendPiece(dst, shown(r))
	if !r.Valid {
		dst = append(dst, '\t')
		dst = appendVisible(dst, r.Fault(p.veil.on))
	}
	dst = append(dst, p.end)
	if p.readings && r.Found.Others != 0 {
		dst = p.appendReadings(dst, r)
	}
	return dst
}

// appendReadings appends the lines of the other readings. It is apart because
// what the loop's body changes is not on the stack.
func (p *textPrinter) appendReadings(dst []byte, r *extract.Result) []byte {
	if p.reading == nil {
		p.reading = make([]byte, 8<<10) // what most readings fit in
	}
	for why, text := range r.Found.Readings(p.reading) {
		dst = append(dst, '\t')
		dst = append(dst, why.String()...)
		dst = append(dst, '\t')
		if p.veil.on {
			p.scratch = p.veil.redactor.AppendVariant(p.scratch[:0], text, r.URL)
			text = p.scratch
		}
		dst = p.appendRaw(dst, text)
		dst = append(dst, p.end)
	}
	return dst
}

// appendPlace appends the pieces that were asked for, in grep's order, with the
// column where ripgrep has it. A member of a container is named behind '!', as in
// the record.
func (p *textPrinter) appendPlace(dst []byte, o *extract.Origin) []byte {
	number := func(want place, n int64) {
		if p.place&want != 0 {
			dst = strconv.AppendInt(dst, n, 10)
			dst = append(dst, ':')
		}
	}
	if p.place&withName != 0 {
		dst = appendName(dst, p.veil.of(o.Source), p.safe)
		if o.Member != "" {
			dst = append(dst, '!')
			dst = appendName(dst, p.veil.of(o.Member), p.safe)
		}
		dst = append(dst, ':')
	}
	number(withLine, o.Line)
	number(withColumn, o.Column)
	number(withOffset, o.Offset)
	return dst
}

// appendPiece appends a reference, without its password if that is asked for.
func (p *textPrinter) appendPiece(dst, ref []byte) []byte {
	if p.veil.on {
		p.scratch = p.veil.redactor.AppendReference(p.scratch[:0], ref)
		ref = p.scratch
	}
	return p.appendRaw(dst, ref)
}

// appendRaw appends what has no password. A URL has no control characters, but a
// refused one and a reading may.
func (p *textPrinter) appendRaw(dst, text []byte) []byte {
	if p.safe {
		return appendVisible(dst, text)
	}
	return append(dst, text...)
}

// shown returns what is printed for r where there is place for one text only,
// and what the filters look at: the target where there is one, else the URL. It
// is good for as long as r is.
func shown(r *extract.Result) []byte {
	if r.Target != nil {
		return r.Target
	}
	return r.URL
}

// appendName appends a name, byte for byte or safe for a terminal.
func appendName(dst []byte, name string, safe bool) []byte {
	if safe {
		return appendVisible(dst, name)
	}
	return append(dst, name...)
}

// visible returns the length of the first character of text, and whether it may
// be shown as it is: whether it is UTF-8, and neither a control character nor one
// that ends a line or turns the direction of others.
func visible[T string | []byte](text T) (n int, safe bool) {
	b := text[0]
	if b < utf8.RuneSelf {
		return 1, b >= 0x20 && b != 0x7F
	}
	var head [utf8.UTFMax]byte
	r, n := utf8.DecodeRune(head[:copy(head[:], text)])
	return n, !(r == utf8.RuneError && n == 1) && r >= 0xA0 && !turns(r)
}

// turns reports whether r ends a line, or changes the direction in which other
// characters are shown: then a name could make the rest of its line, which is not
// its own, read as something else. The marks of a direction (U+200E, U+200F, U+061C)
// are such, too: they are not seen, and move the punctuation beside them.
func turns(r rune) bool {
	return 0x2028 <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}
