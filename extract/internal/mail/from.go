package mail

import "bytes"

// A grade says how certain it is that a line "From ..." separates messages.
type grade uint8

const (
	noFrom grade = iota
	doubtful
	dated
)

// fromLine judges a line that begins with "From ", without its line end. The line is
// dated if it has a sender and a date in one of these forms (RFC 4155, appendix A, and
// the output of programs):
//
//	From a@b Mon Jan  3 12:00:00 2000
//	From a at b  Mon Jan  3 12:00 EST 2000
//	From - Mon Jan 03 12:00:00 +0100 2000
//	From ???@??? Mon, 3 Jan 2000 12:00:00 +0100
//
// It is doubtful if it has only an address. Any other line is running text: no other word
// may be between the weekday or month and the end of the date.
func fromLine(line []byte) grade {
	rest := line[len("From "):]
	first, rest := word(rest)
	if len(first) == 0 {
		return noFrom
	}
	var d date
	for len(rest) > 0 && !d.full() { // each iteration passes a word
		var w []byte
		w, rest = word(rest)
		d.add(w)
	}
	if d.full() {
		return dated
	}
	if k := bytes.IndexByte(first, '@'); k > 0 && alnum(first[len(first)-1]) || k > 0 && first[len(first)-1] == '>' {
		return doubtful
	}
	return noFrom
}

// A fromGrade is the grade of the last From_ line. A separator is examined three times:
// when it is found, when it is handled, and when it is skipped.
type fromGrade struct {
	raw int64 // raw offset of the line
	len int
	g   grade
}

// judgeFrom is fromLine for the line at the raw offset raw.
func (r *Reader) judgeFrom(raw int64, line []byte) grade {
	if m := &r.lastFrom; m.len != len(line) || m.raw != raw {
		*m = fromGrade{raw, len(line), fromLine(line)}
	}
	return r.lastFrom.g
}

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

// A date says which elements of a date were found.
type date struct{ weekday, month, day, time, year bool }

// full reports whether d is complete. After a weekday a year may have two digits.
func (d date) full() bool { return d.month && d.day && d.time && d.year }

// add takes the next word. A word that cannot be in a date starts over.
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

// number returns the value of w if it is 1 to 18 digits.
func number(w []byte) (n int64, ok bool) {
	if len(w) == 0 || len(w) > 18 {
		return 0, false
	}
	for _, c := range w {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// clockTime reports whether w is h:mm, hh:mm, or that with :ss.
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

// alnum reports whether c is a letter or digit of ASCII.
func alnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
