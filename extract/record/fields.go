package record

import (
	"slices"

	"github.com/urlsift/urlsift/extract"
)

// A Type is the type of a field's value.
type Type uint8

const (
	String    Type = iota + 1 // text; in JSON a string
	Integer                   // 0 or more; in JSON a number without a fraction
	Boolean                   // true or false
	Strings                   // a list of names without spaces; in JSON an array, in tables separated by spaces
	Readings                  // a list of other readings; in JSON an array of {"text", "reason"}, in tables reason=text
	Timestamp                 // a time in UTC as in RFC 3339, to the second: 1994-11-06T08:49:37Z; in JSON a string
	Inners                    // a list of inner references; in JSON an array of {"url", "by"}, in tables by=url
)

var typeNames = [...]string{"", "string", "integer", "boolean", "strings", "readings", "timestamp", "inners"}

// String returns "string", "integer", "boolean", "strings", "readings", "timestamp" or "inners",
// and "" for any other value.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return ""
}

// A Field is a column of the record. [Fields] returns all of them. All formats have all fields.
type Field struct {
	Name        string // never changes, because other programs use it
	Description string // a phrase without a period, with the unit
	Section     string // the section of the document that defines the value; "" if Description says everything

	// Always says that the field is present even if it is empty, zero or false. Any other
	// field is then absent: JSON has no key for it, and a table has an empty cell.
	Always bool

	varies    varies
	timestamp bool // text returns a Timestamp
	subjects  bool // it is there only with [extract.Options].Subjects

	// How the value is taken from a Result. Exactly one function is set.
	bytes    func(*view) []byte
	text     func(*view) string
	integer  func(*view) int64
	truth    func(*view) bool
	list     func(*view) []string
	readings func(*view) []reading
	keys     [2]string // of readings in JSON: of the text, and of its reason
}

// Type returns the type of the field's value.
func (f *Field) Type() Type {
	switch {
	case f.timestamp:
		return Timestamp
	case f.bytes != nil, f.text != nil:
		return String
	case f.integer != nil:
		return Integer
	case f.truth != nil:
		return Boolean
	case f.list != nil:
		return Strings
	case f.readings != nil && f.keys[0] == "url":
		return Inners
	case f.readings != nil:
		return Readings
	}
	return 0
}

// Document returns the field's entry in a manual: the description, what defines the value,
// and when the field is present.
func (f *Field) Document() string {
	s := f.Description
	if f.Section != "" {
		s += " (" + f.Section + ")"
	}
	if f.Always {
		s += "; always there"
	}
	return s
}

// Need sets the options in o without which some of fields would always be empty: Subjects.
func Need(fields []Field, o *extract.Options) {
	for i := range fields {
		o.Subjects = o.Subjects || fields[i].subjects
	}
}

// varies says when the value of a field may differ from that of the previous record. A
// value is made again only then. The zero varies is right for every field. Any other value
// makes a field faster, but must be true for that field; TestVaries checks this.
type varies uint8

const (
	byResult  varies = iota // it may always differ
	byHost                  // it depends only on the scheme and host of target, or of url if there is no target, and on the grammar
	seldom                  // absent unless unusual reports true (common.go)
	byKind                  // it depends only on what kindOf packs into bits (common.go)
	byMessage               // it depends only on the fields of Origin that [extract.Origin.SameText] compares
)

// fields is the definition of the record: the fields in their order. All formats, the names
// and the manual come from it. To add a field, add an entry; the tests of this package
// name what else is missing.
var fields = []Field{
	{Name: "url", Always: true, bytes: (*view).url,
		Description: "the reference, with the characters escaped that the grammar does not accept", Section: "rule 15 of delimiting"},
	{Name: "text", Always: true, bytes: (*view).text,
		Description: "the reference as the text has it, joined where it was wrapped"},
	{Name: "scheme", varies: byHost, bytes: (*view).scheme,
		Description: "the scheme of target, or else of url, in lower case", Section: "RFC 3986, section 3.1"},
	{Name: "host", varies: byHost, bytes: (*view).host,
		Description: "the host of target, or else of url, in lower case, and as A-labels (xn--) where it is beyond ASCII and has A-labels by UTS 46", Section: "RFC 3986, section 3.2.2"},
	{Name: "domain", varies: byHost, bytes: (*view).domain,
		Description: "the registrable domain of host by the public suffix list; absent for addresses"},
	{Name: "host_unicode", varies: byHost, bytes: (*view).hostUnicode,
		Description: "host in Unicode, if it has A-labels", Section: "RFC 5890, section 2.3.2.1"},
	{Name: "target", varies: seldom, bytes: (*view).target,
		Description: "url resolved against base, if the result differs from url", Section: "RFC 3986, section 5.2"},
	{Name: "base", varies: seldom, text: func(v *view) string { return v.hide(v.r.Base) },
		Description: "the base that target was made with"},
	{Name: "base_from", varies: seldom, text: func(v *view) string { return v.r.BaseSource.String() },
		Description: "where the base was declared: html, content-base, content-location, outer (around the part), record (of a web archive), retrieval (--base-map), option (--base) or article (of news)", Section: "RFC 3986, section 5.1"},
	{Name: "grammars", varies: byKind, Always: true, list: (*view).grammars,
		Description: "the grammars that accept text unchanged"},
	{Name: "valid", varies: byKind, Always: true, truth: func(v *view) bool { return v.r.Valid },
		Description: "whether the chosen grammar accepts url"},
	{Name: "error", varies: seldom, text: func(v *view) string { return v.r.Reason(v.redact) },
		Description: "why the chosen grammar does not accept url, or why target is missing"},
	{Name: "form", varies: byKind, Always: true, text: func(v *view) string { return v.r.Candidate.Form.String() },
		Description: "what encloses the URL in the text: angle (< >), quote, attribute (of HTML), header (it is a whole header field), or none", Section: "rules 3, 4 and 6 of delimiting"},
	{Name: "prefix", varies: byKind, Always: true, truth: func(v *view) bool { return v.r.Candidate.Prefixed },
		Description: "whether URL: or the like stands in front", Section: "rule 5 of delimiting"},
	{Name: "breaks", varies: byKind, integer: func(v *view) int64 { return int64(v.r.Candidate.Breaks) },
		Description: "how many line breaks were removed", Section: "rule 8 of delimiting"},
	{Name: "tail", varies: seldom, bytes: func(v *view) []byte { return v.r.Candidate.Tail },
		Description: "punctuation directly after the URL, which is part of the sentence and not of the URL", Section: "rule 7 of delimiting"},
	{Name: "by", varies: byKind, list: (*view).by,
		Description: "how a text that is not a URL as written became url: abbreviated (www.example.org), defanged (hxxp), address (of mail), repaired (% written as %25, a backslash as /), unescaped (escapes of programs), entity (of HTML), colour (of a terminal)"},
	{Name: "readings", varies: seldom, readings: (*view).others, keys: [2]string{"text", "reason"},
		Description: "other readings of the text, each with its reason: hyphen, space-escaped, cut-at-space, entity, rejoined, tail, comma, host, script, joiner, backslash, colour, possessive, bracket, glued, raw, charset, idna-dot", Section: "rules 7 to 11, 16 and 24 to 39 of delimiting"},
	{Name: "inner", varies: seldom, readings: (*view).inner, keys: [2]string{"url", "by"},
		Description: "the references inside target, or else url, the outermost first, each with what made the reference around it: safelinks, urldefense, google, facebook, barracuda, cisco, archive, or parameter (the value of a parameter is a whole URL)"},
	{Name: "suspicious", varies: byKind, list: (*view).suspicious,
		Description: "what is suspicious about url, or with --unwrap about what is inside: password, port, control (an escaped control character), host (one that cannot exist), mixed-script (a label of the host), ip-decimal (a host that programs read as an IPv4 address), rewritten (by a service that hides the target)"},
	{Name: "source", varies: byMessage, Always: true, text: func(v *view) string { return v.hide(v.r.Origin.Source) },
		Description: "the path as given or found; - for standard input"},
	{Name: "member", varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.Member) },
		Description: "the path in archives and attachments, steps joined with '!'"},
	{Name: "message", varies: byMessage, integer: func(v *view) int64 { return int64(v.r.Origin.Message) },
		Description: "the number of the message or article in its file, from 1"},
	{Name: "message_id", varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.MessageID) },
		Description: "the identifier of that message, without the angle brackets", Section: "RFC 5322, section 3.6.4"},
	{Name: "subject", subjects: true, varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.Subject) },
		Description: "the subject of that message, decoded", Section: "RFC 5322, section 3.6.5"},
	{Name: "from", subjects: true, varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.From) },
		Description: "the author of that message, decoded", Section: "RFC 5322, section 3.6.2"},
	{Name: "to", subjects: true, varies: byMessage, list: (*view).addressees,
		Description: "the addresses of To and Cc of that message", Section: "RFC 5322, section 3.6.3"},
	{Name: "date", varies: byMessage, timestamp: true, text: (*view).date,
		Description: "the date of that message in UTC as in RFC 3339, where a date without a known zone counts as UTC; absent if it is not understood, before 1970, after next year, or of a zone 16 hours or more away; with --log-times also that of a line of a log", Section: "RFC 5322, section 3.6.1"},
	{Name: "date_text", varies: byMessage, text: (*view).dateText,
		Description: "the date field as written, if date is absent"},
	{Name: "newsgroups", varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.Newsgroups) },
		Description: "the newsgroups of that article", Section: "RFC 5536, section 3.1.4"},
	{Name: "warc_target", varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.WARCTarget) },
		Description: "the URL of that record of a web archive"},
	{Name: "warc_type", varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.WARCType) },
		Description: "the type of that record, such as response or resource"},
	{Name: "part", varies: byMessage, text: func(v *view) string { return v.r.Origin.Part },
		Description: "the part of that message as IMAP numbers it", Section: "RFC 3501, section 6.4.5"},
	{Name: "field", varies: byMessage, text: func(v *view) string { return v.hide(v.r.Origin.Field) },
		Description: "the name of the header field, as written"},
	{Name: "offset", Always: true, integer: func(v *view) int64 { return v.r.Origin.Offset },
		Description: "where the reference begins in the decompressed input, in bytes from 0"},
	{Name: "length", Always: true, integer: func(v *view) int64 { return v.r.Origin.Length },
		Description: "the length of the reference in the decompressed input, in bytes, encodings included"},
	{Name: "line", Always: true, integer: func(v *view) int64 { return v.r.Origin.Line },
		Description: "the line in which the reference begins, from 1"},
	{Name: "column", Always: true, integer: func(v *view) int64 { return v.r.Origin.Column },
		Description: "the column in which the reference begins, in bytes from 1"},
	{Name: "exact", Always: true, truth: func(v *view) bool { return v.r.Origin.Exact },
		Description: "whether offset is that of the first byte of the URL; if false, it is that of the encoded piece that holds this byte, such as 4 characters of base64"},
}

// Fields returns the fields of the record, in order. The slice is the caller's.
func Fields() []Field { return slices.Clone(fields) }

// Names returns the names of fields, in their order, in a new slice.
func Names(fields []Field) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return names
}
