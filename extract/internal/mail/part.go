package mail

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A Level is what one entity around a part says about its base URL, as written, but
// without white space and without delimiters of the URL ("…", <…>, URL:) (RFC 2557,
// section 4; RFC 2110, section 4).
type Level struct{ ContentBase, ContentLocation string }

// A Part is one piece of text of one message: a header block, the body of a leaf, or the
// text around the parts of a multipart. It is valid, with its slices, until the next call
// of [Reader.Next]; its strings may be kept.
type Part struct {
	// Message is the ordinal of the message in the stream, from 1.
	Message int

	// Section numbers the part as IMAP does (RFC 3501, section 6.4.5): "HEADER", "1",
	// "1.2", "2.HEADER" for the header of an attached message, "1.2.MIME" for that of a
	// part; "TEXT" and "2.TEXT" for the text in front of the first part and after the
	// last part of a multipart.
	Section string

	// Header reports whether Body is a header block, verbatim, with its line breaks and
	// without the blank line after it.
	Header bool

	Type     string // media type, lower case; the default of RFC 2045, section 5.2 and 2046, section 5.1.5
	Charset  string // as labelled, lower case; "" if there is no label
	Encoding string // transfer encoding, lower case; "" if it is not one, 7bit, 8bit or binary
	Name     string // file name, with RFC 2231 decoded; "" if there is none

	// Flowed and DelSp are those of RFC 3676: format=flowed, delsp=yes.
	Flowed, DelSp bool

	// Article reports whether Body is in an article: its innermost message has a
	// Newsgroups field. ArticleID is the Message-ID of that message, without angle
	// brackets.
	Article   bool
	ArticleID string

	// Levels has the entities around the part, from the outermost inwards, and last the
	// entity of the part itself.
	Levels []Level

	// MessageID (without angle brackets), Date and Newsgroups are the fields of the
	// message, unfolded, without surrounding white space, otherwise as written.
	MessageID, Date, Newsgroups string

	// Subject and From are also fields, with encoded words and 8-bit bytes as written.
	// They are empty unless [Reader.KeepSubjects] has enabled them.
	Subject, From string

	// Body reads the part, still encoded. Its input offsets are raw offsets, and its output
	// offsets start at 0. It returns io.EOF at the end of the part, and the error of the
	// stream if that fails.
	Body decode.Stage
}

// cleanURL removes what may surround a URL in a field: white space anywhere (RFC 2557,
// section 4.4.2), quotes, angle brackets and "URL:".
func cleanURL(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if c > ' ' {
			out = append(out, c)
		}
	}
	for _, w := range [...]string{`""`, "<>", `""`} {
		if n := len(out); n > 1 && out[0] == w[0] && out[n-1] == w[1] {
			out = out[1 : n-1]
		}
	}
	if len(out) > 4 && same(out[:3], []byte("url")) && out[3] == ':' {
		out = out[4:]
	}
	return readable(out)
}

// angle returns what stands between angle brackets in b, or else b.
func angle(b []byte) string {
	if i := bytes.IndexByte(b, '<'); i >= 0 {
		if j := bytes.IndexByte(b[i:], '>'); j > 0 {
			b = b[i+1 : i+j]
		}
	}
	return readable(bytes.TrimSpace(b))
}
