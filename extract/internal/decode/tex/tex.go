package tex

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A Decoder is a [decode.Decoder] from TeX to text, as the package comment describes.
type Decoder struct {
	// Sink is called with each reference in a command or field. All text in front of it
	// was returned by earlier Reads. If Sink is nil, these references are text.
	Sink func(decode.Attr) error

	pos         int64  // offset of src[0] in the input
	tail        []byte // the last bytes in front of src[0], at most maxName
	pendingAttr decode.Attr
	value       []byte
}

// Reset implements [decode.Decoder].
func (d *Decoder) Reset() { *d = Decoder{Sink: d.Sink, tail: d.tail[:0], value: d.value[:0]} }

// Decode implements [decode.Decoder].
func (d *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if d.pendingAttr.Value != nil {
		a := d.pendingAttr
		d.pendingAttr.Value = nil
		if err := d.Sink(a); err != nil {
			return decode.Conversion{}, err
		}
	}
	conv := d.decode(dst, src, atEOF)
	d.pos += int64(conv.In)
	d.remember(src[:conv.In])
	if d.pendingAttr.Value != nil {
		return conv, decode.ErrPause
	}
	return conv, nil
}

// remember keeps the last bytes that were converted: they may hold the name of a field.
func (d *Decoder) remember(s []byte) {
	if len(s) >= maxName {
		d.tail = append(d.tail[:0], s[len(s)-maxName:]...)
		return
	}
	if excess := len(d.tail) + len(s) - maxName; excess > 0 {
		d.tail = d.tail[:copy(d.tail, d.tail[excess:])]
	}
	d.tail = append(d.tail, s...)
}

// decode copies source up to the next command, or "=" of a field, that it must convert. If src
// begins with such a command or "=", decode converts it.
func (d *Decoder) decode(dst, src []byte, atEOF bool) decode.Conversion {
	most := min(len(dst), len(src))
	for n := 0; ; n++ {
		n += octet.CopyToEither(dst[n:most], src[n:most], [2]byte{'\\', '='})
		switch {
		case n == most, src[n] == '\\' && n > 0:
			return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
		case src[n] == '\\':
			return d.command(dst, src, atEOF)
		}
		name := d.fieldBefore(src[:n])
		if name != "" && n > 0 {
			return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
		}
		dst[n] = '='
		if name != "" {
			return d.field(name, src, atEOF)
		}
	}
}

// command converts the command at the beginning of src. A "\" that begins no command is
// unchanged.
func (d *Decoder) command(dst, src []byte, atEOF bool) decode.Conversion {
	name, ok := nameOf(src, atEOF)
	if !ok {
		return decode.Conversion{}
	}
	if isReference(name) && d.Sink != nil {
		lo, hi, end, v := argument(src, len(name)+1, string(name) == "href", atEOF)
		if v == more {
			return decode.Conversion{}
		}
		if v == yes && d.hold(string(name), src, lo, hi) {
			dst[0] = ' '
			return decode.Conversion{In: end, Out: 1, InUnit: 1, OutUnit: 1}
		}
	}
	n, text, v := escape(src, name, atEOF)
	switch v {
	case more:
		return decode.Conversion{}
	case no:
		dst[0] = '\\'
		return decode.Conversion{In: 1, Out: 1, InUnit: 1, OutUnit: 1}
	}
	return decode.Conversion{In: n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(max(1, len(text)))}
}

// field converts the "=" at the beginning of src, for the field with that name. Its value
// is passed to Sink if it is one reference; otherwise it is text.
func (d *Decoder) field(name string, src []byte, atEOF bool) decode.Conversion {
	one := decode.Conversion{In: 1, Out: 1, InUnit: 1, OutUnit: 1}
	if d.Sink == nil {
		return one
	}
	lo, hi, end, v := value(src, atEOF)
	switch {
	case v == more:
		return decode.Conversion{}
	case v == yes && !isSentence(src[lo:hi]) && d.hold(name, src, lo, hi):
		return decode.Conversion{In: end, Out: 1, InUnit: 1, OutUnit: 1}
	}
	return one
}

// hold keeps src[lo:hi], the argument or value of that name, for Sink. It returns false, and keeps
// nothing, if there is no scheme at its beginning.
func (d *Decoder) hold(name string, src []byte, lo, hi int) bool {
	for lo < hi && octet.IsSpace(src[lo]) {
		lo++
	}
	for lo < hi && octet.IsSpace(src[hi-1]) {
		hi--
	}
	d.value = appendValue(d.value[:0], src[lo:hi])
	if !hasScheme(d.value, name == "path") {
		return false
	}
	d.pendingAttr = decode.Attr{Name: name, Value: d.value, Start: d.pos + int64(lo), End: d.pos + int64(hi)}
	return true
}

// hasScheme reports whether v begins with a scheme, a colon, and at least one more
// character. If slashes is set, "//" must follow the colon.
func hasScheme(v []byte, slashes bool) bool {
	n := 0
	for n < len(v) && (octet.IsLetter(v[n]) || n > 0 && (octet.IsDigit(v[n]) || v[n] == '+' || v[n] == '-' || v[n] == '.')) {
		n++
	}
	if n < 2 || n+1 >= len(v) || v[n] != ':' || v[n+1] == ':' {
		return false
	}
	return !slashes || n+3 < len(v) && v[n+1] == '/' && v[n+2] == '/'
}

// isSentence reports whether v has white space within a line. Then it is not one
// reference, although it may begin with one.
func isSentence(v []byte) bool {
	for len(v) > 0 && octet.IsSpace(v[0]) {
		v = v[1:]
	}
	for len(v) > 0 && octet.IsSpace(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	for i := 0; i < len(v); { // a run of white space, or a byte
		lines, at := 0, i
		for ; i < len(v) && octet.IsSpace(v[i]); i++ {
			if v[i] == '\n' {
				lines++
			}
		}
		if i > at && lines == 0 {
			return true
		}
		if i == at {
			i++
		}
	}
	return false
}

// fieldBefore returns the name, in lower case, of the field whose "=" follows s. The name may
// begin in d.tail, which precedes s. It returns "" if that field has no reference.
func (d *Decoder) fieldBefore(s []byte) string {
	if len(s) < maxName {
		var b [2 * maxName]byte
		n := copy(b[:], d.tail)
		n += copy(b[n:], s)
		s = b[:n]
	}
	s = bytes.TrimRight(s, " \t\r\n")
	for _, name := range [...]string{"url", "howpublished"} {
		if n := len(s) - len(name); n >= 0 && bytes.EqualFold(s[n:], []byte(name)) &&
			(n == 0 || !octet.IsLetter(s[n-1]) && !octet.IsDigit(s[n-1]) && strings.IndexByte("-_\\", s[n-1]) < 0) {
			return name
		}
	}
	return ""
}

// All lookahead is bounded: maxName for a name, decode.MaxAhead for an argument. An argument
// ends at the next command that has an argument, so a row of commands that are not closed is
// examined once.

const (
	maxName  = 64 // bytes of a command, or of a field name with the blanks after it
	maxDepth = 3  // nested braces in an argument
)

// An answer is the result of a function that examines source.
type answer uint8

const (
	no   answer = iota
	yes         // found
	more        // more source is needed
)

// isReference reports whether the argument of the command with that name is a reference.
func isReference(name []byte) bool {
	switch string(name) {
	case "url", "href", "path", "nolinkurl":
		return true
	}
	return false
}

// nameOf returns the name of the command at the beginning of s: letters, or one other
// character; "" if there is none. ok is false if s is too short.
func nameOf(s []byte, atEOF bool) (name []byte, ok bool) {
	n := 1
	for n < len(s) && n < maxName && octet.IsLetter(s[n]) {
		n++
	}
	if n == len(s) && n < maxName && !atEOF {
		return nil, false
	}
	if n == 1 && n < len(s) {
		n++
	}
	return s[1:n], true
}

// argument returns the bounds lo and hi of the argument in braces that follows s[:i],
// after blanks and, if options is set, after options in square brackets. end is after the
// brace.
func argument(s []byte, i int, options, atEOF bool) (lo, hi, end int, v answer) {
	i = passBlanks(s, i)
	if options && i < len(s) && s[i] == '[' {
		k := bytes.IndexByte(s[i:min(len(s), i+maxName)], ']')
		if k < 0 {
			return 0, 0, 0, unlessShort(len(s) < i+maxName, atEOF)
		}
		i = passBlanks(s, i+k+1)
	}
	if i >= len(s) {
		return 0, 0, 0, unlessShort(i <= maxName, atEOF)
	}
	if s[i] != '{' {
		return 0, 0, 0, no
	}
	return closed(s, i+1, '}', atEOF)
}

// value returns the bounds of the value of a field. s begins with the "=".
func value(s []byte, atEOF bool) (lo, hi, end int, v answer) {
	i := passBlanks(s, 1)
	if i >= len(s) {
		return 0, 0, 0, unlessShort(i <= maxName, atEOF)
	}
	switch s[i] {
	case '"':
		return closed(s, i+1, '"', atEOF)
	case '{':
		lo, hi, end, v = closed(s, i+1, '}', atEOF)
		if v == yes && hi-lo > 2 && s[lo] == '{' && s[hi-1] == '}' {
			lo, hi = lo+1, hi-1
		}
		return lo, hi, end, v
	}
	return 0, 0, 0, no
}

// passBlanks returns the index after the white space at s[i], of which it skips at most maxName
// bytes.
func passBlanks(s []byte, i int) int {
	for most := i + maxName; i < len(s) && i < most && octet.IsSpace(s[i]); {
		i++
	}
	return i
}

// unlessShort returns more if nothing was found because the source is too short,
// otherwise no.
func unlessShort(short, atEOF bool) answer {
	if short && !atEOF {
		return more
	}
	return no
}

// closed returns the bounds of the text from s[lo] to the closing mark.
func closed(s []byte, lo int, closer byte, atEOF bool) (from, hi, end int, v answer) {
	b := s[:min(len(s), decode.MaxAhead)]
	depth, lines := 0, 0
	for i := lo; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\':
			if i+1 == len(b) {
				break
			}
			name, ok := nameOf(b[i:], true)
			if ok && isReference(name) {
				return 0, 0, 0, no
			}
			i++
			lines = 0
		case c == closer && depth == 0:
			return lo, i, i + 1, yes
		case c == '{':
			if depth++; depth > maxDepth {
				return 0, 0, 0, no
			}
			lines = 0
		case c == '}':
			if depth--; depth < 0 {
				return 0, 0, 0, no
			}
			lines = 0
		case c == '\n':
			if lines++; lines > 1 {
				return 0, 0, 0, no
			}
		case !octet.IsSpace(c):
			lines = 0
		}
	}
	return 0, 0, 0, unlessShort(len(b) < decode.MaxAhead, atEOF)
}

// characters maps commands to the character that they represent.
var characters = map[string]string{
	"&": "&", "#": "#", "_": "_", "%": "%", "$": "$", "{": "{", "}": "}", "~": "~", "^": "^",
	",": " ", ";": " ", ":": " ", " ": " ", "\t": " ", "\n": "\n", `\`: " ", "-": "", "/": "",
	"textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_", "textbackslash": `\`, "textbar": "|",
	"textless": "<", "textgreater": ">", "textdollar": "$", "textquotesingle": "'", "slash": "/", "lbrace": "{", "rbrace": "}",
	"allowbreak": "", "string": "", "protect": "",
}

// escape returns the length of the command with that name at the beginning of s, and the
// character that it represents. After a name of letters, "{}" or one space belongs to the command.
// After \~ and \^, "{}" does; without it, \^ is an accent and no escape.
func escape(s, name []byte, atEOF bool) (n int, text string, v answer) {
	text, ok := characters[string(name)]
	if !ok {
		return 0, "", no
	}
	n = 1 + len(name)
	letters := octet.IsLetter(name[0])
	if !letters && name[0] != '~' && name[0] != '^' || string(name) == "string" || string(name) == "protect" {
		return n, text, yes
	}
	if len(s) < n+2 && !atEOF && (len(s) == n || s[n] == '{' || s[n] == ' ') {
		return 0, "", more
	}
	switch {
	case len(s) >= n+2 && s[n] == '{' && s[n+1] == '}':
		n += 2
	case name[0] == '^':
		return 0, "", no // an accent
	case letters && n < len(s) && s[n] == ' ':
		n++
	}
	return n, text, yes
}

// appendValue appends raw with its escapes decoded, without white space, without comments
// at line ends, and without the braces around a single escape.
func appendValue(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case octet.IsSpace(c):
			i++
			continue
		case c == '%' && i+1 < len(raw) && (raw[i+1] == '\n' || raw[i+1] == '\r'):
			i += 2
			continue
		case c == '\\':
			name, _ := nameOf(raw[i:], true)
			if string(name) == `\` {
				break
			}
			n, text, v := escape(raw[i:], name, true)
			if v == yes {
				braced := len(dst) > 0 && dst[len(dst)-1] == '{' && i > 0 && raw[i-1] == '{' && i+n < len(raw) && raw[i+n] == '}'
				if i += n; braced {
					dst = dst[:len(dst)-1]
					i++
				}
				dst = append(dst, text...)
				continue
			}
		}
		dst = append(dst, c)
		i++
	}
	return dst
}

// Sniff reports whether head is the beginning of a TeX document or a BibTeX database. The
// first line that is neither empty nor a comment must begin with an entry (@article{), or
// with a command; in the second case some line must begin with a command that only
// documents have. whole says that head is all there is. wait reports that more bytes may
// change the answer.
func Sniff(head []byte, whole bool) (is, wait bool) {
	for first := true; len(head) > 0; {
		line, rest, ended := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimLeft(line, " \t\r")
		head = rest
		if len(line) == 0 || first && line[0] == '%' {
			continue
		}
		if first && line[0] == '@' {
			return entry(line, ended || whole)
		}
		if first && (line[0] != '\\' || len(line) > 1 && !octet.IsLetter(line[1])) {
			return false, false
		}
		first = false
		name := line[:min(len(line), maxName)]
		switch {
		case bytes.HasPrefix(line, []byte(`\input texinfo`)): // Texinfo: its commands begin with "@"
			return false, false
		case !ended && !whole && strings.HasPrefix(`\input texinfo`, string(name)):
			return false, true
		}
		for _, m := range marks {
			if bytes.HasPrefix(name, []byte(m)) && (m[len(m)-1] == '{' || len(name) == len(m) || !octet.IsLetter(name[len(m)])) {
				if len(name) == len(m) && m[len(m)-1] != '{' && !ended && !whole {
					return false, true
				}
				return true, false
			}
		}
	}
	return false, !whole
}

// marks begin lines that occur only in TeX documents.
var marks = []string{`\documentclass`, `\documentstyle`, `\input`, `\usepackage`, `\RequirePackage`, `\NeedsTeXFormat`, `\begin{`,
	`\ProvidesPackage`, `\ProvidesClass`, `\ProvidesFile`, `\chapter`, `\section`, `\subsection`}

// entry reports whether line begins with an entry of BibTeX.
func entry(line []byte, ended bool) (is, wait bool) {
	n := 1
	for n < len(line) && n < maxName && octet.IsLetter(line[n]) {
		n++
	}
	name := strings.ToLower(string(line[1:n]))
	if n < len(line) {
		after := bytes.TrimLeft(line[n:], " \t")
		known := strings.Contains(entries, " "+name+" ")
		if !known || len(after) > 0 || ended {
			return known && len(after) > 0 && (after[0] == '{' || after[0] == '('), false
		}
	}
	return false, !ended && strings.Contains(entries, " "+name)
}

// entries are the kinds of entries of BibTeX and biblatex.
const entries = " article book booklet bookinbook collection comment conference dataset electronic inbook incollection " +
	"inproceedings inreference jurisdiction manual mastersthesis misc mvbook online patent periodical phdthesis preamble " +
	"proceedings reference report set software string suppbook techreport thesis unpublished video www xdata "
