package extract

import (
	"strings"
	"time"
)

// Dates as messages have them (RFC 5322, section 3.3), and as old programs wrote
// them. The standard library reads the former, but with package net come a
// resolver and C, which a C compiler is needed for and half a gigabyte of address
// space; and zones by name are to it those of the machine that it runs on.

// Time returns when the message was written, and false if its Date field is missing
// or cannot be understood (RFC 5322, section 3.3 and 4.3, and what RFC 850, asctime
// and old news programs wrote). What time it was where the zone is missing, or has a
// name that is in none of these, nobody can tell.
func (o Origin) Time() (time.Time, bool) {
	if len(o.Date) > 4 && o.Date[4] == '-' {
		t, err := time.Parse(time.RFC3339, o.Date)
		return t, err == nil
	}
	var d dateFields
	return d.parse(o.Date)
}

// dateFields are what was found of a date.
type dateFields struct {
	day, month, year int
	hour, min, sec   int
	clock            bool
	zone             int // seconds east of Greenwich
	zones            int // that were told
}

// parse takes each word of s for what it looks like. Those that are numbers are
// the day and the year, in that order. Each word is looked at once.
func (d *dateFields) parse(s string) (t time.Time, ok bool) {
	words := 0
	for word, s := dateWord(s); word != ""; word, s = dateWord(s) {
		if !d.word(word, words == 0) {
			return t, false
		}
		words++
	}
	if d.day == 0 || d.month == 0 || d.year == 0 || !d.clock || d.zones == 0 {
		return t, false
	}
	loc := time.UTC
	if d.zone != 0 {
		loc = time.FixedZone("", d.zone)
	}
	t = time.Date(d.year, time.Month(d.month), d.day, d.hour, d.min, d.sec, 0, loc)
	return t, d.sec == 60 || t.Day() == d.day // there is no 31st of February
}

// word takes one word, and reports whether a date may have it there.
func (d *dateFields) word(w string, first bool) bool {
	n, digits := number(w)
	switch {
	case strings.IndexByte(w, ':') > 0:
		return !d.clock && d.time(w)
	case w[0] == '+' || w[0] == '-':
		n, digits = number(w[1:])
		if digits != 4 || d.zones > 0 || n%100 >= 60 {
			return false
		}
		d.zone = (n/100*60 + n%100) * 60
		if w[0] == '-' {
			d.zone = -d.zone
		}
		d.zones++
	case digits == 1 || digits == 2 && d.day == 0:
		if d.day > 0 || n < 1 || n > 31 {
			return false
		}
		d.day = n
	case digits >= 2 && digits <= 4:
		if d.day == 0 || d.year > 0 {
			return false
		}
		switch { // RFC 5322, section 4.3
		case digits == 2 && n < 50:
			n += 2000
		case digits < 4:
			n += 1900
		}
		d.year = n
	case digits > 0 || w[0] >= '0' && w[0] <= '9':
		return false
	case d.month == 0 && monthOf(w) > 0:
		d.month = monthOf(w)
	case first: // the day of the week
	case d.clock && d.zones < 2: // a zone, or the name of one that was told
		if d.zones == 0 {
			hours, known := zoneOf(w)
			if !known {
				return false
			}
			d.zone = hours * 3600
		}
		d.zones++
	default:
		return false
	}
	return true
}

// time takes hours, minutes and perhaps seconds.
func (d *dateFields) time(w string) bool {
	d.clock = true
	for i, field := range [...]*int{&d.hour, &d.min, &d.sec} {
		part, rest, more := strings.Cut(w, ":")
		n, digits := number(part)
		if digits < 1 || digits > 2 || n > [...]int{23, 59, 60}[i] {
			return false
		}
		*field = n
		if w = rest; !more {
			return i > 0
		}
	}
	return false
}

// dateWord returns the first word of s, and what follows it. Blanks and commas part
// words, as do hyphens in 2-Jan-98 and a sign behind the time; comments are none.
func dateWord(s string) (word, rest string) {
	depth, start := 0, -1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case depth > 0 && c == '\\':
			i++
			continue
		case c == '(':
			depth++
		case depth > 0 && c == ')':
			depth--
			continue
		}
		sign := s[i] == '-' || s[i] == '+'
		apart := depth > 0 || s[i] <= ' ' || s[i] == ',' || sign && start >= 0
		switch {
		case !apart && start < 0:
			start = i
		case apart && start >= 0 && sign && strings.IndexByte(s[start:i], ':') < 0:
			return s[start:i], s[i+1:]
		case apart && start >= 0:
			return s[start:i], s[i:]
		}
	}
	if start < 0 {
		return "", ""
	}
	return s[start:], ""
}

// number returns what the digits of w say and how many they are, 0 if w has
// something else or has more than 4.
func number(w string) (n, digits int) {
	if len(w) > 4 {
		return 0, 0
	}
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return 0, 0
		}
		n = 10*n + int(w[i]-'0')
	}
	return n, len(w)
}

// monthOf returns the number of the month that w names, in full or by three
// letters; 0 if it names none.
func monthOf(w string) int {
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	if len(w) < 3 {
		return 0
	}
	i := strings.Index(names, strings.ToLower(w[:3]))
	if i < 0 || i%3 != 0 || len(w) > 3 && !strings.EqualFold(w, time.Month(i/3+1).String()) {
		return 0
	}
	return i/3 + 1
}

// zoneOf returns how many hours east of Greenwich the zone called w lies (RFC
// 5322, section 4.3), if it is one of those in the document.
func zoneOf(w string) (hours int, ok bool) {
	switch strings.ToUpper(w) {
	case "UT", "GMT", "UTC", "Z":
		return 0, true
	case "EDT":
		return -4, true
	case "EST", "CDT":
		return -5, true
	case "CST", "MDT":
		return -6, true
	case "MST", "PDT":
		return -7, true
	case "PST":
		return -8, true
	}
	return 0, false
}
