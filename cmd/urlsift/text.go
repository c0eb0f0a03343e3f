package main

import (
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// A printer makes records of results.
type printer struct {
	header []byte          // what stands before the first record
	append extract.Encoder // appends the record of a result, with its end
}

// newPrinter returns the printer that o asks for. Safe says that records are
// for a terminal, which must see no control characters.
func newPrinter(o *options, safe bool) printer {
	e := record.New(record.Options{Fields: o.fields, Redact: o.redact, Null: o.null, Guard: o.guard, Visible: safe})
	switch o.format {
	case asJSON:
		return printer{append: e.AppendJSON}
	case asCSV:
		return printer{e.AppendCSVHeader(nil), e.AppendCSV}
	case asTSV:
		return printer{e.AppendTSVHeader(nil), e.AppendTSV}
	}
	if o.fields != nil {
		return printer{append: e.AppendTSV}
	}
	end := byte('\n')
	if o.null {
		end = 0
	}
	p := &textPrinter{
		place: o.place, end: end, safe: safe, readings: o.readings, redactor: redactor{on: o.redact},
		bare: o.place == 0 && !safe && !o.readings && !o.redact,
	}
	return printer{append: p.append}
}

// ends says where records end.
func (o *options) ends() output.Ends {
	if o.null {
		return output.Ends{Byte: 0}
	}
	return output.Ends{Byte: '\n', Quotes: o.format == asCSV}
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
	redactor         redactor // over passwords
	bare             bool     // a URL that is valid is printed as it is, and nothing else
	scratch, reading []byte
}

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
		dst = record.AppendVisible(dst, r.Fault(p.redactor.on))
	}
	dst = append(dst, p.end)
	if p.readings && r.Candidate.Others != 0 {
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
	for why, text := range r.Candidate.Readings(p.reading) {
		dst = append(dst, '\t')
		dst = append(dst, why.String()...)
		dst = append(dst, '\t')
		if p.redactor.on {
			p.scratch = p.redactor.passwords.AppendVariant(p.scratch[:0], text, r.URL)
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
		dst = appendName(dst, p.redactor.of(o.Source), p.safe)
		if o.Member != "" {
			dst = append(dst, '!')
			dst = appendName(dst, p.redactor.of(o.Member), p.safe)
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
	if p.redactor.on {
		p.scratch = p.redactor.passwords.AppendReference(p.scratch[:0], ref)
		ref = p.scratch
	}
	return p.appendRaw(dst, ref)
}

// appendRaw appends what has no password. A URL has no control characters, but a
// refused one and a reading may.
func (p *textPrinter) appendRaw(dst, text []byte) []byte {
	if p.safe {
		return record.AppendVisible(dst, text)
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
		return record.AppendVisible(dst, name)
	}
	return append(dst, name...)
}
