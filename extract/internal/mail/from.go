package mail

import (
	"bytes"
	"unicode"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// The table in doc.go says which From_ lines begin messages.

// A grade says what a line "From ..." shows by itself.
type grade uint8

const (
	noFrom  grade = iota // text: it ends like a phrase in front of a quotation, or holds a CR
	prose                // several words without a digit: as undated, but in fewer places
	undated              // it may separate if a field with a known name follows
	dated                // it has a sender and a date
)

// fromLine grades a line that begins with "From ", without its line end. The line is
// dated if it has a sender and a date in one of these forms (RFC 4155, appendix A, and
// the output of programs):
//
//	From a@b Mon Jan  3 12:00:00 2000
//	From a at b  Mon Jan  3 12:00 EST 2000
//	From - Mon Jan 03 12:00:00 +0100 2000
//	From ???@??? Mon, 3 Jan 2000 12:00:00 +0100
//
// No other word may be between the weekday or month and the end of the date. A line without a date
// has nothing that could be required of it: programs write "From ", "From - ", "From someone",
// "From -8946248053963491671" and dates in other forms.
func fromLine(line []byte) grade {
	if bytes.IndexByte(line, '\r') >= 0 {
		return noFrom
	}
	first, rest := word(line[len("From "):])
	others := bytes.TrimSpace(rest)
	var d date
	for len(rest) > 0 && !d.full() {
		var w []byte
		w, rest = word(rest)
		d.add(w)
	}
	if d.full() {
		return dated
	}
	switch c := line[len(line)-1]; {
	case c == ':' || c == ',':
		return noFrom
	case len(first) > 0 && len(others) > 0 && !bytes.ContainsFunc(others, unicode.IsDigit):
		return prose
	}
	return undated
}

// separatesAlone reports whether a line of the grade g is a From_ line if the line in front of it is
// blank: it has a date, or rest, which follows the line, begins with a field, whose name must be
// known if known is set. whole says that no more bytes than rest can be examined; otherwise wait
// reports that more bytes may change the answer.
func (g grade) separatesAlone(rest []byte, whole, known bool) (yes, wait bool) {
	if g == undated || g == prose {
		yes, wait = fieldNext(rest, whole, known)
		if yes && !wait && known && g == prose {
			n, _, _ := fieldName(rest)
			yes = weigh(rest[:n]) != unknown || rest[0]|0x20 == 'x' // not any word with a hyphen
		}
		return yes && len(rest) > 0, wait
	}
	return g == dated, false
}

// hasReference reports whether a From_ line of the grade g may hold a reference, an abbreviated one or,
// among other words, an address. Such a line may be text that was taken for a separator, and is a
// part of its own. Only the colons of a time of day show nothing.
func (g grade) hasReference(line []byte) bool {
	for i, c := range line {
		next := byte(' ')
		if i+1 < len(line) {
			next = line[i+1]
		}
		switch {
		case c == ':' && (g != dated || next < '0' || next > '9') && next != ' ':
			return true
		case c == '@' && g == prose:
			return true
		case c == '.' && i > 3 && (same(line[i-3:i], []byte("www")) || same(line[i-3:i], []byte("ftp"))):
			return true
		}
	}
	return false
}

// FindMessage returns the index of the first line in b, at or after from, that begins a message of
// an [Mbox] whatever lines are in front of it: a From_ line after a blank line that b shows to be
// one. Only a Content-Length in front of b may still make this line text. FindMessage returns -1
// if there is no such line. Each line is examined once.
func FindMessage(b []byte, from int) int {
	for i := min(len(b), max(0, from-1)); ; {
		k := octet.Pair(b[i:], [4]byte{'\n', 'F', 'F', 'F'})
		if k < 0 {
			return -1
		}
		if i += k + 1; i >= from && isMessage(b, i) {
			return i
		}
	}
}

// isMessage is FindMessage for the line b[at], which is not the first.
func isMessage(b []byte, at int) bool {
	if !bytes.HasPrefix(b[at:], fromBegins[1:]) || !bytes.HasSuffix(bytes.TrimRight(b[:at-1], "\r"), newline) {
		return false
	}
	v := b[at:min(len(b), at+lookahead)]
	line, n, full := cutLine(v)
	if !full {
		return false
	}
	yes, wait := fromLine(line).separatesAlone(v[n:], len(v) == lookahead, true)
	return yes && !wait
}

var (
	fromBegins = []byte("\nFrom ")
	newline    = []byte{'\n'}
)

// A date says which elements of a date were found.
type date struct{ weekday, month, day, time, year bool }

// full reports whether d is complete. After a weekday a year may have two digits.
func (d date) full() bool { return d.month && d.day && d.time && d.year }

// add takes the next word. After a word that cannot be in a date, it expects a new date.
func (d *date) add(w []byte) {
	w = bytes.TrimSuffix(w, []byte(","))
	switch n, ok := number(w); {
	case among(w, "SunMonTueWedThuFriSat"):
		*d = date{weekday: true}
	case among(w, "JanFebMarAprMayJunJulAugSepOctNovDec"):
		d.month = true
	case !d.weekday && !d.month: // part of the sender
	case ok && len(w) <= 2 && !d.day && 1 <= n && n <= 31:
		d.day = true
	case ok && (len(w) == 4 && 1900 <= n && n < 2200 || len(w) == 2 && d.weekday && d.day):
		d.year = true
	case clockTime(w):
		d.time = true
	case len(w) > 0 && (w[0] == '+' || w[0] == '-' || w[0] == '(' || 'A' <= w[0] && w[0] <= 'Z'): // a zone
	default:
		*d = date{}
	}
}

// among reports whether w is one of the names of three letters in list.
func among(w []byte, list string) bool {
	if len(w) != 3 {
		return false
	}
	for i := 0; i < len(list); i += 3 {
		if w[0]|0x20 == list[i]|0x20 && w[1]|0x20 == list[i+1] && w[2]|0x20 == list[i+2] {
			return true
		}
	}
	return false
}

// clockTime reports whether w is h:mm or hh:mm, with or without :ss after it.
func clockTime(w []byte) bool {
	k := bytes.IndexByte(w, ':')
	if k < 1 || k > 2 || len(w) != k+3 && len(w) != k+6 {
		return false
	}
	for i, c := range w {
		if (i == k || i == k+3) != (c == ':') || c != ':' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// An mbox decides which From_ lines begin messages.
type mbox struct {
	in       *input
	last     fromGrade
	promised int64 // raw offset at which the message ends according to its Content-Length; 0 if it has none
	kept     int64 // the same offset, once a message was found to end there
}

// A fromGrade is the grade of the last line that was graded. It is kept because a separator is
// examined when it is found, when it is handled, and when it is skipped: without it, a mailbox of
// short messages takes 1.09 times the processor time.
type fromGrade struct {
	raw int64 // raw offset of the line
	len int
	g   grade
}

// gradeLine is fromLine for the line at the raw offset raw.
func (m *mbox) gradeLine(raw int64, line []byte) grade {
	if l := &m.last; l.len != len(line) || l.raw != raw {
		*l = fromGrade{raw, len(line), fromLine(line)}
	}
	return m.last.g
}

// expect records where the body that begins at the raw offset raw should end. value is its
// Content-Length, or "" if there is none.
func (m *mbox) expect(raw int64, value []byte) {
	m.promised, m.kept = 0, 0
	if n, ok := number(value); ok && n > 0 {
		m.promised = raw + n
	}
}

// separates decides whether the line at i is a From_ line that ends the message (RFC 4155, section
// 2 and appendix A; see the table in doc.go). v and whole are what view returns for that line.
// entity is the raw offset of the current entity: a From_ line at that offset is treated as if a
// blank line preceded it. nested says that the entity is in a multipart or in another message.
func (m *mbox) separates(v []byte, whole bool, i int, entity int64, nested bool) special {
	in := m.in
	if yes, may := begins(v, "From "); !yes {
		if may && !whole {
			return short
		}
		return ordinary
	}
	line, n, full := cutLine(v)
	if !full {
		if !whole {
			return short
		}
		if len(v) == lookahead {
			return ordinary
		}
	}
	var yes, wait bool
	if g := m.gradeLine(in.raw(i), line); g == prose && nested {
		return ordinary
	} else if in.blankBefore(i) || in.raw(i) == entity && (g == dated || !nested) {
		yes, wait = g.separatesAlone(v[n:], whole, true)
	} else if g == dated {
		yes, wait = fieldNext(v[n:], whole, false)
		yes = yes && n < len(v)
	}
	if wait {
		return short
	}
	if !yes {
		return ordinary
	}
	if in.raw(i) < m.promised {
		return m.promise(i)
	}
	return separator
}

// dropFrom skips the ">From " lines of gateways (RFC 976, section 2.4) in front of a header. If
// separator is true, it skips one From_ line first.
func (m *mbox) dropFrom(separator bool) {
	for {
		quoted, yes, _ := m.fromAhead()
		if !yes || !quoted && !separator {
			return
		}
		m.in.dropLine()
		separator = false
	}
}

// fromAhead reports whether the line at lo, where a message begins, is a From_ line in front of a
// header (yes), with a '>' in front (quoted); line is that line. It reads until it knows.
func (m *mbox) fromAhead() (quoted, yes bool, line []byte) {
	in := m.in
	for {
		hi, last := in.articleEnd()
		v, whole := in.view(in.lo, hi, last)
		rest := bytes.TrimPrefix(v, gateway)
		from, wait := begins(rest, "From ")
		if from {
			text, n, full := cutLine(rest)
			if wait = !full; full || whole {
				g := m.gradeLine(in.raw(in.lo+len(v)-len(rest)), text)
				yes, wait = g.separatesAlone(rest[n:], whole, false)
			}
			line = v[:len(v)-len(rest)+n]
		}
		if !wait || whole {
			return len(rest) < len(v), yes, line
		}
		in.fill()
	}
}

var gateway = []byte{'>'}

// promise decides whether the From_ line at i, which is within the body according to
// Content-Length, is text. It is text if a From_ line or the end of the stream is where the
// body should end. This is examined only if the buffer can reach so far. A Content-Length that
// is too large or wrong is ignored from then on.
func (m *mbox) promise(i int) special {
	const tail = len("\r\n\r\nFrom ")
	in := m.in
	if in.raw(i) < m.kept {
		return ordinary
	}
	if m.promised-in.raw(i) > bufSize-64 {
		m.promised = 0
		return separator
	}
	k := int(m.promised - in.at)
	if k+tail > in.hi && in.err == nil {
		return short
	}
	rest := in.buf[min(k, in.hi):min(k+tail, in.hi)]
	ends := k <= in.hi && in.buf[k-1] == '\n' || k < in.hi && (in.buf[k] == '\n' || in.buf[k] == '\r')
	from, _ := begins(bytes.TrimLeft(rest, "\r\n"), "From ")
	if ends && (from || len(bytes.TrimLeft(rest, "\r\n")) == 0 && k+len(rest) == in.hi && in.err != nil) {
		m.kept = m.promised
		return ordinary
	}
	m.promised = 0
	return separator
}

// LastMessage is FindMessage for the last such line in b of which "From " is in front of the offset end.
// Each line is examined once.
func LastMessage(b []byte, end int) int {
	for end = min(end, len(b)); end > 0; {
		k := bytes.LastIndex(b[:end], fromBegins)
		if k < 0 {
			return -1
		}
		// The line and the field after it decide, so what b has after them makes no difference.
		if at := k + 1; FindMessage(b[:min(len(b), at+lookahead)], at) == at {
			return at
		}
		end = k + 1
	}
	return -1
}
