package output

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/record"
)

// A Style says how lines of text look on a terminal. The zero Style is plain text.
type Style struct {
	Color bool   // colours, those of grep
	Links bool   // names and line numbers are links to the file (OSC 8)
	Host  string // in links: the name of this machine
	Stdin string // the name of standard input, which has no link
}

// The colours of the items of a line.
const (
	nameColor   = "\x1b[35m"
	numberColor = "\x1b[32m"
	markColor   = "\x1b[36m" // between items
	faultColor  = "\x1b[31m"
	noColor     = "\x1b[0m"
)

// The text around a link: OSC 8, with the URI after linkBegin.
const (
	linkBegin = "\x1b]8;;"
	linkEnd   = "\x1b\\"
)

// begin begins a colour, if there are colours.
func (s *Style) begin(dst []byte, color string) []byte {
	if !s.Color {
		return dst
	}
	return append(dst, color...)
}

func (s *Style) end(dst []byte) []byte { return s.begin(dst, noColor) }

// paint appends text in a colour.
func (s *Style) paint(dst []byte, color, text string) []byte {
	return s.end(append(s.begin(dst, color), text...))
}

// Names prints the names of sources.
type Names struct {
	Style
	Safe      bool // for a terminal: no control characters
	Passwords Passwords

	linked, link string // the last source that was linked to, and its URI
}

// Append appends the name of a source for a line without line number, column and offset.
func (n *Names) Append(dst []byte, source string) []byte {
	dst, linked := n.open(dst, source, 0)
	dst = n.name(dst, source, "")
	return n.close(dst, linked)
}

// name appends the name of a source and of a member of it, in colour.
func (n *Names) name(dst []byte, source, member string) []byte {
	dst = appendName(n.begin(dst, nameColor), n.Passwords.Text(source), n.Safe)
	if member != "" {
		dst = append(dst, '!')
		dst = appendName(dst, n.Passwords.Text(member), n.Safe)
	}
	return n.end(dst)
}

// open begins a link to a line of source, or to the whole source if line is 0. Without links it
// does nothing.
func (n *Names) open(dst []byte, source string, line int64) (_ []byte, linked bool) {
	if !n.Links || source == "-" || source == n.Stdin {
		return dst, false
	}
	if n.linked != source {
		n.linked, n.link = source, n.uri(source)
	}
	if n.link == "" {
		return dst, false
	}
	dst = append(append(dst, linkBegin...), n.link...)
	if line > 0 {
		dst = strconv.AppendInt(append(dst, '#'), line, 10)
	}
	return append(dst, linkEnd...), true
}

// close ends a link that open began.
func (n *Names) close(dst []byte, linked bool) []byte {
	if !linked {
		return dst
	}
	return append(append(dst, linkBegin...), linkEnd...)
}

// uri returns the URI of a file, or "" if it has a password and passwords are removed.
func (n *Names) uri(source string) string {
	path, err := filepath.Abs(source)
	if err != nil || n.Passwords.Text(path) != path {
		return ""
	}
	path = filepath.ToSlash(path)
	b := append([]byte("file://"), n.Host...)
	if !strings.HasPrefix(path, "/") { // C:/
		b = append(b, '/')
	}
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(path) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("/-._~:", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

// appendName appends a name, unchanged or made safe for a terminal.
func appendName(dst []byte, name string, safe bool) []byte {
	if safe {
		return record.AppendVisible(dst, name)
	}
	return append(dst, name...)
}
