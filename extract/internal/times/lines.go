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
		for last < end { // each iteration skips a line
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

// search returns the time of the first stamp in line[from:]. Each iteration passes a colon.
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
