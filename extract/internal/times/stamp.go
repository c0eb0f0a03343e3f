package times

import (
	"time"
)

// A stampReader has the parts of a time stamp.
type stampReader struct {
	year, day, hour, minute, second int
	month                           time.Month
}

// clock reads hh:mm:ss, which is not part of a longer number.
func (s *stampReader) clock(b []byte) bool {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' || len(b) > 8 && (isDigit(b[8]) || b[8] == ':') {
		return false
	}
	var ok [3]bool
	s.hour, ok[0] = digits(b[:2])
	s.minute, ok[1] = digits(b[3:5])
	s.second, ok[2] = digits(b[6:8])
	return ok[0] && ok[1] && ok[2] && s.hour < 24 && s.minute < 60 && s.second <= 60
}

// date reads the date in front of the clock, and the zone after it. It returns the time in
// seconds since 1970.
func (s *stampReader) date(front, after []byte, notAfter func() time.Time) (int64, bool) {
	ok := false
	switch {
	case len(front) == 0:
		return 0, false
	case front[len(front)-1] == ':':
		ok = s.common(front)
	case s.numbers(front):
		ok = true
		after = fraction(after)
	case s.named(front):
		return s.withYear(fraction(after), notAfter)
	}
	if !ok {
		return 0, false
	}
	offset, known := zone(after)
	t, ok := s.utc()
	return t - offset, ok && known
}

// utc returns the time as if it were in UTC, in seconds since 1970. It returns false if the
// month has no such day. It needs a third of the time that time.Date needs.
func (s *stampReader) utc() (int64, bool) {
	year, month := s.year, int(s.month)
	leap := year%4 == 0 && (year%100 != 0 || year%400 == 0)
	if most := "\x00\x1f\x1c\x1f\x1e\x1f\x1e\x1f\x1f\x1e\x1f\x1e\x1f"[month]; s.day < 1 || s.day > int(most) && !(leap && month == 2 && s.day == 29) {
		return 0, false
	}
	// Years begin in March here, so that the leap day is the last of its year.
	if month < 3 {
		year, month = year-1, month+12
	}
	days := 365*year + floor(year, 4) - floor(year, 100) + floor(year, 400) + (153*(month-3)+2)/5 + s.day - 719469
	return int64(days)*86400 + int64(s.hour*3600+s.minute*60+s.second), true
}

// floor returns a divided by b, rounded down.
func floor(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// common reads 10/Oct/2000: at the end of b.
func (s *stampReader) common(b []byte) bool {
	const form = "02/Jan/2006:"
	if len(b) < len(form) {
		return false
	}
	b = b[len(b)-len(form):]
	var day, year bool
	s.day, day = digits(b[:2])
	s.year, year = digits(b[7:11])
	s.month = monthOf(b[3:6])
	return day && year && s.month > 0 && b[2] == '/' && b[6] == '/'
}

// numbers reads 2000-10-10T at the end of b.
func (s *stampReader) numbers(b []byte) bool {
	const form = "2006-01-02T"
	n := len(b) - len(form)
	if n < 0 || n > 0 && isDigit(b[n-1]) {
		return false
	}
	b = b[n:]
	if mark := b[10]; mark != 'T' && mark != 't' && mark != ' ' || b[4] != b[7] || b[4] != '-' && b[4] != '/' {
		return false
	}
	var ok [3]bool
	var month int
	s.year, ok[0] = digits(b[:4])
	month, ok[1] = digits(b[5:7])
	s.day, ok[2] = digits(b[8:10])
	s.month = time.Month(month)
	return ok[0] && ok[1] && ok[2] && month >= 1 && month <= 12
}

// named reads "Oct 10 " or "Oct  9 " at the end of b.
func (s *stampReader) named(b []byte) (ok bool) {
	const form = "Jan _2 "
	n := len(b) - len(form)
	if n < 0 || n > 0 && (b[n-1]|0x20 >= 'a' && b[n-1]|0x20 <= 'z' || isDigit(b[n-1])) {
		return false
	}
	b = b[n:]
	if b[3] != ' ' || b[6] != ' ' {
		return false
	}
	day := b[4:6]
	if day[0] == ' ' {
		day = day[1:]
	}
	s.day, ok = digits(day)
	s.month = monthOf(b[:3])
	return ok && s.month > 0
}

// withYear returns the time of a day in a named month. The year is at the beginning of after. If no
// year is there, it is the last year in which the time is not later than notAfter.
func (s *stampReader) withYear(after []byte, notAfter func() time.Time) (int64, bool) {
	if len(after) >= 5 && after[0] == ' ' && (len(after) == 5 || !isDigit(after[5])) {
		if year, ok := digits(after[1:5]); ok {
			s.year = year
			return s.utc()
		}
	}
	latest := notAfter()
	for s.year = latest.Year(); s.year > latest.Year()-9; s.year-- { // leap years are 8 years apart at most
		if t, ok := s.utc(); ok && t <= latest.Unix() {
			return t, true
		}
	}
	return 0, false
}

// fraction returns b without a fraction of a second at its beginning.
func fraction(b []byte) []byte {
	if len(b) < 2 || b[0] != '.' && b[0] != ',' || !isDigit(b[1]) {
		return b
	}
	for b = b[1:]; len(b) > 0 && isDigit(b[0]); { // a digit in each iteration
		b = b[1:]
	}
	return b
}

// zone returns the offset of the zone at the beginning of b in seconds: Z, +02:00, +0200 or
// nothing. It returns false if no place has such a zone.
func zone(b []byte) (seconds int64, ok bool) {
	if len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if len(b) < 5 || b[0] != '+' && b[0] != '-' {
		return 0, true
	}
	hours, ok := digits(b[1:3])
	rest := b[3:]
	if rest[0] == ':' {
		rest = rest[1:]
	}
	if !ok || len(rest) < 2 {
		return 0, true
	}
	minutes, ok := digits(rest[:2])
	if !ok {
		return 0, true
	}
	if seconds = int64(hours*60+minutes) * 60; b[0] == '-' {
		seconds = -seconds
	}
	return seconds, hours < 16 && minutes < 60
}

var monthNames = [12][3]byte{{'j', 'a', 'n'}, {'f', 'e', 'b'}, {'m', 'a', 'r'}, {'a', 'p', 'r'}, {'m', 'a', 'y'}, {'j', 'u', 'n'},
	{'j', 'u', 'l'}, {'a', 'u', 'g'}, {'s', 'e', 'p'}, {'o', 'c', 't'}, {'n', 'o', 'v'}, {'d', 'e', 'c'}}

// monthOf returns the month with that English abbreviation, in any case, or 0.
func monthOf(b []byte) time.Month {
	low := [3]byte{b[0] | 0x20, b[1] | 0x20, b[2] | 0x20}
	for i := range monthNames {
		if monthNames[i] == low {
			return time.Month(i + 1)
		}
	}
	return 0
}

// digits returns the number of a few digits.
func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
