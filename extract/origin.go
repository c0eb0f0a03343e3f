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
	Member  string // path inside archives, parts joined with '!'; or ""
	Message int    // ordinal in a mailbox or batch, from 1; 0 outside mail
	Part    string // MIME part as IMAP numbers it, "1.2"; or ""

	// These four are for mail, which is not in this version.
	MessageID, Date, Newsgroups string // of that message
	Field                       string // header field name, in a HEADER part

	Offset int64 // of the first byte, in the raw stream, from 0
	Length int64 // raw bytes from the first to the last, encoding included
	Line   int64 // of the first byte, in the raw stream, from 1; 0 if not known
	Column int64 // likewise, in bytes, from 1
	Exact  bool  // Offset is the byte's own, not that of a unit around it
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

// An Error is trouble with one stretch of one source, or with Options. What
// stood before it was yielded, and the other sources are read on.
type Error struct {
	Origin Origin // how far reading had come; Length is 0
	Stage  string // which step gave up: "open", "walk", "read", "gzip", "utf-16le", ...
	Err    error  // the cause, of the package that found it
}

// Error reads like
//
//	spool/a.gz:88:17: gzip: unexpected EOF
//
// A cause that names the file or the stage again is cut to what is wrong with it.
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
