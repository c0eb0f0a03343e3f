package extract

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/urlsift/urlsift/extract/internal/times"
)

// An Origin is the position of a reference, from the outside inwards. The raw stream is
// the content of the innermost container after decompression, and before mailbox framing,
// markup, charset or transfer encoding are decoded: what zcat would print. An Origin
// holds no slices.
type Origin struct {
	Source  string // name of the source, as given
	Member  string // path in archives and attachments, steps joined with '!', each at most 4 KiB; or ""
	Message int    // number in the stream, from 1; 0 outside of mail and news

	// Part is the MIME part, numbered as in IMAP (RFC 3501, section 6.4.5): "1.2";
	// "HEADER" or "2.HEADER" for the header of a message, "1.2.MIME" for that of a part;
	// "TEXT" or "2.TEXT" for the text around the parts of a multipart.
	Part string

	// Fields of the message, as written: Message-ID without "<>", Date (see
	// [Origin.Time]), and Newsgroups of an article.
	MessageID, Date, Newsgroups string

	// Fields of the message, with encoded words decoded, cut to 8 KiB: Subject and From.
	// Empty unless [Options].Subjects is set.
	Subject, From string

	Field string // if the reference is in a header: name of the field, as written

	Offset int64 // of the first byte, in the raw stream, from 0
	Length int64 // raw bytes from the first to the last, including encoding
	Line   int64 // of the first byte, in the raw stream, from 1; 0 if unknown or not counted
	Column int64 // likewise, in bytes, from 1
	Exact  bool  // Offset is that of the byte itself, not of an encoded unit around it

	stamp   int64 // of the line, in seconds since 1970
	stamped bool  // there is one

	enclosed bool // Member begins with the message of the source, and Message counts messages inside Member
}

// String returns the Origin in the form source!member#message[part]:line:column, without
// the parts that are empty.
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

// renumber adds n to the number of the message of the source that contains o.
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

// An Error describes what is wrong with one stretch of one source, or with Options. What
// is in front of the stretch was yielded. Reading continues after it, and with other
// sources.
type Error struct {
	Origin   Origin // how far reading had come; Length is 0
	Severity Severity
	Stage    string // the step that failed: StageOpen, or the name of a format: "gzip", "tar", "mime", "utf-16le", ...
	Err      error  // the cause, from the package that found it

	// If the stretch is over a limit, Limit is the name of the field of [Limits]:
	// "Depth", "Nesting", "Size", "Ratio" or "Window"; and Value is the limit, for Window
	// that of this compression. If the stretch is damaged, Limit is "".
	Limit string
	Value int64
}

// Stages of an [Error] that belong to no format. The others are the names of what was
// decoded: a compression, an archive, a charset, an encoding, "mime", "html" and so on.
const (
	StageOptions = "options" // no source: Options are not valid
	StageWalk    = "walk"    // a folder, or a file in it, cannot be listed
	StageOpen    = "open"    // the source cannot be opened
	StageRead    = "read"    // Read of the source has failed
	StageClose   = "close"   // Close of the source has panicked; an error that it returns is ignored
)

// A Severity says whether anything was lost.
type Severity uint8

const (
	Lost    Severity = iota // input was lost, or not read
	Warning                 // nothing was lost: the input breaks the rules but was read, or is passed over by design (PDF, office documents)
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Error returns a message like
//
//	spool/a.gz:88:17: gzip: unexpected EOF
//
// If the cause repeats the name of the file or the stage, the repetition is left out.
func (e *Error) Error() string {
	cause := e.Err
	var p *fs.PathError
	if errors.As(cause, &p) {
		cause = p.Err
	}
	s := cause.Error()
	for _, said := range [...]string{e.Stage + ": ", "s2: "} { // the library calls snappy s2 too
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

// Time returns when the message was written, or the line of a log (see
// [Options].LogTimes). It returns false if there is no Date field, or if the date is not
// in a form of RFC 5322 (sections 3.3 and 4.3), RFC 850, asctime or old news programs, or
// has no zone, or one whose name RFC 5322 does not define.
func (o Origin) Time() (time.Time, bool) {
	if o.stamped {
		return time.Unix(o.stamp, 0).UTC(), true
	}
	return times.Parse(o.Date)
}

// LogTime returns the time stamp of the log line, in seconds since 1970. It returns false if
// there is none: only references in running text have one, with [Options].LogTimes.
func (o *Origin) LogTime() (seconds int64, ok bool) { return o.stamp, o.stamped }
