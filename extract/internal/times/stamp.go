package times

import (
	"bytes"
	"io"
	"time"
)

// The time of a reference is the first time stamp in its line that is in front of it. These forms
// are read:
//
//	[10/Oct/2000:13:55:36 -0700]       web servers: the common log format
//	2000-10-10T13:55:36.123+02:00      ISO 8601 and RFC 3339; also with a blank for the T, with
//	                                   slashes for the hyphens, and with a blank before the zone
//	Oct 10 13:55:36                    syslog
//	Tue Oct 10 13:55:36.123456 2000    asctime
//
// A stamp without a zone is in UTC. A stamp without a year is of the last year in which its time
// is at most 24 hours after the file was changed.

// MaxLine is how far in front of a reference its line may begin, in bytes.
const MaxLine = 4 << 10

// LineStamps reads a text for the scanner. It keeps the last bytes of the text: as many as the
// scanner's window has, plus MaxLine+1. So it still has the line of each candidate that the
// scanner returns, however the text is divided into Reads.
type LineStamps struct {
	in      io.Reader
	modTime func() time.Time

	window int    // how many bytes are kept: the scanner's window, and MaxLine+1
	buf    []byte // the end of what was read; at most 2*window bytes
	base   int64  // offset of buf[0] in the text

	// The line of the last candidate.
	last   int64 // offset of that candidate
	start  int64 // offset of the beginning of the line; -1 if there is none
	done   int64 // the line has no stamp in front of this offset
	at     int64 // the time of the stamp, if found is set
	found  bool
	latest time.Time // no stamp without a year is after this; zero if not asked for yet
}

// minScannerWindow is the size of the window of package delimit for usual limits.
const minScannerWindow = 128 << 10

// Reset prepares l for a text that begins at the offset start.
func (l *LineStamps) Reset(in io.Reader, start int64, maxLen int, modTime func() time.Time) {
	*l = LineStamps{in: in, base: start, start: -1, modTime: modTime, buf: l.buf[:0], window: max(minScannerWindow, 8*maxLen) + MaxLine + 1}
}

// Read reads once.
func (l *LineStamps) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	if most := 2 * l.window; len(l.buf)+n > most {
		keep := max(0, len(l.buf)-l.window)
		l.base += int64(keep)
		l.buf = append(l.buf[:0], l.buf[keep:]...)
	}
	l.buf = append(l.buf, p[:n]...)
	return n, err
}

// Stamp returns the time of a stamp: the first one in the line that the offset at is in, if it is
// in front of at. seconds counts from 1970. Each byte of a line is searched only once for stamps.
// For the beginning of a candidate's line, at most MaxLine bytes are searched.
func (l *LineStamps) Stamp(at int64) (seconds int64, found bool) {
	end := int(at - l.base)
	if end < 0 || end > len(l.buf) {
		return 0, false
	}
	begin := l.lineOf(end)
	if begin < 0 {
		return 0, false
	}
	if start := l.base + int64(begin); start != l.start {
		l.start, l.done, l.found = start, start, false
	}
	if !l.found {
		done := max(begin, int(l.done-l.base)-maxStamp)
		if l.at, l.found = l.search(l.buf[begin:end], done-begin); !l.found {
			l.done = at
		}
	}
	return l.at, l.found
}

// lineOf returns the index of the beginning of the line of buf[end], or -1 if that is more
// than MaxLine in front. It searches forward from the last candidate if that is near.
// Without that, the beginning of a line with many references is searched for each of them, and
// logs with 600 references in a line take 3.2 times the processor time.
func (l *LineStamps) lineOf(end int) int {
	from, begin := max(0, end-MaxLine-1), 0
	if last := int(l.last - l.base); last > from && last <= end && l.start >= l.base {
		begin = int(l.start - l.base)
		for last < end {
			k := bytes.IndexByte(l.buf[last:end], '\n')
			if k < 0 {
				break
			}
			last += k + 1
			begin = last
		}
	} else if k := bytes.LastIndexByte(l.buf[from:end], '\n'); k >= 0 || from == 0 {
		begin = from + k + 1
	} else {
		begin = -1
	}
	l.last = l.base + int64(end)
	if begin >= 0 && end-begin > MaxLine {
		return -1
	}
	return begin
}

// maxStamp is more than the length of a stamp.
const maxStamp = 64

// search returns the time of the first stamp in line[from:].
func (l *LineStamps) search(line []byte, from int) (seconds int64, found bool) {
	for i := from; ; i++ {
		k := bytes.IndexByte(line[i:], ':')
		if k < 0 {
			return 0, false
		}
		if i += k; i < 2 {
			continue
		}
		var s stampReader
		if clock := line[i-2:]; s.clock(clock) {
			if t, ok := s.date(line[:i-2], clock[len("00:00:00"):], l.notAfter); ok {
				return t, true
			}
		}
	}
}

// notAfter returns the latest time that a stamp without a year may have.
func (l *LineStamps) notAfter() time.Time {
	if l.latest.IsZero() {
		l.latest = l.modTime().UTC().Add(24 * time.Hour)
	}
	return l.latest
}

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
	for b = b[1:]; len(b) > 0 && isDigit(b[0]); {
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
