package output

import (
	"slices"
	"strconv"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// PrintOptions say what a record looks like.
type PrintOptions struct {
	Format   Format
	Fields   []record.Field // fields of a record; nil means all of them, or in text the URL
	Prefix   Prefix
	Null     bool // records end with NUL
	Readings bool
	Redact   bool
	Guard    bool // guard cells of tables against formulas
	Style    Style
}

// Need sets the options that the fields of records need.
func (o *PrintOptions) Need(x *extract.Options) {
	fields := o.Fields
	if fields == nil && o.Format != Text {
		fields = record.Fields()
	}
	record.Need(fields, x)
}

// HasField reports whether records have a field of that name.
func (o *PrintOptions) HasField(name string) bool {
	if o.Fields == nil {
		return o.Format != Text
	}
	return slices.Contains(record.Names(o.Fields), name)
}

// A Prefix is a set of the items that may precede a URL in a line.
type Prefix uint8

const (
	WithName   Prefix = 1 << iota // the name of the input, as -H prints it
	WithLine                      // the number of the line, from 1
	WithColumn                    // the column in the line, from 1
	WithOffset                    // the byte offset, from 0
)

// A Printer makes the record of a result: a line of text as grep prints it, or an entry of package
// extract/record.
//
//	p := output.NewPrinter(&o.Print, terminal)
//	out.Write(p.Header)
//	line = p.Append(line[:0], result)
type Printer struct {
	Header []byte          // what is printed before the first record
	Append extract.Encoder // appends the record of a result, with its end
}

// NewPrinter returns the printer for o. If safe is set, records are for a terminal, and have no
// control characters.
func NewPrinter(o *PrintOptions, safe bool) Printer {
	e := record.New(record.Options{Fields: o.Fields, Redact: o.Redact, Null: o.Null, Guard: o.Guard, Visible: safe})
	switch o.Format {
	case JSONL:
		return Printer{Append: e.AppendJSON}
	case CSV:
		return Printer{e.AppendCSVHeader(nil), e.AppendCSV}
	case TSV:
		return Printer{e.AppendTSVHeader(nil), e.AppendTSV}
	}
	if o.Fields != nil {
		return Printer{Append: e.AppendTSV}
	}
	end := byte('\n')
	if o.Null {
		end = 0
	}
	p := &textPrinter{
		prefix: o.Prefix, end: end, safe: safe, readings: o.Readings, passwords: Passwords{On: o.Redact},
		names: Names{Style: o.Style, Safe: safe, Passwords: Passwords{On: o.Redact}},
		bare:  o.Prefix == 0 && !safe && !o.Readings && !o.Redact,
	}
	return Printer{Append: p.append}
}

// A textPrinter prints one URL on each line, after its position as grep prints it:
//
//	name:line:column:offset:url
//	name:line:column:offset:url<tab>why it was refused
//	<tab>reason<tab>other reading
type textPrinter struct {
	prefix           Prefix
	end              byte
	safe             bool
	readings         bool
	passwords        Passwords
	names            Names
	bare             bool // only the URL is printed, if it is valid
	scratch, reading []byte
}

// append appends the line of r, and the lines of its readings.
func (p *textPrinter) append(dst []byte, r *extract.Result) []byte {
	if p.bare && r.Valid {
		return append(append(dst, r.Shown()...), p.end)
	}
	if p.prefix != 0 {
		dst = p.appendPrefix(dst, &r.Origin)
	}
	dst = p.appendPiece(dst, r.Shown())
	if !r.Valid {
		dst = append(dst, '\t')
		dst = p.names.begin(dst, faultColor)
		dst = record.AppendVisible(dst, r.Reason(p.passwords.On))
		dst = p.names.end(dst)
	}
	dst = append(dst, p.end)
	if p.readings && r.Candidate.Others != 0 {
		dst = p.appendReadings(dst, r)
	}
	return dst
}

// appendReadings appends the lines of the other readings. It is a function of its own
// because variables that the loop body changes are allocated on the heap.
func (p *textPrinter) appendReadings(dst []byte, r *extract.Result) []byte {
	if p.reading == nil {
		p.reading = make([]byte, 8<<10) // enough for most readings
	}
	for why, text := range r.Readings(p.reading) {
		dst = append(dst, '\t')
		dst = append(dst, why.String()...)
		dst = append(dst, '\t')
		if p.passwords.On {
			p.scratch = p.passwords.AppendVariant(p.scratch[:0], text, r.URL)
			text = p.scratch
		}
		dst = p.appendRaw(dst, text)
		dst = append(dst, p.end)
	}
	return dst
}

// appendPrefix appends the requested items in the order of grep, with the column in the
// place where ripgrep prints it. The name of a member of an archive follows '!', as in the
// record.
func (p *textPrinter) appendPrefix(dst []byte, o *extract.Origin) []byte {
	if p.names.Color || p.names.Links {
		return p.appendStyled(dst, o)
	}
	number := func(want Prefix, n int64) {
		if p.prefix&want != 0 {
			dst = strconv.AppendInt(dst, n, 10)
			dst = append(dst, ':')
		}
	}
	if p.prefix&WithName != 0 {
		dst = appendName(dst, p.passwords.Text(o.Source), p.safe)
		if o.Member != "" {
			dst = append(dst, '!')
			dst = appendName(dst, p.passwords.Text(o.Member), p.safe)
		}
		dst = append(dst, ':')
	}
	number(WithLine, o.Line)
	number(WithColumn, o.Column)
	number(WithOffset, o.Offset)
	return dst
}

// appendPiece appends a reference, without its password if that is requested.
func (p *textPrinter) appendPiece(dst, ref []byte) []byte {
	if p.passwords.On {
		p.scratch = p.passwords.AppendReference(p.scratch[:0], ref)
		ref = p.scratch
	}
	return p.appendRaw(dst, ref)
}

// appendRaw appends text that has no password. A URL has no control characters, but a
// refused one or a reading may.
func (p *textPrinter) appendRaw(dst, text []byte) []byte {
	if p.safe {
		return record.AppendVisible(dst, text)
	}
	return append(dst, text...)
}

// appendStyled is appendPrefix with a style. The link is around all items.
func (p *textPrinter) appendStyled(dst []byte, o *extract.Origin) []byte {
	line := o.Line
	if o.Member != "" || p.prefix&WithLine == 0 {
		line = 0 // the line is one of the member, or is not requested
	}
	dst, linked := p.names.open(dst, o.Source, line)
	any := false
	between := func() {
		if any {
			dst = p.names.paint(dst, markColor, ":")
		}
		any = true
	}
	if p.prefix&WithName != 0 {
		between()
		dst = p.names.name(dst, o.Source, o.Member)
	}
	for _, item := range []struct {
		want  Prefix
		value int64
	}{{WithLine, o.Line}, {WithColumn, o.Column}, {WithOffset, o.Offset}} {
		if p.prefix&item.want != 0 {
			between()
			dst = p.names.paint(dst, numberColor, strconv.FormatInt(item.value, 10))
		}
	}
	dst = p.names.close(dst, linked)
	return p.names.paint(dst, markColor, ":")
}
