package mail

import "bytes"

// A Framing is a way in which messages follow one another in a stream.
type Framing uint8

const (
	None   Framing = iota // no mail
	Single                // one message or article (RFC 5322, RFC 5536)
	Mbox                  // From_ lines (RFC 4155 and other dialects)
	Rnews                 // a batch of "#! rnews N" articles (RFC 1036, section 4.3)
	Babyl                 // the mail file of Rmail
	MMDF                  // messages between lines of four ^A
	Emlx                  // one message of Apple Mail: its length in bytes, the message, a property list
	WARC                  // records of a web archive: WARC, ARC
)

// String returns the name in lower case.
func (f Framing) String() string {
	return [...]string{"none", "single", "mbox", "rnews", "babyl", "mmdf", "emlx", "warc"}[min(f, WARC)]
}

// A special says what a line is.
type special uint8

const (
	ordinary  special = iota
	short             // more bytes are needed
	boundary          // of the multipart ending.hit
	separator         // the end of the message
	quoted            // a From_ line with an extra '>'
	joint             // the next part of the message: see partial
	uuBegin
	yBegin
)

// atMark is classify for lines that are separators if they begin with mark.
func atMark(v []byte, whole bool, mark string) special {
	switch yes, may := begins(v, mark); {
	case yes:
		return separator
	case may && !whole:
		return short
	}
	return ordinary
}

// endOfLine returns the length of the line end at the end of b, or of a CR that may become
// one.
func endOfLine(b []byte) int {
	switch n := len(b); {
	case n > 1 && b[n-2] == '\r' && b[n-1] == '\n':
		return 2
	case n > 0 && (b[n-1] == '\n' || b[n-1] == '\r'):
		return 1
	}
	return 0
}

// beginsData reports whether the first line of v begins data, and the length of that line.
// uuencoded data begins if the next line has the length that its first character says.
func beginsData(v []byte, whole bool) (kind special, n int) {
	mark := "begin "
	if v[0] == '=' {
		mark = "=ybegin "
	}
	yes, may := begins(v, mark)
	line, n, full := cutLine(v)
	switch {
	case may && !whole || yes && !full && !whole:
		return short, 0
	case !yes || !full:
		return ordinary, 0
	case v[0] == '=':
		if bytes.Contains(line, []byte(" name=")) && bytes.Contains(line, []byte("line=")) {
			return yBegin, n
		}
		return ordinary, 0
	}
	// "begin", a mode in octal and a name may be prose; the next line decides.
	mode, name := word(line[len(mark):])
	if len(mode) < 3 || len(mode) > 4 || len(name) < 2 || !octal(mode) {
		return ordinary, 0
	}
	next, _, full := cutLine(v[n:])
	if !full && !whole {
		return short, 0
	}
	if string(next) == "end" || uuLine(next) {
		return uuBegin, n
	}
	return ordinary, 0
}

// octal reports whether b has octal digits only.
func octal(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '7' {
			return false
		}
	}
	return true
}

// uuLine reports whether line is a line of uuencoded data. The first character gives the
// length. The line may have up to two more bytes, of a checksum, or lack blanks at its end.
func uuLine(line []byte) bool {
	if len(line) == 0 || len(line) > 90 {
		return false
	}
	if line[0] < ' ' || line[0] > '`' {
		return false
	}
	size := (int(line[0]-' ')&63 + 2) / 3 * 4 // 3 bytes of data are 4 characters
	if n := len(line) - 1; n < size-3 || n > size+2 {
		return false
	}
	for _, c := range line[1:min(len(line), size+1)] {
		if c < ' ' || c > '`' {
			return false
		}
	}
	return true
}

const (
	rnewsMark = "#! rnews "
	mmdfLine  = "\x01\x01\x01\x01"
	plistMark = "<?xml "          // after the message of an emlx file
	plistType = "<!DOCTYPE plist" // in the line after that one
)

// word returns the first word of b, and the rest.
func word(b []byte) (w, rest []byte) {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	k := 0
	for k < len(b) && b[k] != ' ' && b[k] != '\t' {
		k++
	}
	return b[:k], b[k:]
}
