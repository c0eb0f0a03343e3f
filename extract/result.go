package extract

import (
	"bytes"
	"errors"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/times"
	"github.com/urlsift/urlsift/uri"
)

// A Result is one reference. It and its slices are valid until the next iteration of the
// loop. The caller may read but not change them; [Result.Clone] makes a copy to keep.
type Result struct {
	// Candidate is the reference as it is in the text. Its offsets are those of the
	// decoded text; Origin has the raw ones. A reference in an attribute is not part of
	// the text: its spans are empty, at the place of the tag.
	Candidate delimit.Candidate

	// URL is Candidate.Ref itself, or, if Options.Grammar does not accept that, a copy in
	// which excluded characters are escaped (rule 15 in package delimit). If a '%' that
	// begins no escape was escaped too (rule 21), Candidate.By has [delimit.Repaired].
	// With Options.Normalize it is a copy in the normal form.
	URL   []byte
	Parts uri.Parts // of URL

	// Target is URL resolved against the base in force. It is nil if it equals URL, if
	// there is no base, or if URL refers to the current document (2002, section 4.2).
	Target     []byte
	Base       string     // the base of Target; "" without Target
	BaseSource BaseSource // where that base was declared

	// Accepts has all grammars that accept Candidate.Ref unchanged. In an article of news, the
	// grammar of 1994 accepts <URL:comp.x> and <URL:1@h>, which are partial forms of
	// news:comp.x and news:1@h.
	Accepts uri.Grammar
	Valid   bool        // Options.Grammar accepts URL
	grammar uri.Grammar // Options.Grammar

	// Err says why URL is not valid (only if Options.Refused is set), or why Target is missing. It is a
	// [*uri.Error], or an [*Error] if Target is missing because of Limits.Joined.
	Err error

	Origin Origin
}

// Grammar returns the grammar that Valid is about: [Options].Grammar.
func (r *Result) Grammar() uri.Grammar { return r.grammar }

// Warnings returns what is suspicious about r.URL or, if it was unwrapped, about r.Target. It is
// computed at each call.
func (r *Result) Warnings() uri.Warning {
	if r.Unwrapped() {
		return uri.Warnings(r.Target, uri.Split(r.Target))
	}
	return uri.Warnings(r.URL, r.Parts)
}

// Clone returns a copy of r with slices of its own, which stay valid.
func (r *Result) Clone() Result {
	c := *r
	c.Candidate = r.Candidate.Clone()
	if same(r.URL, r.Candidate.Ref) {
		c.URL = c.Candidate.Ref
	} else {
		c.URL = bytes.Clone(r.URL)
	}
	c.Target = bytes.Clone(r.Target)
	return c
}

// spoil overwrites the first bytes of the slices of r, which the caller must not use any more.
// So a caller that kept the slices without copying them fails in its first test. The slices
// must not be part of a text that is still read.
func (r *Result) spoil() {
	f := &r.Candidate
	spoil(f.Text)
	spoil(f.Raw)
	spoil(f.Ref)
	spoil(f.Tail)
	spoil(r.URL)
	spoil(r.Target)
}

// spoil overwrites the first byte of s.
func spoil(s []byte) {
	if len(s) > 0 {
		s[0] = 0
	}
}

// same reports whether a and b are the same stretch of memory.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// A BaseSource says where a base was declared. The first of these that exists counts (2002, section 5.1):
// FromHTML, FromContentBase, FromContentLocation, FromOuter, FromRecord, FromRetrieval, FromOption.
type BaseSource uint8

const (
	FromHTML            BaseSource = iota + 1 // <base href>
	FromContentBase                           // the header field of the part
	FromContentLocation                       // the header field of the part
	FromOuter                                 // Content-Base or Content-Location of an entity around the part
	FromOption                                // Options.Base
	FromRetrieval                             // Source.Base

	// FromArticle is the article of news whose text contains the reference. It is a base only
	// for names of groups and articles: "within an article, a reference to a news group or to
	// another article will be a valid URL (in the partial form)" (1993 and 1994, "News"). For
	// the name of a group, every other base has priority. The Message-ID of an article is a
	// reference only in an article, and has no other base.
	FromArticle

	FromRecord // the URL of the record of a web archive that contains the reference
)

var baseNames = [...]string{"", "html", "content-base", "content-location", "outer", "option", "retrieval", "article", "record"}

// String returns "html", "content-base", "content-location", "outer", "option",
// "retrieval", "article" or "record"; "" for none.
func (b BaseSource) String() string {
	if int(b) < len(baseNames) {
		return baseNames[b]
	}
	return ""
}

// Shown returns Target, or URL if there is no Target: the reference as a reader of one text would want
// it. It is valid as long as r is.
func (r *Result) Shown() []byte {
	if r.Target != nil {
		return r.Target
	}
	return r.URL
}

// Unwrapped reports whether Target is what a rewriting service has hidden in URL: see Options.Unwrap.
func (r *Result) Unwrapped() bool { return r.Target != nil && r.BaseSource == 0 }

// Scheme returns the scheme of Target, or of URL if there is no Target, as it is written
// there. It returns nil if there is no scheme. The slice aliases r and is valid as long
// as r is.
func (r *Result) Scheme() []byte { return r.component(uri.Scheme) }

// Host returns the host of Target, or of URL if there is no Target, as it is written
// there. An IP literal keeps its brackets. It returns nil if there is no host. The slice
// aliases r and is valid as long as r is.
func (r *Result) Host() []byte { return r.component(uri.Host) }

func (r *Result) component(c uri.Component) []byte {
	text, parts := r.URL, r.Parts
	if r.Target != nil {
		text = r.Target
		parts = uri.Split(text)
	}
	lo, hi, ok := parts.Span(c)
	if !ok {
		return nil
	}
	return text[lo:hi]
}

// An Origin is the position of a reference, from the outside inwards. The raw stream is
// the content of the innermost container after decompression, and before mailbox framing,
// markup, charset or transfer encoding are decoded: what zcat would print. An Origin holds
// no slices. Each field is one column of a record. A field is "" or 0 if there is nothing to say.
type Origin struct {
	Source  string // name of the source, as given
	Member  string // path in archives and attachments, steps joined with '!', each at most 4 KiB; or ""
	Message int    // number in the stream, from 1; 0 outside of mail and news

	// Part is the MIME part, numbered as in IMAP (RFC 3501, section 6.4.5): "1.2";
	// "HEADER" or "2.HEADER" for the header of a message, "1.2.MIME" for that of a part;
	// "TEXT" or "2.TEXT" for the text around the parts of a multipart, "FROM" for the From_ line in
	// front of the message if it may hold a reference.
	Part string

	Fields // of the message or record

	Field string // if the reference is in a header: name of the field, as written

	Offset int64 // of the first byte, in the raw stream, from 0
	Length int64 // raw bytes from the first to the last, including encoding
	Line   int64 // of the first byte, in the raw stream, from 1; 0 if unknown or not counted
	Column int64 // of the first byte, in bytes, from 1; 0 as for Line
	Exact  bool  // Offset is the position of the byte itself, not of an encoded unit around it

	stamp   int64 // time stamp of the line, in seconds since 1970
	stamped bool  // the line has a time stamp

	messageInMember bool // Member begins with the message of the source, and Message counts messages inside Member
}

// Fields are what the header of a message, or of a record of a web archive, says about all of it.
// Fields are comparable with ==. A field is "" if the header does not have it.
type Fields struct {
	// Fields of the message, as written: Message-ID without "<>", Date (see
	// [Origin.Time]), and Newsgroups of an article.
	MessageID, Date, Newsgroups string

	// Fields of the message, with encoded words decoded, cut to 8 KiB: Subject and From.
	// FromAddress is the first address of From, and To has the addresses of To and Cc, separated by
	// blanks. They are empty unless [Options].Subjects is set.
	Subject, From, FromAddress, To string

	// WARCTarget is the URL of a record of a web archive, and WARCType its type. The date of the record
	// is in Date.
	WARCTarget, WARCType string
}

// none reports whether all fields are "", as in logs and plain text. With == alone, an access log as JSON takes 1.08 times
// the processor time.
func (f *Fields) none() bool {
	return len(f.MessageID)|len(f.Date)|len(f.Newsgroups)|len(f.Subject)|len(f.From)|len(f.FromAddress)|len(f.To)|len(f.WARCTarget)|len(f.WARCType) == 0
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

// SameText reports whether o and a are equal except for Offset, Length, Line, Column and Exact.
func (o *Origin) SameText(a *Origin) bool {
	if o.Source != a.Source || o.Message != a.Message || o.stamped != a.stamped || o.stamp != a.stamp {
		return false
	}
	return o.Member == a.Member && o.Part == a.Part && o.Field == a.Field && o.messageInMember == a.messageInMember &&
		(o.Fields.none() && a.Fields.none() || o.Fields == a.Fields)
}

// Time returns when the message, or the line of a log, was written (for logs see
// [Options].LogTimes). It returns false if there is no Date field, or if the date is not in a form of
// RFC 5322 (sections 3.3 and 4.3), RFC 850, asctime or old news programs. A date without a zone, or with
// one whose name, of up to five letters, RFC 5322 does not define, counts as UTC, as that section has it.
func (o Origin) Time() (time.Time, bool) {
	if o.stamped {
		return time.Unix(o.stamp, 0).UTC(), true
	}
	return times.Parse(o.Date)
}

// LogTime returns the time stamp of the log line, in seconds since 1970. It returns false if the
// line has no time stamp: only references in running text have one, with [Options].LogTimes.
func (o *Origin) LogTime() (seconds int64, ok bool) { return o.stamp, o.stamped }

// Readings returns the readings in r.Candidate.Others: the bit of each and its URL. They are
// those of [delimit.Candidate.Readings], and what Options.Grammar does not accept is escaped
// as in r.URL. A URL is written to buf[:0], or to new memory if buf is too small, and is
// valid until the next iteration. r keeps no reference to it.
func (r *Result) Readings(buf []byte) iter.Seq2[delimit.Reading, []byte] {
	return func(yield func(delimit.Reading, []byte) bool) {
		for why, text := range r.Candidate.Readings(buf) { // each text is of bounded length
			if why == delimit.SpaceEscaped { // its escapes look like escapes that were in the text
				text = r.Candidate.AppendSpaced(text[:0])
			}
			if text = r.escapeReading(text, 0); !yield(why, text) {
				return
			}
		}
	}
}

// AppendReading appends to dst the URL of r in the reading why, and returns the extended slice.
// why is one bit of r.Candidate.Others; for any other value dst is returned unchanged. See
// [delimit.Candidate.AppendReading] and [Result.Readings].
func (r *Result) AppendReading(dst []byte, why delimit.Reading) []byte {
	start := len(dst)
	if why&r.Candidate.Others == delimit.SpaceEscaped {
		dst = r.Candidate.AppendSpaced(dst)
	} else {
		dst = r.Candidate.AppendReading(dst, why)
	}
	return r.escapeReading(dst, start)
}

// escapeReading escapes dst[start:], a reading, if the grammar does not accept it: see
// validator.repair.
func (r *Result) escapeReading(dst []byte, start int) []byte {
	text := dst[start:]
	if isPlain(text) {
		return dst
	}
	if got, _ := uri.Accepts(text, uri.Split(text), r.grammar); got != 0 {
		return dst
	}
	end := len(dst)
	dst = uri.AppendEscaped(dst, text, r.grammar) // append the escaped form after the reading, and then move it over the reading
	n := copy(dst[start:], dst[end:])
	return dst[:start+n]
}

// neverEscaped has the bytes that are never escaped, in any component. Most readings contain only
// these, and need no grammar. Without this, a text with a URL and a full stop in each line takes
// 1.14 times the processor time with JSON as output.
var neverEscaped = func() (set [256]bool) {
	for c := range set {
		set[c] = '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80
	}
	for _, c := range []byte("-_.!~*'();/?:@&=+$,") { // 2002, section 2: mark and reserved, without brackets
		set[c] = true
	}
	return set
}()

// isPlain reports whether text has only bytes that are never escaped.
func isPlain(text []byte) bool {
	for _, c := range text {
		if !neverEscaped[c] {
			return false
		}
	}
	return true
}

// Reason returns the text of r.Err for a record. It leaves out the reference that a
// [*uri.Error] quotes at the end of its text, because the record has it in another place. It
// says that an offset is an offset in the URL, because records also have offsets in the input.
// If redact is true, passwords are removed. It returns "" if r.Err is nil.
func (r *Result) Reason(redact bool) string {
	if r.Err == nil {
		return ""
	}
	why := r.Err.Error()
	if redact {
		why = RedactedError(r.Err)
	}
	var e *uri.Error
	if !errors.As(r.Err, &e) {
		return why
	}
	text := []byte(e.Text)
	if redact {
		text = new(Redactor).AppendReference(nil, text)
	}
	why = strings.TrimSuffix(why, ": "+quote(text))
	const at = " at offset "
	before, after, ok := strings.Cut(why, at)
	if !ok {
		return why
	}
	digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
	return before + at + after[:digits] + " of the URL" + after[digits:]
}
