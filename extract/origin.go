package extract

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
)

// An Origin says where a reference stands, from the outside in. The raw stream
// is what the innermost container holds after decompression and before any
// framing, markup, charset or transfer encoding is undone: what zcat would
// show. An Origin holds no slices.
type Origin struct {
	Source  string // name of the source, as given
	Member  string // path inside archives and attachments, steps joined with '!', each of 4 KiB at most; or ""
	Message int    // ordinal in the stream, from 1; 0 outside mail and news

	// Part is the MIME part, numbered as in IMAP (RFC 3501, section 6.4.5): "1.2";
	// "HEADER" or "2.HEADER" for the header of a message, "1.2.MIME" for that of a
	// part; "TEXT" or "2.TEXT" for what stands around the parts of a multipart.
	Part string

	// Of the message, as written there: the identifier without "<>", the Date
	// field (see [Origin.Time]), and the Newsgroups field of an article.
	MessageID, Date, Newsgroups string

	// Of the message, with encoded words decoded: the Subject and From fields, cut to
	// 8 KiB; empty unless [Options].Subjects is set.
	Subject, From string

	Field string // name of the header field, as written, in a header

	Offset int64 // of the first byte, in the raw stream, from 0
	Length int64 // raw bytes from the first to the last, encoding included
	Line   int64 // of the first byte, in the raw stream, from 1; 0 if it is not known or not counted
	Column int64 // likewise, in bytes, from 1
	Exact  bool  // Offset is the byte's own, not that of a unit around it

	enclosed bool // Member begins with the message of the source, and Message is of what lies in that
}

// String returns the Origin in the form source!member#message[part]:line:column,
// without the pieces that are empty.
func (o Origin) String() string {
	b := append(make([]byte, 0, 64), o.Source...)
	if o.Member != "" {
		b = append(b, '!')
		b = append(b, o.Member...)
	}
	if o.Message != 0 {
		b = append(b, '#')
		b = strconv.AppendInt(b, int64(o.Message), 10)
	}
	if o.Part != "" {
		b = append(b, '[')
		b = append(b, o.Part...)
		b = append(b, ']')
	}
	if o.Line != 0 {
		b = append(b, ':')
		b = strconv.AppendInt(b, o.Line, 10)
		b = append(b, ':')
		b = strconv.AppendInt(b, o.Column, 10)
	}
	return string(b)
}

// renumber adds n to the number of the message of the source that o lies in.
func (o *Origin) renumber(n int) {
	end := strings.IndexByte(o.Member, '[') // after "#" and the number
	if end < 0 {
		return
	}
	was, err := strconv.Atoi(o.Member[1:end])
	if err == nil {
		o.Member = "#" + strconv.Itoa(was+n) + o.Member[end:]
	}
}

// An Error is what is wrong with one stretch of one source, or with Options. What stood in
// front of the stretch was yielded, and reading goes on after it and with other sources.
type Error struct {
	Origin   Origin // how far reading had come; Length is 0
	Severity Severity
	Stage    string // the step that failed: "open", "walk", "read", "gzip", "utf-16le", ...
	Err      error  // the cause, from the package that found it

	// Limit is the name of the field of [Limits] that the stretch is over: "Depth",
	// "Nesting", "Size", "Ratio" or "Window"; "" if it is damaged. Value is what the
	// limit was, of Window that of the compression.
	Limit string
	Value int64
}

// A Severity says whether anything was lost.
type Severity uint8

const (
	Lost    Severity = iota // input was lost, or not read
	Warning                 // input that breaks the rules was read all the same
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Error reads like
//
//	spool/a.gz:88:17: gzip: unexpected EOF
//
// If the cause repeats the name of the file or the stage, that is left out.
func (e *Error) Error() string {
	cause := e.Err
	var p *fs.PathError
	if errors.As(cause, &p) {
		cause = p.Err
	}
	s := cause.Error()
	for _, said := range [...]string{e.Stage + ": ", "s2: "} { // the library's word for snappy too
		s = strings.TrimPrefix(s, said)
	}
	s = e.Stage + ": " + s
	if place := e.Origin.String(); place != "" {
		return place + ": " + s
	}
	return s
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }
